import { useAuth } from "./auth-context.tsx";

/**
 * The way on when the API no longer takes the session. Signing out is what leads to login: the guard then remembers
 * the page, and what was typed waits there as a draft.
 */
export function LogInAgain() {
  const { signOut } = useAuth();
  return (
    <button type="button" className="link font-semibold" onClick={() => void signOut()}>
      Log in again
    </button>
  );
}

import { useLocation, useNavigate } from "react-router-dom";
import { paths, withReturnPath } from "../lib/paths.ts";
import { useAuth } from "./auth-context.tsx";

/**
 * The way on when the API no longer takes the session: out, and to login, which remembers the page. What was typed waits
 * there as a draft. On a guarded page the guard leads there by itself, and has taken away a form that would ask first.
 */
export function LogInAgain() {
  const { signOut } = useAuth();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const start = async () => {
    await signOut();
    await navigate(withReturnPath(paths.login, pathname + search + hash), { replace: true });
  };
  return (
    <button type="button" className="link font-semibold" onClick={() => void start()}>
      Log in again
    </button>
  );
}

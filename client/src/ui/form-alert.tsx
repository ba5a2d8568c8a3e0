import { CircleAlert } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { failureText } from "../auth/failure-text.ts";
import type { FormError } from "../lib/forms.ts";
import { paths, withReturnPath } from "../lib/paths.ts";
import { notify } from "./notify.tsx";

type Props = {
  error?: FormError | undefined;
  /** False for what nobody has just asked for: it is announced, but leaves the focus where it is. */
  takesFocus?: boolean;
  /** Said instead of the error's own message. */
  children?: ReactNode;
};

/**
 * Why something was not accepted, where the person is looking. It takes the focus, which also brings it into view. The
 * live region is always there, so that the text is announced.
 */
export function FormAlert({ error, takesFocus = true, children }: Props) {
  const text = children ?? error?.message;
  return (
    <div role="alert" className="empty:hidden">
      {text && (
        <Reason takesFocus={takesFocus}>
          {text} {error?.sessionOver && <LogInAgain />}
        </Reason>
      )}
    </div>
  );
}

function Reason({ takesFocus, children }: { takesFocus: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // With the text, and not a moment later.
  useLayoutEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      // Clear of the top bar, and of the dashboard's tab bar on small screens.
      className="alert scroll-my-28 grid-cols-[auto_minmax(auto,1fr)] justify-items-start border-error/40 bg-error/8 text-start text-sm"
    >
      <CircleAlert aria-hidden="true" className="size-5 text-error" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}

/**
 * The way on when the API no longer takes the session: out, and to login, which remembers the page. What was typed waits
 * there as a draft. On a guarded page the guard leads there by itself, and has taken away a form that would ask first.
 */
function LogInAgain() {
  const { signOut } = useAuth();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const start = async () => {
    try {
      await signOut();
    } catch (error) {
      return notify.error(failureText(error), { topic: "session" });
    }
    await navigate(withReturnPath(paths.login, pathname + search + hash), { replace: true });
  };
  return (
    <button type="button" className="link font-semibold" onClick={() => void start()}>
      Log in again
    </button>
  );
}

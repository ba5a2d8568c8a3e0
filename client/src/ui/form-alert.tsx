import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { failureText } from "../auth/failure-text.ts";
import { useAuth } from "../auth/session.tsx";
import type { FormError } from "../lib/forms.ts";
import { paths, withReturnPath } from "../lib/paths.ts";
import { takeFocus } from "./focus-keeper.ts";
import { notify } from "./notify.tsx";

type Props = {
  error?: FormError | undefined;
  /** False if the error does not follow a person's action: then it is only announced. */
  takesFocus?: boolean;
  /** Shown instead of the error's own message. */
  children?: ReactNode;
};

/**
 * The error of a form. It takes the focus, which also scrolls it into view. The live region is always rendered, so that
 * the text is announced.
 */
export function FormAlert({ error, takesFocus = true, children }: Props) {
  const text = children ?? error?.message;
  return (
    <div role="alert" className="empty:absolute">
      {text && (
        <Reason takesFocus={takesFocus}>
          {text} {error?.sessionOver && <LogInAgain />}
        </Reason>
      )}
    </div>
  );
}

function Reason({ takesFocus, children }: { takesFocus: boolean; children: ReactNode }) {
  return (
    <div
      ref={takesFocus ? takeFocus : undefined}
      tabIndex={-1}
      // The scroll margin keeps it clear of the top bar, and of the dashboard's tab bar on small screens.
      className="alert scroll-my-28 grid-cols-[auto_minmax(auto,1fr)] justify-items-start border-error/40 bg-error/8 text-start text-sm"
    >
      <CircleAlert className="size-5 text-error" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}

/**
 * For a session that is over: signs out and goes to login, which remembers the page; the form's values are kept as a
 * draft. On a guarded page the guard redirects by itself, and has already unmounted the form that would ask first.
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

import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { paths } from "../lib/paths.ts";
import { notify } from "../ui/notify.tsx";
import { showSuccess } from "../ui/popup.ts";

/**
 * Carries out LogOut once its navigation home has happened: a guarded page would send a signed-out person to login, and
 * a form with unsent input may hold the navigation until the person has decided. The layout with the button is gone then.
 */
export function useLogOut(): void {
  const { signOut } = useAuth();
  const { state } = useLocation();
  const navigate = useNavigate();
  const wanted = (state as { logOut?: unknown } | null)?.logOut === true;

  useEffect(() => {
    if (!wanted) return;
    // The button goes with the session; on the home page nothing else would move the focus on.
    document.getElementById("main")?.focus({ preventScroll: true });
    void navigate(paths.home, { replace: true, state: null });
    notify.dismiss("session");
    signOut().then(
      () => {
        void import("../lib/drafts.ts")
          .then(({ removeTabDrafts }) => removeTabDrafts())
          .catch(() => undefined);
        return showSuccess("LogOut Successfully");
      },
      () =>
        notify.error("You are still logged in: the sign-in service did not respond. Try again.", {
          topic: "session",
        }),
    );
  }, [wanted, navigate, signOut]);
}

/** What a LogOut button does: it leads home, where {@link useLogOut} signs out. */
export function useLogOutButton(): () => void {
  const navigate = useNavigate();
  return () => void navigate(paths.home, { state: { logOut: true } });
}

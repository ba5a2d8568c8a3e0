import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { useAuth } from "../auth/session.tsx";
import { paths } from "../lib/paths.ts";
import { showSuccess } from "../ui/confirm.ts";
import { notify } from "../ui/notify.tsx";

/**
 * Logs out after the button's navigation to home: a guarded page would redirect to login, and a form with unsaved input
 * may block the navigation until the person has decided. By then the layout with the button is unmounted.
 */
export function useLogOut(): void {
  const { user, signOut } = useAuth();
  const { state } = useLocation();
  const navigate = useNavigate();
  const requested = (state as { logOut?: unknown } | null)?.logOut === true;

  const logOut = useEffectEvent(() => {
    // The focused button disappears with the session, and on the home page nothing else would move the focus.
    document.getElementById("main")?.focus({ preventScroll: true });
    void navigate(paths.home, { replace: true, state: null });
    notify.dismiss("session");
    signOut().then(
      () => {
        void import("../lib/drafts.ts")
          .then(({ removeDrafts }) => removeDrafts(user?.uid ?? ""))
          .catch(() => undefined);
        return showSuccess("LogOut Successfully");
      },
      () =>
        notify.error("You are still logged in: the sign-in service did not respond. Try again.", {
          topic: "session",
        }),
    );
  });
  useEffect(() => {
    if (requested) logOut();
  }, [requested]);
}

/** The click handler of a LogOut button: navigates home, where {@link useLogOut} signs out. */
export function useLogOutButton(): () => void {
  const navigate = useNavigate();
  return () => void navigate(paths.home, { state: { logOut: true } });
}

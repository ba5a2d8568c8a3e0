import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useRevalidator } from "react-router-dom";
import { useAuth } from "../auth/auth-context.tsx";
import { notify } from "../ui/notify.ts";
import { useVerification } from "./use-verification.ts";

/**
 * Loads the page's data again when somebody else is signed in, or nobody any more, after logging out in another tab for
 * instance: the guard then asks a signed-out person to log in.
 */
export function SessionKeeper() {
  const { user, loading } = useAuth();
  const { revalidate } = useRevalidator();
  const known = useRef<string | null | undefined>(undefined);

  useEffect(() => {
    if (loading) return;
    const uid = user?.uid ?? null;
    const changed = known.current !== undefined && known.current !== uid;
    known.current = uid;
    if (changed) void revalidate();
  }, [user, loading, revalidate]);

  useLogOut();
  useVerification();
  return null;
}

/**
 * Carries out LogOut once its navigation home has happened: a guarded page would send a signed-out person to login, and
 * a form with unsent input may hold the navigation until the person has decided. The layout with the button is gone then.
 */
function useLogOut(): void {
  const { signOut } = useAuth();
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const wanted = (state as { logOut?: unknown } | null)?.logOut === true;

  useEffect(() => {
    if (!wanted) return;
    void navigate(pathname, { replace: true, state: null });
    notify.dismiss("session");
    signOut()
      .then(() => import("../ui/popup.ts"))
      .then(({ celebrate }) => celebrate("LogOut Successfully"))
      .catch(() =>
        notify.error("You are still logged in: the sign-in service did not answer. Try again.", {
          topic: "session",
        }),
      );
  }, [wanted, pathname, navigate, signOut]);
}

import { useEffect } from "react";
import { useAuth } from "../auth/auth-context.tsx";
import { useApi } from "../lib/api-provider.tsx";
import { readMe } from "../lib/me-api.ts";
import { notify } from "../ui/notify.tsx";

/**
 * Looks whether the address was verified, in another tab or a mail program, each time somebody whose address is not
 * comes back to this one; and lets the API know by asking it for something with the new token. Renders nothing.
 */
export function Verification() {
  const { user, refreshUser } = useAuth();
  const api = useApi();
  const isWaiting = user?.emailVerified === false;

  useEffect(() => {
    if (!isWaiting) return;
    const look = async () => {
      if (document.hidden) return;
      const { emailVerified } = await refreshUser();
      if (!emailVerified) return;
      notify.success("Your email address is verified.");
      await readMe(api);
    };
    // Whoever is offline now comes back another time.
    const onVisibility = () => void look().catch(() => undefined);
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, [isWaiting, refreshUser, api]);
  return null;
}

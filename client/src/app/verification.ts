import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useAuth } from "../auth/auth-context.tsx";
import { useApi } from "../lib/api-context.tsx";
import { meQuery } from "../lib/me.ts";
import { notify } from "../ui/notify.tsx";

/**
 * Looks whether the address was verified, in another tab or a mail program, each time somebody whose address is not
 * comes back to this one; and lets the API know by asking it for something with the new token. Renders nothing.
 */
export function Verification() {
  const { user, refreshUser } = useAuth();
  const api = useApi();
  const queryClient = useQueryClient();
  const isWaiting = user?.emailVerified === false;

  useEffect(() => {
    if (!isWaiting) return;
    const look = async () => {
      if (document.hidden) return;
      const { emailVerified } = await refreshUser();
      if (!emailVerified) return;
      notify.success("Your email address is verified.");
      await queryClient.fetchQuery({ ...meQuery(api), staleTime: 0 });
    };
    // Whoever is offline now comes back another time.
    const onVisibility = () => void look().catch(() => undefined);
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, [isWaiting, refreshUser, api, queryClient]);
  return null;
}

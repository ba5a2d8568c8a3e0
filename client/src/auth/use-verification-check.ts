import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { meQuery } from "../lib/queries.tsx";
import { notify } from "../ui/notify.tsx";
import { useAuth } from "./session.tsx";

/**
 * Returns a function that asks the provider whether the user's email address is verified by now, and resolves to the
 * response. If it is, the function says so and calls the API, which learns it from the new token.
 */
export function useVerificationCheck(): () => Promise<boolean> {
  const { refreshUser } = useAuth();
  const queryClient = useQueryClient();
  return useCallback(async () => {
    const { emailVerified } = await refreshUser();
    if (emailVerified) {
      notify.success("Your email address is verified.", { topic: "verification" });
      await queryClient.fetchQuery({ ...meQuery, staleTime: 0 });
    }
    return emailVerified;
  }, [refreshUser, queryClient]);
}

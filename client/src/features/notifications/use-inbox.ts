import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { apiOrigin } from "../../lib/env.ts";
import { connectionOf } from "./connection.ts";

/** The signed-in person's notifications, kept up to date while anything shows them. */
export function useInbox(uid: string) {
  const { getToken } = useAuth();
  const api = useApi();
  const connection = connectionOf(uid, { origin: apiOrigin, getToken });
  const { inbox } = connection;
  const state = useSyncExternalStore(inbox.subscribe, inbox.getState);

  useEffect(() => connection.use(), [connection]);

  const actions = useMemo(
    () => ({
      load: () => inbox.load(api),
      retry: () => inbox.retry(api),
      loadMore: () => inbox.loadMore(api),
      markRead: (id?: string) => inbox.markRead(api, id),
    }),
    [inbox, api],
  );
  return { ...state, ...actions };
}

import { useQueryClient } from "@tanstack/react-query";
import type { Conversation, Message } from "@tasklane/server/contract";
import { useEffect, useSyncExternalStore } from "react";
import { useApi } from "../../lib/api-context.tsx";
import { markSeen, messagesQuery, readNewMessages } from "./conversation-queries.ts";

/** Reads the messages that the conversation tells of and the list does not have yet. `messages` are oldest first. */
export function useNewMessages(
  id: string,
  conversation: Conversation | undefined,
  messages: readonly Message[] | undefined,
): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const count = conversation?.count ?? 0;
  const last = messages?.at(-1)?.number ?? 0;
  const isLoaded = messages !== undefined;
  useEffect(() => {
    if (!isLoaded || last >= count) return;
    const { queryKey } = messagesQuery(api, id);
    // Tried again as other reads are.
    readNewMessages(api, queryClient, id).catch(() => queryClient.invalidateQueries({ queryKey }));
  }, [api, queryClient, id, isLoaded, last, count]);
}

/** Tells the server that what is on the screen was seen, while the page is looked at. */
export function useSeen(
  id: string,
  conversation: Conversation | undefined,
  messages: readonly Message[] | undefined,
): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const isVisible = useSyncExternalStore(onVisibility, () => !document.hidden);
  const last = messages?.at(-1)?.number ?? 0;
  const unread = conversation?.unread ?? 0;
  const isAllShown = last > 0 && last >= (conversation?.count ?? 0);
  useEffect(() => {
    if (!isVisible || unread === 0 || !isAllShown) return;
    // What fails is tried with the next message, or the next look at the page.
    markSeen(api, id, last).then(
      () => queryClient.invalidateQueries({ queryKey: ["conversations"] }),
      () => undefined,
    );
  }, [api, queryClient, id, isVisible, unread, last, isAllShown]);
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

import { useQueryClient } from "@tanstack/react-query";
import { useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useApi } from "../../lib/api-context.tsx";
import { plural } from "../../lib/format.ts";
import { conversationNews } from "../../lib/live.ts";
import { meQuery } from "../../lib/me.ts";
import { setUnreadInTitle } from "../../ui/page-head.tsx";

/** How long to wait for further updates before the cached conversations are invalidated, in ms. */
const BATCH_MS = 50;

/** Keeps cached conversations and the unread count in the tab's title up to date, and announces new messages. */
export function ConversationUpdates() {
  const queryClient = useQueryClient();
  const { queryKey } = meQuery(useApi());
  const lastUnread = useRef<number>(undefined);
  const [announcement, setAnnouncement] = useState("");

  const updateUnread = useEffectEvent((unread: number) => {
    setUnreadInTitle(unread);
    queryClient.setQueryData(queryKey, (me) => me && { ...me, unreadConversations: unread });
    const before = lastUnread.current ?? unread;
    // The count makes each text different: a screen reader would not read an unchanged one again.
    if (unread > before)
      setAnnouncement(
        `You have a new message. ${plural(unread, "conversation is", "conversations are")} unread.`,
      );
    else if (unread < before) setAnnouncement("");
    lastUnread.current = unread;
  });

  // A layout effect, because events that arrive before the first paint would be missed.
  useLayoutEffect(() => {
    let timer: number | undefined;
    // The stream sends the count only once, possibly while another layout was mounted.
    const unread = conversationNews.unread();
    if (unread !== null) updateUnread(unread);
    const unsubscribe = conversationNews.subscribe((news) => {
      if ("unread" in news) updateUnread(news.unread);
      timer ??= window.setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: ["conversations"] });
      }, BATCH_MS);
    });
    return () => {
      unsubscribe();
      window.clearTimeout(timer);
      setUnreadInTitle(0);
    };
  }, [queryClient]);

  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  );
}

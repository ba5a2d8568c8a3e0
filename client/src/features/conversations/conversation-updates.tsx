import { useQueryClient } from "@tanstack/react-query";
import { useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useApi } from "../../lib/api-context.tsx";
import { plural } from "../../lib/format.ts";
import { conversationNews } from "../../lib/live.ts";
import { meQuery } from "../../lib/me.ts";
import { setUnreadInTitle } from "../../ui/page-head.tsx";

/** So long news are gathered before what is shown of conversations is read again, in ms. */
const BATCH_MS = 50;

/** Keeps what the tab shows of conversations up to date, the number in its title too, and says that a message came. */
export function ConversationUpdates() {
  const queryClient = useQueryClient();
  const { queryKey } = meQuery(useApi());
  const known = useRef<number>(undefined);
  const [said, setSaid] = useState("");

  const take = useEffectEvent((unread: number) => {
    setUnreadInTitle(unread);
    queryClient.setQueryData(queryKey, (me) => me && { ...me, unreadConversations: unread });
    const before = known.current ?? unread;
    // With the number: the same words a second time would not be said.
    if (unread > before)
      setSaid(`You have a new message. ${plural(unread, "conversation is", "conversations are")} unread.`);
    else if (unread < before) setSaid("");
    known.current = unread;
  });

  // With the bar, not after the browser has painted it: news in between would be missed.
  useLayoutEffect(() => {
    let timer: number | undefined;
    // What another layout's bar has heard stays true in this one's: the stream tells it only once.
    const unread = conversationNews.unread();
    if (unread !== null) take(unread);
    const unsubscribe = conversationNews.subscribe((news) => {
      if ("unread" in news) take(news.unread);
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
      {said}
    </span>
  );
}

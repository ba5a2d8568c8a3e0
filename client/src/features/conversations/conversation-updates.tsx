import { useEffect, useState } from "react";
import { plural } from "../../lib/format.ts";
import { useLive } from "../../lib/live.ts";
import { setUnreadInTitle } from "../../ui/page-head.tsx";

/** Shows the number of unread conversations in the tab's title, and announces new messages. */
export function ConversationUpdates() {
  const unread = useLive().conversations;
  const [last, setLast] = useState(unread);
  const [announcement, setAnnouncement] = useState("");
  if (unread !== last) {
    setLast(unread);
    // The count makes each text different: a screen reader would not read an unchanged one again.
    setAnnouncement(
      unread !== null && last !== null && unread > last
        ? `You have a new message. ${plural(unread, "conversation is", "conversations are")} unread.`
        : "",
    );
  }
  useEffect(() => {
    setUnreadInTitle(unread ?? 0);
    return () => setUnreadInTitle(0);
  }, [unread]);
  return (
    <span role="status" className="sr-only">
      {announcement}
    </span>
  );
}

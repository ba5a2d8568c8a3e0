import type { Notification } from "@tasklane/server/contract";
import { useEffect, useState } from "react";
import { notify } from "../../ui/notify.tsx";
import { sentenceOf } from "./words.ts";

/** So many are remembered as said. */
const MOST = 50;

/** Says what arrives while the page is open, once; being hired is worth a toast as well. */
export function Arrival({ notification, uid }: { notification: Notification | null; uid: string }) {
  const [text, setText] = useState("");

  useEffect(() => {
    // The stream repeats the last minute whenever it begins, after a reload for instance.
    if (!notification || notification.read || !isFirstTime(uid, notification._id)) return;
    const sentence = sentenceOf(notification);
    setText(sentence);
    if (notification.kind === "awarded") notify.success(sentence, { topic: `awarded-${notification._id}` });
  }, [notification, uid]);

  return (
    <span role="status" className="sr-only">
      {text}
    </span>
  );
}

function isFirstTime(uid: string, id: string): boolean {
  const key = `tasklane.said.${uid}`;
  try {
    const said = (sessionStorage.getItem(key) ?? "").split(",");
    if (said.includes(id)) return false;
    sessionStorage.setItem(key, [id, ...said].slice(0, MOST).join(","));
  } catch {
    // Without storage it may be said twice.
  }
  return true;
}

import { MESSAGE_LIMITS } from "@tasklane/server/contract";
import { useRef } from "react";
import { useFetcher } from "react-router-dom";
import { paths } from "../../lib/paths.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import { useMedia } from "../../ui/use-media.ts";
import type { ThreadResult } from "./messages-data.ts";

const EMPTY = { text: "" };
// The messages need the room: no word above the field, and Send stands beside the hint instead of below it.
const COMPACT =
  "-mt-2 gap-2! grid-flow-dense [&_label]:sr-only sm:grid-cols-[minmax(0,1fr)_auto] sm:[&>.fieldset]:contents sm:[&>.fieldset>p]:col-start-1 sm:[&>.fieldset>p]:self-center sm:[&>.fieldset>span]:col-span-full sm:[&>[role=alert]]:col-span-full sm:[&>div:last-child]:col-start-2";
const SENDS_ON_ENTER = { enterKeyHint: "send", hint: "Enter sends, Shift+Enter begins a line." } as const;

/**
 * Where a message is written. It keeps what is typed until it is sent, over a reload too, and a failed one is sent again with
 * the same key. With a keyboard Enter sends; on a phone it begins a line.
 */
export function Composer({ id }: { id: string }) {
  const fetcher = useFetcher<ThreadResult>();
  const draft = useDraft(`message.${id}`);
  const form = useRef<HTMLFormElement>(null);
  const hasKeyboard = useMedia("(pointer: fine)");
  const failed = fetcher.state === "idle" && fetcher.data?.ok === false;

  // What was typed while it was on its way stays.
  const clear = (sent: string) => {
    const field = form.current?.querySelector("textarea");
    if (!field) return;
    const typed = field.value.trimStart();
    field.value = typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  return (
    <ActionForm
      // The next message can be sent while the page is read again.
      fetcher={{ ...fetcher, state: fetcher.state === "submitting" ? "submitting" : "idle" }}
      ref={form}
      name="message"
      action={paths.conversation(id)}
      values={EMPTY}
      draft={draft}
      submit={failed ? "Send again" : "Send"}
      busy="Sending…"
      className={hasKeyboard ? COMPACT : "-mt-2 gap-2! [&_label]:sr-only"}
      explain={({ message }) => `Not sent. ${message}`}
      onResult={(result) => result.ok && result.sent !== undefined && clear(result.sent)}
    >
      <Field
        name="text"
        label="Message"
        type="textarea"
        placeholder="Write a message"
        rows={2}
        autoComplete="off"
        limit={MESSAGE_LIMITS.text}
        {...(hasKeyboard && SENDS_ON_ENTER)}
      />
    </ActionForm>
  );
}

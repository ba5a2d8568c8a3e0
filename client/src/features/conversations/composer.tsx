import { useQueryClient } from "@tanstack/react-query";
import {
  type ClosedReason,
  type Conversation,
  MESSAGE_LIMITS,
  messageDraftSchema,
} from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { formatLocalDate } from "../../lib/format.ts";
import { Field } from "../../ui/field.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { FileField } from "../files/file-field.tsx";
import { readNewMessages, setBlocked } from "./conversation-queries.ts";

// Saves vertical space for the messages: the label is hidden, the field grows with its text, and Send is beside it.
const COMPACT =
  "-mt-2 gap-2! grid-cols-[minmax(0,1fr)_auto]! grid-flow-dense items-start @max-3xs:grid-cols-1! [&_.fieldset-legend]:sr-only [&>:nth-child(2)]:col-span-full [&_textarea]:field-sizing-content [&_textarea]:max-h-40 [&_textarea]:min-h-11 [&_textarea]:resize-none [&>div:last-child]:pt-1.5 [&>[role=alert]]:col-span-full";
const SENDS_ON_ENTER = { enterKeyHint: "send", hint: "Enter sends, Shift+Enter starts a new line." } as const;

/**
 * The form to write a message. The draft survives a reload, and sending again after a failure uses the same idempotency
 * key. Enter sends on devices with a keyboard and starts a new line on a phone.
 */
export function Composer({ id, onSent }: { id: string; onSent: () => void }) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const hasKeyboard = useMedia("(pointer: fine)");
  const [last, setLast] = useState({ number: 0, text: "" });
  const [sentFiles, setSentFiles] = useState<readonly string[]>([]);
  const [hasFailed, setHasFailed] = useState(false);

  // The first field of the dialog, which opened before it was loaded.
  useEffect(() => form.current?.querySelector<HTMLElement>("dialog textarea")?.focus(), []);

  // Keeps what was typed while the message was being sent.
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    if (last.number === 0 || !field) return;
    const typed = field.value.trimStart();
    field.value = typed.startsWith(last.text) ? typed.slice(last.text.length).trimStart() : typed;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, [last]);

  return (
    <SchemaForm
      ref={form}
      schema={messageDraftSchema}
      draft={`message.${id}`}
      save={async (body, call) => {
        try {
          await call("POST /me/conversations/:id/messages", { params: { id }, body, keepsCache: true });
          // If this fails, the next update of the conversation fetches the messages.
          await readNewMessages(queryClient, id).catch(() => undefined);
        } finally {
          void queryClient.invalidateQueries({ queryKey: ["conversations"] });
        }
        return body;
      }}
      isRepeatable
      submit={hasFailed ? "Send again" : "Send"}
      className={COMPACT}
      explain={({ message }) => `Not sent. ${message}`}
      onSubmit={() => form.current?.querySelector("textarea")?.focus()}
      onSaved={({ text, files = [] }) => {
        setLast({ number: last.number + 1, text });
        setSentFiles([...sentFiles, ...files]);
        setHasFailed(false);
        onSent();
      }}
      onFailed={({ code }) => setHasFailed(code !== undefined)}
    >
      <Field
        name="text"
        label="Message"
        type="textarea"
        placeholder="Write a message"
        rows={1}
        autoComplete="off"
        limit={MESSAGE_LIMITS.text}
        {...(hasKeyboard && SENDS_ON_ENTER)}
      />
      <FileField label="Attach files" sent={sentFiles} hint="" />
    </SchemaForm>
  );
}

/** Replaces the composer in a closed conversation and says why it is closed. */
export function Closed({ conversation, reason }: { conversation: Conversation; reason: ClosedReason }) {
  const { _id: id, other } = conversation;
  const { name } = other;
  const reasons: Record<ClosedReason, string> = {
    left: "The other person has deleted their account, so nobody would read your messages.",
    deleted: "The task was deleted, and its conversations are closed.",
    ended: `The task ended more than ${MESSAGE_LIMITS.daysAfterEnd} days ago, and its conversations are closed.`,
    "you-blocked": `You have blocked ${name}. Neither of you can write to the other.`,
    "blocked-you": `${name} does not accept messages from you.`,
  };
  return (
    <div className="space-y-2">
      <p role="status" className="quiet flex items-start gap-2 text-sm wrap-anywhere">
        <Lock className="mt-0.5 size-4 shrink-0" />
        {reasons[reason]}
      </p>
      {reason === "you-blocked" && (
        <div className="space-y-2">
          <SendButton
            className="btn-outline btn-sm"
            send={(call) => setBlocked(call, id, false)}
            busyText="Unblocking…"
          >
            Unblock
          </SendButton>
        </div>
      )}
    </div>
  );
}

/** After the task has ended: until when messages can still be sent. */
export function ClosesAt({ at }: { at: string | undefined }) {
  if (!at) return null;
  return (
    <p className="quiet text-xs">
      The task has ended. You can write here until <time dateTime={at}>{formatLocalDate(at)}</time>.
    </p>
  );
}

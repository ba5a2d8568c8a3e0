import { type ClosedReason, type Conversation, MESSAGE_LIMITS } from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { formatLocalDate } from "../../lib/format.ts";
import { formErrorOf, isBusy } from "../../lib/forms.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { BusyButton } from "../../ui/busy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { FileField } from "../files/file-field.tsx";
import { useBlocking, useSendMessage } from "./conversation-writes.ts";

const EMPTY = { text: "", files: "" };
// Saves vertical space for the messages: the label is hidden, the field grows with its text, and Send is beside it.
const COMPACT =
  "-mt-2 gap-2! grid-cols-[minmax(0,1fr)_auto]! grid-flow-dense items-start @max-3xs:grid-cols-1! [&_.fieldset-legend]:sr-only [&>:nth-child(2)]:col-span-full [&_textarea]:field-sizing-content [&_textarea]:max-h-40 [&_textarea]:min-h-11 [&_textarea]:resize-none [&>div:last-child]:pt-1.5 [&>[role=alert]]:col-span-full";
const SENDS_ON_ENTER = { enterKeyHint: "send", hint: "Enter sends, Shift+Enter starts a new line." } as const;

/**
 * The form to write a message. The draft survives a reload, and sending again after a failure uses the same idempotency
 * key. Enter sends on devices with a keyboard and starts a new line on a phone.
 */
export function Composer({ id }: { id: string }) {
  const draft = useDraft(`message.${id}`);
  const message = useSendMessage(id, draft);
  const form = useRef<HTMLFormElement>(null);
  const hasKeyboard = useMedia("(pointer: fine)");
  const [sentCount, setSentCount] = useState(0);
  const failed = message.state === "idle" && message.data?.ok === false;

  // The first field of the dialog, which opened before it was loaded.
  useEffect(() => form.current?.querySelector<HTMLElement>("dialog textarea")?.focus(), []);

  // Keeps what was typed while the message was being sent.
  const clear = (sent: string) => {
    const field = form.current?.querySelector("textarea");
    if (!field) return;
    const typed = field.value.trimStart();
    field.value = typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  return (
    <ActionForm
      // The next message can be sent while the page's data reloads.
      submission={{ ...message, state: message.state === "submitting" ? "submitting" : "idle" }}
      ref={form}
      name="message"
      values={EMPTY}
      draft={draft}
      submit={failed ? "Send again" : "Send"}
      busy="Sending…"
      className={COMPACT}
      explain={({ message }) => `Not sent. ${message}`}
      onSubmit={() => form.current?.querySelector("textarea")?.focus()}
      onResult={(result) => {
        if (!result.ok) return;
        clear(result.sent);
        setSentCount(sentCount + 1);
      }}
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
      <FileField key={sentCount} label="Attach files" hasInitial={sentCount === 0} hint="" />
    </ActionForm>
  );
}

/** Replaces the composer in a closed conversation and says why it is closed. */
export function Closed({ conversation, reason }: { conversation: Conversation; reason: ClosedReason }) {
  const blocking = useBlocking(conversation._id);
  const { name } = conversation.other;
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
          <FormAlert error={formErrorOf(blocking)} />
          <BusyButton
            className="btn btn-outline btn-sm"
            busy={isBusy(blocking)}
            busyText="Unblocking…"
            onClick={() => blocking.send(false)}
          >
            Unblock
          </BusyButton>
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

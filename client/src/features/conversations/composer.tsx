import { useQueryClient } from "@tanstack/react-query";
import {
  type ClosedReason,
  type Conversation,
  MESSAGE_LIMITS,
  messageDraftSchema,
} from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApi } from "../../lib/api-context.tsx";
import { formatLocalDate } from "../../lib/format.ts";
import { type FormResult, submitForm } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { FileField } from "../files/file-field.tsx";
import { readNewMessages, useSetBlocked } from "./conversation-queries.ts";

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

/** Sends a message. The result has its text as it was sent. @param draft the key of its draft. */
function useSendMessage(id: string, draft: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useSubmission(async (form: FormData): Promise<FormResult<{ sent: string }>> => {
    const result = await submitForm(form, messageDraftSchema, async (body, idempotencyKey) => {
      const options = { params: { id }, body, idempotencyKey, keepsCache: true };
      await api.call("POST /me/conversations/:id/messages", options);
      // If this fails, the next update of the conversation fetches the messages.
      await readNewMessages(api, queryClient, id).catch(() => undefined);
      return { sent: body.text };
    });
    void queryClient.invalidateQueries({ queryKey: ["conversations"] });
    return result;
  }, draft);
}

/** Replaces the composer in a closed conversation and says why it is closed. */
export function Closed({ conversation, reason }: { conversation: Conversation; reason: ClosedReason }) {
  const setBlocked = useSetBlocked(conversation._id);
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
          <SendButton className="btn-outline btn-sm" send={() => setBlocked(false)} busyText="Unblocking…">
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

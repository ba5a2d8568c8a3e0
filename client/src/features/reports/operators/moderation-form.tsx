import {
  paragraph,
  REPORT_LIMITS,
  type ReportReason,
  reportDraftSchema,
  visibilitySchema,
} from "@tasklane/server/contract";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import type { Api } from "../../../lib/api.ts";
import { DialogButton } from "../../../ui/dialog-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { SchemaForm } from "../../../ui/schema-form.tsx";
import { REASON_OPTIONS } from "../report-button.tsx";

/** The form to hide something or suspend somebody: the reason is shown to the person. */
const reasonSchema = z.object({
  reason: reportDraftSchema.shape.reason,
  text: visibilitySchema.shape.text,
});

/** The form to undo that. The text is only recorded in the log. */
const noteSchema = z.object({ text: paragraph("Reason", REPORT_LIMITS.note) });

type Why = { reason?: ReportReason; text?: string | undefined };

/** The texts of a button, and of its form while it is being sent. */
const TEXTS = {
  task: { act: ["Hide", "Hiding…", "task"], undo: ["Restore", "Restoring…", "task"] },
  question: { act: ["Hide", "Hiding…", "question"], undo: ["Restore", "Restoring…", "question"] },
  account: { act: ["Suspend", "Suspending…", "account"], undo: ["Lift", "Lifting…", "suspension"] },
} as const;

export type ActionProps = {
  isUndoing: boolean;
  what: keyof typeof TEXTS;
  /** The id of what it is about. */
  id: string;
  reason: ReportReason;
  /** Who is told the reason when something is hidden or somebody suspended. */
  name: string;
  send: (why: Why, call: Api["call"]) => Promise<unknown>;
  /** Explains the consequences. */
  children: ReactNode;
};

/** Opens the form of an action. */
export function ActionButton({ isUndoing, what, id, reason, name, send, children }: ActionProps) {
  const [verb, busy, noun] = TEXTS[what][isUndoing ? "undo" : "act"];
  const isAccount = what === "account";
  const title = isAccount
    ? isUndoing
      ? `Lift the suspension of ${name}?`
      : `Suspend ${name}?`
    : `${verb} this ${noun}?`;
  const text = (
    <span>
      {verb} {noun}
      {isAccount && (
        <>
          {" of "}
          <bdi>{name}</bdi>
        </>
      )}
    </span>
  );
  return (
    <DialogButton
      title={title}
      text={text}
      className={`h-auto max-w-full btn-outline py-1.5 wrap-anywhere whitespace-normal btn-sm ${isUndoing ? "" : "btn-error"}`}
    >
      {(close) => (
        <>
          <p className="quiet text-sm">{children}</p>
          <SchemaForm
            name={verb.toLowerCase()}
            // Undoing has no reason of its own.
            schema={(isUndoing ? noteSchema : reasonSchema) as typeof reasonSchema}
            stored={{ reason }}
            draft={`${verb.toLowerCase()}.${id}`}
            save={send}
            submit={`${verb} ${noun}`}
            busy={busy}
            isDangerous={!isUndoing}
            onSaved={close}
            onCancel={close}
          >
            {!isUndoing && (
              <Field
                name="reason"
                label="Reason"
                placeholder="Choose a reason"
                options={REASON_OPTIONS}
                required
              />
            )}
            <Field
              name="text"
              label={isUndoing ? "Reason" : `Message to ${name} (optional)`}
              hint={isUndoing ? "It is recorded in the log." : "For example, what would need to change."}
              type="textarea"
              limit={REPORT_LIMITS.note}
              required={isUndoing}
            />
          </SchemaForm>
        </>
      )}
    </DialogButton>
  );
}

import {
  paragraph,
  REPORT_LIMITS,
  type Report,
  type ReportReason,
  reportDraftSchema,
  visibilitySchema,
} from "@tasklane/server/contract";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import type { Api } from "../../../lib/api.ts";
import { DialogButton } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { notify } from "../../../ui/notify.tsx";
import { SchemaForm } from "../../../ui/schema-form.tsx";
import { REASON_OPTIONS } from "../report-button.tsx";

/** What a report or a queue entry is about. An upload belongs to no task. */
export type Subject = Pick<Report, "taskId" | "task" | "bid" | "question" | "person"> &
  Partial<Pick<Report, "title">> & { about: Report["about"] | "file" };

type Props = { subject: Subject; reason: ReportReason };

/**
 * What an operator can do about what was reported, and about its author's account; for an answered question, about the
 * client's as well. A deleted task leaves only the people.
 */
export function ModerationActions({ subject, reason }: Props) {
  const { about, task, question, person } = subject;
  return (
    <>
      {about === "task" && task && <TaskAction subject={subject} reason={reason} />}
      {task && question && <QuestionAction subject={subject} reason={reason} />}
      {person.id && <SuspendButton {...person} id={person.id} reason={reason} />}
      {question?.answer && task?.clientId && (
        <SuspendButton id={task.clientId} name={task.name} suspended={task.clientSuspended} reason={reason} />
      )}
    </>
  );
}

/** Hides or restores a task. */
function TaskAction({ subject: { taskId: id, task }, reason }: Props) {
  const { hidden = false, title, name = "" } = task ?? {};
  return (
    <ActionButton
      isUndoing={hidden}
      what="task"
      id={id}
      reason={reason}
      name={name}
      send={(why, call) =>
        call("PATCH /tasks/:id/visibility", {
          params: { id },
          body: { hidden: !hidden, ...why },
          isRepeatable: true,
        }).then(sayIfDone)
      }
    >
      {hidden ? (
        <>
          Everybody will see “<bdi>{title}</bdi>” again. <bdi>{name}</bdi> will be notified.
        </>
      ) : (
        <>
          Only its client, anyone hired for it and operators will see “<bdi>{title}</bdi>” until it is
          restored. <bdi>{name}</bdi> will be told the reason.
        </>
      )}
    </ActionButton>
  );
}

/** Hides or restores a question and its answer. */
function QuestionAction({ subject: { taskId: id, question }, reason }: Props) {
  const { _id: questionId = "", answer, hidden = false, asker } = question ?? {};
  const name = <bdi>{asker?.name}</bdi>;
  return (
    <ActionButton
      isUndoing={hidden}
      what="question"
      id={questionId}
      reason={reason}
      name={answer ? "both" : (asker?.name ?? "")}
      send={(why, call) =>
        call("PATCH /tasks/:id/questions/:questionId/visibility", {
          params: { id, questionId },
          body: { hidden: !hidden, ...why },
          isRepeatable: true,
        }).then(sayIfDone)
      }
    >
      {hidden ? (
        <>Everybody will see it again. {name} will be notified.</>
      ) : answer ? (
        <>
          Nobody will see the question and its answer until they are restored. {name} and the client will be
          told the reason.
        </>
      ) : (
        <>Nobody will see the question until it is restored. {name} will be told the reason.</>
      )}
    </ActionButton>
  );
}

/** Another operator may have been faster. @returns whether that is so. */
function sayIfDone({ data }: { data: { modifiedCount: number } }): boolean {
  const isDone = data.modifiedCount === 0;
  if (isDone)
    notify.info("This was already done: what you wrote just now was not saved.", { topic: "operator" });
  return isDone;
}

type SuspendProps = { id: string; name: string; suspended?: boolean | undefined; reason: ReportReason };

/** Suspends an account, or lifts the suspension. */
export function SuspendButton({ id, name, suspended = false, reason }: SuspendProps) {
  const send: ActionProps["send"] = async ({ text, ...why }, call) => {
    // An empty message is left out.
    const body = { suspended: !suspended, ...why, ...(text && { text }) };
    const { data } = await call("PATCH /profiles/:id/suspension", {
      params: { id },
      body,
      isRepeatable: true,
    });
    if (sayIfDone({ data })) return;
    notify.success(suspended ? "Suspension lifted." : "Account suspended.", { topic: "operator" });
  };
  return (
    <ActionButton isUndoing={suspended} what="account" id={id} reason={reason} name={name} send={send}>
      <bdi>{name}</bdi>{" "}
      {suspended
        ? "will be able to use their account, and their open tasks will be public again."
        : "can read only public pages and the reason. Their open tasks are hidden and their bids cannot be awarded until the suspension is lifted."}
    </ActionButton>
  );
}

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
      <p className="quiet text-sm">{children}</p>
      <SchemaForm
        // Undoing has no reason of its own.
        schema={(isUndoing ? noteSchema : reasonSchema) as typeof reasonSchema}
        stored={{ reason }}
        draft={`${verb.toLowerCase()}.${id}`}
        save={send}
        submit={`${verb} ${noun}`}
        busy={busy}
        isDangerous={!isUndoing}
        inDialog="cancel"
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
    </DialogButton>
  );
}

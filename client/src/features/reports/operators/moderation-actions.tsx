import {
  REPORT_LIMITS,
  type ReportReason,
  type SuspensionChange,
  type Visibility,
} from "@tasklane/server/contract";
import { type ReactNode, useState } from "react";
import { useApi } from "../../../lib/api-context.tsx";
import { type FormResult, formValues, submitForm } from "../../../lib/forms.ts";
import { useSubmission } from "../../../lib/submission.ts";
import { ActionForm, useDraft } from "../../../ui/action-form.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { notify } from "../../../ui/notify.tsx";
import { REASON_OPTIONS } from "../report-queries.ts";
import type { SubjectProps } from "./card-parts.tsx";
import { noteFormSchema, reasonFormSchema } from "./operator-queries.ts";

/**
 * What an operator can do about what was reported, and about its author's account; for an answered question, about the
 * client's as well. A deleted task leaves only the people.
 */
export function ModerationActions({ subject, reason }: { subject: SubjectProps; reason: ReportReason }) {
  const { about, taskId, task, question, person } = subject;
  return (
    <>
      {about === "task" && task && <TaskAction taskId={taskId} task={task} reason={reason} />}
      {task && question && <QuestionAction taskId={taskId} question={question} reason={reason} />}
      {person.id && <SuspendButton {...person} id={person.id} reason={reason} />}
      {question?.answer && task?.clientId && (
        <SuspendButton id={task.clientId} name={task.name} suspended={task.clientSuspended} reason={reason} />
      )}
    </>
  );
}

type TaskProps = { taskId: string; task: NonNullable<SubjectProps["task"]>; reason: ReportReason };

/** Hides or restores a task. */
function TaskAction({ taskId, task, reason }: TaskProps) {
  if (task.hidden)
    return (
      <ActionButton
        act="restore"
        id={taskId}
        title="Restore this task?"
        button="Restore task"
        busy="Restoring…"
      >
        Everybody will see “<bdi>{task.title}</bdi>” again. <bdi>{task.name}</bdi> will be notified.
      </ActionButton>
    );
  return (
    <ActionButton
      act="hide"
      id={taskId}
      reason={reason}
      name={task.name}
      title="Hide this task?"
      button="Hide task"
      busy="Hiding…"
    >
      Only its client, anyone hired for it and operators will see “<bdi>{task.title}</bdi>” until it is
      restored. <bdi>{task.name}</bdi> will be told the reason.
    </ActionButton>
  );
}

type QuestionProps = {
  taskId: string;
  question: NonNullable<SubjectProps["question"]>;
  reason: ReportReason;
};

/** Hides or restores a question and its answer. */
function QuestionAction({ taskId, question, reason }: QuestionProps) {
  const { _id, answer, hidden, asker } = question;
  if (hidden)
    return (
      <ActionButton
        act="restore"
        id={taskId}
        question={_id}
        title="Restore this question?"
        button="Restore question"
        busy="Restoring…"
      >
        Everybody will see it again. <bdi>{asker.name}</bdi> will be notified.
      </ActionButton>
    );
  return (
    <ActionButton
      act="hide"
      id={taskId}
      question={_id}
      reason={reason}
      name={answer ? "both" : asker.name}
      title="Hide this question?"
      button="Hide question"
      busy="Hiding…"
    >
      {answer ? (
        <>
          Nobody will see the question and its answer until they are restored. <bdi>{asker.name}</bdi> and the
          client will be told the reason.
        </>
      ) : (
        <>
          Nobody will see the question until it is restored. <bdi>{asker.name}</bdi> will be told the reason.
        </>
      )}
    </ActionButton>
  );
}

type SuspendProps = { id: string; name: string; suspended?: boolean | undefined; reason: ReportReason };

/** Suspends an account, or lifts the suspension. */
export function SuspendButton({ id, name, suspended, reason }: SuspendProps) {
  if (suspended)
    return (
      <ActionButton
        act="lift"
        id={id}
        title={`Lift the suspension of ${name}?`}
        button="Lift suspension"
        whose={name}
        busy="Lifting…"
      >
        <bdi>{name}</bdi> will be able to use their account, and their open tasks will be public again.
      </ActionButton>
    );
  return (
    <ActionButton
      act="suspend"
      id={id}
      reason={reason}
      name={name}
      title={`Suspend ${name}?`}
      button="Suspend account"
      whose={name}
      busy="Suspending…"
    >
      <bdi>{name}</bdi> can read only public pages and the reason. Their open tasks are hidden and their bids
      cannot be awarded until the suspension is lifted.
    </ActionButton>
  );
}

type ActionProps = {
  /** The id of the task or the person. */
  id: string;
  /** The id of a question on the task. */
  question?: string;
  title: string;
  button: string;
  /** The name of a person whose account it is about, after the button's text. */
  whose?: string;
  busy: string;
  /** Explains the consequences. */
  children: ReactNode;
} & (
  | { act: "hide" | "suspend"; reason: ReportReason /** Who is notified of the reason. */; name: string }
  | { act: "restore" | "lift" }
);

/** Carries out an act on a task or account, or on a question of that task. */
function useModeration(act: ActionProps["act"], id: string, questionId?: string) {
  const api = useApi();
  const setVisibility = async (body: Visibility) => {
    const repeatable = { body, isRepeatable: true } as const;
    await (questionId
      ? api.call("PATCH /tasks/:id/questions/:questionId/visibility", {
          params: { id, questionId },
          ...repeatable,
        })
      : api.call("PATCH /tasks/:id/visibility", { params: { id }, ...repeatable }));
    return {};
  };
  const setSuspension = async (body: SuspensionChange) => {
    await api.call("PATCH /profiles/:id/suspension", { params: { id }, body, isRepeatable: true });
    notify.success(body.suspended ? "Account suspended." : "Suspension lifted.", { topic: "operator" });
    return {};
  };
  return useSubmission((form: FormData): Promise<FormResult> => {
    if (act === "hide")
      return submitForm(form, reasonFormSchema, (why) => setVisibility({ hidden: true, ...why }));
    if (act === "restore")
      return submitForm(form, noteFormSchema, (why) => setVisibility({ hidden: false, ...why }));
    if (act === "lift")
      return submitForm(form, noteFormSchema, (why) => setSuspension({ suspended: false, ...why }));
    return submitForm(form, reasonFormSchema, ({ reason, text }) =>
      // An empty message is left out.
      setSuspension({ suspended: true, reason, ...(text && { text }) }),
    );
  });
}

/** Opens the form of an action. Its reason is shown to the person (hide, suspend) or only logged (restore, lift). */
function ActionButton(props: ActionProps) {
  const { act, id, question, title, button, whose, busy, children } = props;
  const sending = useModeration(act, id, question);
  const draft = useDraft(`${act}.${question ?? id}`);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isDangerous = act === "hide" || act === "suspend";
  return (
    <>
      <button
        type="button"
        className={`btn h-auto max-w-full btn-outline py-1.5 wrap-anywhere whitespace-normal btn-sm ${isDangerous ? "btn-error" : ""}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span>
          {button}
          {whose && " of "}
          <bdi>{whose}</bdi>
        </span>
      </button>
      <Dialog title={title} open={open} onClose={close}>
        <p className="quiet text-sm">{children}</p>
        <ActionForm
          submission={sending}
          name={act}
          values={
            "reason" in props
              ? formValues(reasonFormSchema, { reason: props.reason })
              : formValues(noteFormSchema, {})
          }
          draft={draft}
          submit={button}
          busy={busy}
          isDangerous={isDangerous}
          onResult={({ ok }) => ok && close()}
          buttons={
            <button type="button" className="btn btn-ghost" onClick={close}>
              Cancel
            </button>
          }
        >
          {"reason" in props && (
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
            label={"reason" in props ? `Message to ${props.name} (optional)` : "Reason"}
            hint={
              "reason" in props ? "For example, what would need to change." : "It is recorded in the log."
            }
            type="textarea"
            limit={REPORT_LIMITS.note}
            required={!("reason" in props)}
          />
        </ActionForm>
      </Dialog>
    </>
  );
}

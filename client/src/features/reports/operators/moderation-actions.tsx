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
import { noteFormSchema, reasonFormSchema, type Subject } from "./operator-queries.ts";

/**
 * What an operator can do about what was reported, and about its author's account; for an answered question, about the
 * client's as well. A deleted task leaves only the people.
 */
export function ModerationActions({ subject, reason }: { subject: Subject; reason: ReportReason }) {
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

type TaskProps = { taskId: string; task: NonNullable<Subject["task"]>; reason: ReportReason };

/** Hides or restores a task. */
function TaskAction({ taskId, task: { hidden, title, name }, reason }: TaskProps) {
  return (
    <ActionButton act={hidden ? "restore" : "hide"} what="task" id={taskId} reason={reason} name={name}>
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

type QuestionProps = {
  taskId: string;
  question: NonNullable<Subject["question"]>;
  reason: ReportReason;
};

/** Hides or restores a question and its answer. */
function QuestionAction({ taskId, question: { _id, answer, hidden, asker }, reason }: QuestionProps) {
  const name = <bdi>{asker.name}</bdi>;
  return (
    <ActionButton
      act={hidden ? "restore" : "hide"}
      what="question"
      id={taskId}
      question={_id}
      reason={reason}
      name={answer ? "both" : asker.name}
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

type SuspendProps = { id: string; name: string; suspended?: boolean | undefined; reason: ReportReason };

/** Suspends an account, or lifts the suspension. */
export function SuspendButton({ id, name, suspended, reason }: SuspendProps) {
  return (
    <ActionButton
      act={suspended ? "lift" : "suspend"}
      what={suspended ? "suspension" : "account"}
      whose={name}
      id={id}
      reason={reason}
      name={name}
    >
      <bdi>{name}</bdi>{" "}
      {suspended
        ? "will be able to use their account, and their open tasks will be public again."
        : "can read only public pages and the reason. Their open tasks are hidden and their bids cannot be awarded until the suspension is lifted."}
    </ActionButton>
  );
}

/** The texts of a button, and of its form while it is being sent. */
const ACTS = {
  hide: ["Hide", "Hiding…"],
  restore: ["Restore", "Restoring…"],
  suspend: ["Suspend", "Suspending…"],
  lift: ["Lift", "Lifting…"],
} as const;

type ActionProps = {
  act: keyof typeof ACTS;
  /** What it is done to. */
  what: string;
  /** The name of the person whose account it is about. */
  whose?: string;
  /** The id of the task or the person. */
  id: string;
  /** The id of a question on the task. */
  question?: string;
  reason: ReportReason;
  /** Who is told the reason when something is hidden or somebody suspended. */
  name: string;
  /** Explains the consequences. */
  children: ReactNode;
};

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
function ActionButton({ act, what, whose, id, question, reason, name, children }: ActionProps) {
  const sending = useModeration(act, id, question);
  const draft = useDraft(`${act}.${question ?? id}`);
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const isDangerous = act === "hide" || act === "suspend";
  const [verb, busy] = ACTS[act];
  const title = !whose
    ? `${verb} this ${what}?`
    : isDangerous
      ? `Suspend ${whose}?`
      : `Lift the suspension of ${whose}?`;
  return (
    <>
      <button
        type="button"
        className={`btn h-auto max-w-full btn-outline py-1.5 wrap-anywhere whitespace-normal btn-sm ${isDangerous ? "btn-error" : ""}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span>
          {verb} {what}
          {whose && " of "}
          <bdi>{whose}</bdi>
        </span>
      </button>
      <Dialog title={title} open={open} onClose={close}>
        <p className="quiet text-sm">{children}</p>
        <ActionForm
          submission={sending}
          name={act}
          values={isDangerous ? formValues(reasonFormSchema, { reason }) : formValues(noteFormSchema, {})}
          draft={draft}
          submit={`${verb} ${what}`}
          busy={busy}
          isDangerous={isDangerous}
          onResult={({ ok }) => ok && close()}
          onCancel={close}
        >
          {isDangerous && (
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
            label={isDangerous ? `Message to ${name} (optional)` : "Reason"}
            hint={isDangerous ? "For example, what would need to change." : "It is recorded in the log."}
            type="textarea"
            limit={REPORT_LIMITS.note}
            required={!isDangerous}
          />
        </ActionForm>
      </Dialog>
    </>
  );
}

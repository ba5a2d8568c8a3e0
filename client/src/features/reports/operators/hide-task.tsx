import { REPORT_LIMITS, type Report } from "@tasklane/server/contract";
import { type ReactNode, useState } from "react";
import { useFetcher } from "react-router-dom";
import { type FormResult, formValues } from "../../../lib/forms.ts";
import { ActionForm } from "../../../ui/action-form.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { hideFormSchema, REASON_OPTIONS } from "../report-queries.ts";

type TaskProps = { taskId: string; task: NonNullable<Report["task"]>; reason: Report["reason"] };

/** Opens the form that hides a task from the public, with the reason that its client is told. */
export function HideTaskButton({ taskId, task, reason }: TaskProps) {
  return (
    <HideButton what="task" fields={{ task: taskId }} told={task.name} reason={reason}>
      Only its client, whoever was hired for it and operators will see “<bdi>{task.title}</bdi>”, until it is
      restored. <bdi>{task.name}</bdi> is told the reason.
    </HideButton>
  );
}

type QuestionProps = {
  taskId: string;
  question: NonNullable<Report["question"]>;
  reason: Report["reason"];
};

/** The same for a question on a task, and its answer. */
export function HideQuestionButton({ taskId, question, reason }: QuestionProps) {
  const { _id, answer, asker } = question;
  return (
    <HideButton
      what="question"
      fields={{ task: taskId, question: _id }}
      told={answer ? "both" : asker.name}
      reason={reason}
    >
      {answer ? (
        <>
          Nobody will see the question and its answer, until they are restored. <bdi>{asker.name}</bdi> and
          the client are told the reason.
        </>
      ) : (
        <>
          Nobody will see the question, until it is restored. <bdi>{asker.name}</bdi> is told the reason.
        </>
      )}
    </HideButton>
  );
}

type Props = {
  what: "task" | "question";
  /** What names it in the form. */
  fields: Record<string, string>;
  /** Who is told. */
  told: string;
  reason: Report["reason"];
  /** What hiding it means. */
  children: ReactNode;
};

function HideButton({ what, fields, told, reason, children }: Props) {
  const fetcher = useFetcher<FormResult>();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className="btn btn-outline btn-error btn-sm"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Hide {what}
      </button>
      <Dialog title={`Hide this ${what}?`} open={open} onClose={close}>
        <p className="quiet text-sm">{children}</p>
        <ActionForm
          fetcher={fetcher}
          name="hide"
          values={formValues(hideFormSchema, { reason })}
          submit={`Hide ${what}`}
          busy="Hiding…"
          isDangerous
          onResult={({ ok }) => ok && close()}
          buttons={
            <button type="button" className="btn btn-ghost" onClick={close}>
              Cancel
            </button>
          }
        >
          <input type="hidden" name="act" value="hide" />
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Field
            name="reason"
            label="Reason"
            placeholder="Choose a reason"
            options={REASON_OPTIONS}
            required
          />
          <Field
            name="text"
            label={`Message to ${told} (optional)`}
            hint="For example, what would need to change."
            type="textarea"
            limit={REPORT_LIMITS.note}
          />
        </ActionForm>
      </Dialog>
    </>
  );
}

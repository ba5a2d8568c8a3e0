import { REPORT_LIMITS, type Report } from "@tasklane/server/contract";
import { useState } from "react";
import { useFetcher } from "react-router-dom";
import { type FormResult, formValues } from "../../../lib/forms.ts";
import { ActionForm } from "../../../ui/action-form.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { hideFormSchema, REASON_OPTIONS } from "../report-queries.ts";

type Props = { taskId: string; task: NonNullable<Report["task"]>; reason: Report["reason"] };

/** Opens the form that hides a task from the public, with the reason that its client is told. */
export function HideTaskButton({ taskId, task, reason }: Props) {
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
        Hide task
      </button>
      <Dialog title="Hide this task?" open={open} onClose={close}>
        <p className="quiet text-sm">
          Only its client, whoever was hired for it and operators will see “<bdi>{task.title}</bdi>”, until it
          is restored. <bdi>{task.name}</bdi> is told the reason.
        </p>
        <ActionForm
          fetcher={fetcher}
          name="hide"
          values={formValues(hideFormSchema, { reason })}
          submit="Hide task"
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
          <input type="hidden" name="task" value={taskId} />
          <Field
            name="reason"
            label="Reason"
            placeholder="Choose a reason"
            options={REASON_OPTIONS}
            required
          />
          <Field
            name="text"
            label={`Message to ${task.name} (optional)`}
            hint="For example, what would need to change."
            type="textarea"
            limit={REPORT_LIMITS.note}
          />
        </ActionForm>
      </Dialog>
    </>
  );
}

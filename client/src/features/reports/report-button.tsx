import { REPORT_LIMITS, type Task } from "@tasklane/server/contract";
import { Flag } from "lucide-react";
import { useState } from "react";
import { useApi } from "../../lib/api-context.tsx";
import { formValues, submitForm } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, FormDone, useDraft } from "../../ui/action-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { REASON_OPTIONS, reportFormSchema } from "./report-queries.ts";

/** Reports a task to the operators. Hidden from its owner. */
export function ReportTaskButton({ task }: { task: Task }) {
  if (!task.viewer || task.viewer.isOwner) return null;
  return <ReportButton taskId={task._id} text="Report this task" title="Report this task" />;
}

type BidProps = { taskId: string; bidId: string; bidder: string };

/** Reports a bid on the user's own task; `bidder` is the bidder's name. */
export function ReportBidButton({ taskId, bidId, bidder }: BidProps) {
  return <ReportButton taskId={taskId} bidId={bidId} text="Report" title={`Report ${bidder}’s bid`} />;
}

/** Reports a question on a task, or its answer. */
export function ReportQuestionButton({ taskId, questionId }: { taskId: string; questionId: string }) {
  return <ReportButton taskId={taskId} questionId={questionId} text="Report" title="Report this question" />;
}

type ConversationProps = { taskId: string; id: string; name: string; open: boolean; onClose: () => void };

/** The form to report the other person's messages in a conversation; `name` is that person's name. */
export function ReportConversation({ taskId, id, name, open, onClose }: ConversationProps) {
  return (
    <Dialog title={`Report ${name}’s messages`} open={open} onClose={onClose}>
      <ReportForm taskId={taskId} conversationId={id} onDone={onClose} />
    </Dialog>
  );
}

type Target = { taskId: string; bidId?: string; questionId?: string; conversationId?: string };
type Props = Target & { text: string; title: string };

/** Opens the report form. */
function ReportButton({ text, title, ...target }: Props) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        className="quiet btn btn-ghost btn-sm"
        aria-label={title}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Flag className="size-4" />
        {text}
      </button>
      <Dialog title={title} open={open} onClose={close}>
        <ReportForm {...target} onDone={close} />
      </Dialog>
    </>
  );
}

type FormProps = Target & { onDone: () => void };

/** A reason and an explanation. The draft survives closing the dialog. */
function ReportForm({ onDone, ...target }: FormProps) {
  const { taskId, bidId, questionId, conversationId } = target;
  const api = useApi();
  const report = useSubmission((form: FormData) =>
    submitForm(form, reportFormSchema, async (why, idempotencyKey) => {
      await api.call("POST /reports", { body: { ...target, ...why }, idempotencyKey });
      return {};
    }),
  );
  const draft = useDraft(`report.${conversationId ?? questionId ?? bidId ?? taskId}`);
  if (report.data?.ok) return <FormDone text="Thank you. An operator will look at it." onClose={onDone} />;
  return (
    <ActionForm
      submission={report}
      name="report"
      values={formValues(reportFormSchema, {})}
      draft={draft}
      submit="Send report"
      busy="Sending…"
    >
      <Field name="reason" label="Reason" placeholder="Choose a reason" options={REASON_OPTIONS} required />
      <Field
        name="text"
        label="Explanation (optional)"
        hint={
          conversationId
            ? "Only operators read it, together with the last messages of this conversation."
            : "Only operators read it."
        }
        type="textarea"
        limit={REPORT_LIMITS.text}
      />
    </ActionForm>
  );
}

import {
  REPORT_LIMITS,
  REPORT_REASON_LABELS,
  REPORT_REASONS,
  reportDraftSchema,
} from "@tasklane/server/contract";
import { Flag } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { Dialog, DialogButton } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormDone } from "../../ui/form-parts.tsx";
import { SchemaForm } from "../../ui/schema-form.tsx";

/** The reasons for a report, as the options of a select. */
export const REASON_OPTIONS = REPORT_REASONS.map((reason) => [reason, REPORT_REASON_LABELS[reason]] as const);

const schema = z.pick(reportDraftSchema, { reason: true, text: true });

type Target = { taskId: string; bidId?: string; questionId?: string; conversationId?: string };

/** Reports a task, or a bid or question on it, to the operators. `title` says what. */
export function ReportButton({
  title,
  text = "Report",
  ...target
}: Target & { title: string; text?: string }) {
  return (
    <DialogButton
      title={title}
      className="quiet btn-ghost btn-sm"
      aria-label={title}
      text={
        <>
          <Flag />
          {text}
        </>
      }
    >
      <ReportForm {...target} />
    </DialogButton>
  );
}

type DialogProps = Target & { title: string; open: boolean; onClose: () => void };

/** The form of a report. Its draft survives closing the dialog. */
export function ReportDialog({ title, open, onClose, ...target }: DialogProps) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <ReportForm {...target} />
    </Dialog>
  );
}

function ReportForm(target: Target) {
  const { taskId, bidId, questionId, conversationId } = target;
  const [isSent, setIsSent] = useState(false);
  if (isSent) return <FormDone text="Thank you. An operator will look at it." />;
  return (
    <SchemaForm
      schema={schema}
      draft={`report.${conversationId ?? questionId ?? bidId ?? taskId}`}
      save={(why, call) => call("POST /reports", { body: { ...target, ...why } })}
      submit="Send report"
      onSaved={() => setIsSent(true)}
    >
      <Field name="reason" label="Reason" placeholder="Choose a reason" options={REASON_OPTIONS} required />
      <Field
        name="text"
        label="Explanation (optional)"
        hint={
          conversationId
            ? "Only operators read it, together with the last messages of this conversation and their files."
            : "Only operators read it."
        }
        type="textarea"
        limit={REPORT_LIMITS.text}
      />
    </SchemaForm>
  );
}

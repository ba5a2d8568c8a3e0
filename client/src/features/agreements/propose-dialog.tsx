import {
  AGREEMENT_LIMITS,
  calendarDate,
  type ProposalDraft,
  proposalDraftSchema,
} from "@tasklane/server/contract";
import { useApi } from "../../lib/api-context.tsx";
import { formValues, submitForm } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";

type Props = {
  taskId: string;
  /** The present ones, with which the form begins. */
  terms: Omit<ProposalDraft, "note">;
  open: boolean;
  onClose: () => void;
};

/** Proposes another price, date or scope to the other side. */
export function ProposeDialog({ taskId, terms, open, onClose }: Props) {
  return (
    <Dialog title="Propose a change" open={open} onClose={onClose}>
      <ProposeForm taskId={taskId} terms={terms} onClose={onClose} />
    </Dialog>
  );
}

function ProposeForm({ taskId: id, terms, onClose }: Omit<Props, "open">) {
  const api = useApi();
  const draft = useDraft(`proposal.${id}`);
  const proposing = useSubmission((form: FormData) =>
    submitForm(form, proposalDraftSchema, async (body, idempotencyKey) => {
      await api.call("PUT /tasks/:id/agreement/proposal", { params: { id }, body, idempotencyKey });
      return {};
    }),
  );
  return (
    <ActionForm
      submission={proposing}
      name="proposal"
      values={formValues(proposalDraftSchema, terms)}
      draft={draft}
      submit="Propose"
      busy="Sending…"
      onResult={({ ok }) => {
        if (!ok) return;
        onClose();
        notify.success("Your proposal is sent. It counts once the other side accepts it.", {
          topic: `agreement-${id}`,
        });
      }}
      buttons={
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Cancel
        </button>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field name="amount" label="Price" unit="$" inputMode="decimal" required />
        <Field name="due" label="Date" type="date" min={calendarDate(new Date())} max="2099-12-31" required />
      </div>
      <Field
        name="scope"
        label="Changes to the scope (optional)"
        hint="What is to be done beyond the description, or otherwise."
        type="textarea"
        rows={3}
        limit={AGREEMENT_LIMITS.scope}
      />
      <Field
        name="note"
        label="Why (optional)"
        hint="For the other side. It is not part of the agreement."
        type="textarea"
        rows={2}
        limit={AGREEMENT_LIMITS.note}
      />
    </ActionForm>
  );
}

import {
  AGREEMENT_LIMITS,
  checkMilestones,
  type Milestone,
  type ProposalDraft,
  proposalDraftSchema,
} from "@tasklane/server/contract";
import * as z from "zod/mini";
import { useApi } from "../../lib/api-context.tsx";
import { formValues, submitForm } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { notify } from "../../ui/notify.tsx";
import { TermsFields } from "./milestones.tsx";

/** The milestones are JSON in the form. */
const proposalFormSchema = z
  .object({
    ...proposalDraftSchema.shape,
    milestones: z.pipe(
      z.pipe(
        z._default(z.string(), "[]"),
        z.transform((text): unknown => JSON.parse(text)),
      ),
      proposalDraftSchema.shape.milestones,
    ),
  })
  .check(checkMilestones);

type Props = {
  taskId: string;
  /** The present ones, with which the form begins. */
  terms: Pick<ProposalDraft, "amount" | "due" | "scope"> & { milestones?: Milestone[] | undefined };
  /** How many milestones were accepted. */
  accepted: number;
  open: boolean;
  onClose: () => void;
};

/** Proposes another price, date or scope to the other side. */
export function ProposeDialog({ open, onClose, ...props }: Props) {
  return (
    <Dialog title="Propose a change" open={open} onClose={onClose}>
      <ProposeForm {...props} onClose={onClose} />
    </Dialog>
  );
}

function ProposeForm({ taskId: id, terms, accepted, onClose }: Omit<Props, "open">) {
  const api = useApi();
  const draft = useDraft(`proposal.${id}`);
  const proposing = useSubmission((form: FormData) =>
    submitForm(form, proposalFormSchema, async (body, idempotencyKey) => {
      await api.call("PUT /tasks/:id/agreement/proposal", { params: { id }, body, idempotencyKey });
      return {};
    }),
  );
  return (
    <ActionForm
      submission={proposing}
      name="proposal"
      values={{
        ...formValues(proposalFormSchema, terms),
        milestones: JSON.stringify(terms.milestones ?? []),
      }}
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
      <TermsFields accepted={accepted} />
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

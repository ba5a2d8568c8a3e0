import { changeRequestSchema, DAYS_TO_REACT, DELIVERY_LIMITS, type Task } from "@tasklane/server/contract";
import { useEffect, useState } from "react";
import type { FetcherWithComponents } from "react-router-dom";
import { removeDraft, renewIdempotencyKey } from "../../lib/drafts.ts";
import { formErrorOf, formValues, isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { confirm } from "../../ui/confirm.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import type { DeliveryResult } from "./delivery-action.ts";
import { deliveryFormSchema } from "./delivery-queries.ts";

/**
 * The draft of a step that can happen several times on one task. It is removed once the step is done, even if the
 * response was lost, and each round gets its own idempotency key.
 * @param isNext can the step be done now?
 */
export function useStepDraft(form: string, isNext: boolean): string {
  const draft = useDraft(form);
  useEffect(() => {
    if (isNext) renewIdempotencyKey(draft);
    else removeDraft(draft);
  }, [draft, isNext]);
  return draft;
}

type StepProps = { task: Task; fetcher: FetcherWithComponents<DeliveryResult> };

/** The form with which the hired freelancer delivers the work. `name` is the client's. */
export function DeliverForm({ task, name, fetcher }: StepProps & { name: string }) {
  const isNext = stateNow(task) === "awarded";
  const draft = useStepDraft(`delivery.${task._id}`, isNext);
  if (!isNext) return null;
  return (
    <ActionForm
      fetcher={fetcher}
      name="delivery"
      action={paths.deliveryAction(task._id)}
      values={formValues(deliveryFormSchema, {})}
      draft={draft}
      submit="Deliver"
      busy="Delivering…"
    >
      <input type="hidden" name="intent" value="deliver" />
      <Field
        name="note"
        label="Note"
        hint={`What you have done, and what ${name} should look at first.`}
        type="textarea"
        rows={4}
        limit={DELIVERY_LIMITS.note}
        required
      />
      <Field
        name="links"
        label="Links (optional)"
        hint={`Where the work is: one link per line, up to ${DELIVERY_LIMITS.links}. Only the two of you see them.`}
        type="textarea"
        rows={2}
      />
    </ActionForm>
  );
}

type ChangesProps = StepProps & { draft: string };

/** Opens the form to ask for changes to delivered work. */
export function AskForChangesButton({ task, draft, fetcher }: ChangesProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className="btn btn-outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Ask for changes
      </button>
      <Dialog title="Ask for changes" open={open} onClose={close}>
        <ChangesForm task={task} draft={draft} fetcher={fetcher} onClose={close} />
      </Dialog>
    </>
  );
}

function ChangesForm({ task, draft, fetcher, onClose }: ChangesProps & { onClose: () => void }) {
  return (
    <ActionForm
      fetcher={fetcher}
      name="changes"
      action={paths.deliveryAction(task._id)}
      values={formValues(changeRequestSchema, {})}
      draft={draft}
      submit="Ask for changes"
      busy="Sending…"
      onResult={({ ok }) => ok && onClose()}
      buttons={
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Back
        </button>
      }
    >
      <input type="hidden" name="intent" value="changes" />
      <Field
        name="reason"
        label="What is missing?"
        hint="As exactly as you can: what was agreed, and what should be different."
        type="textarea"
        rows={4}
        limit={DELIVERY_LIMITS.reason}
        required
      />
    </ActionForm>
  );
}

function completionConfirmation({ otherSideLeft }: Task) {
  return {
    title: "Mark the task as completed?",
    text: otherSideLeft
      ? "Your client has deleted their account. The task stays on your record."
      : `Your client has not responded for ${DAYS_TO_REACT} days. They will be notified, and you can review each other.`,
    yes: "Yes, it is completed",
    no: "Not yet",
    tone: "primary",
  } as const;
}

/** Lets the freelancer complete the task when the client has not responded in time or has deleted their account. */
export function CompleteUnanswered({ task, fetcher }: StepProps) {
  const busy = isBusy(fetcher);
  const complete = async () => {
    if (!busy && (await confirm(completionConfirmation(task))))
      await fetcher.submit(
        { intent: "complete" },
        { method: "post", action: paths.deliveryAction(task._id) },
      );
  };
  return (
    <>
      <FormAlert error={formErrorOf(fetcher)} />
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={busy || undefined}
        onClick={() => void complete()}
      >
        Mark as completed
      </button>
    </>
  );
}

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
 * The draft of a step that a task can take more than once. A step that is taken has no draft any more, also if its form
 * was never told; and what was sent in an earlier round is not what is sent in this one.
 * @param isNext may the step be taken now?
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

/** The hired freelancer hands in the work, until it is delivered. What is typed is kept until it is sent. `name` is the client's. */
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
        hint={`Where the work is: one link in each line, up to ${DELIVERY_LIMITS.links}. Only the two of you see them.`}
        type="textarea"
        rows={2}
      />
    </ActionForm>
  );
}

type ChangesProps = StepProps & { draft: string };

/** Opens the form that sends delivered work back. */
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

function completion({ otherSideLeft }: Task) {
  return {
    title: "Mark the task as completed?",
    text: otherSideLeft
      ? "Your client has deleted their account. The task stays on your record."
      : `Your client has not reacted for ${DAYS_TO_REACT} days. They are told, and both of you can review each other.`,
    yes: "Yes, it is completed",
    no: "Not yet",
    tone: "onward",
  } as const;
}

/** Completes the task in place of a client who has not reacted in time, or has left. */
export function CompleteUnanswered({ task, fetcher }: StepProps) {
  const busy = isBusy(fetcher);
  const complete = async () => {
    if (!busy && (await confirm(completion(task))))
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

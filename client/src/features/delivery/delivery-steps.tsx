import { changeRequestSchema, DAYS_TO_REACT, DELIVERY_LIMITS, type Task } from "@tasklane/server/contract";
import { useEffect, useState } from "react";
import { useApi } from "../../lib/api-context.tsx";
import { removeDraft, renewIdempotencyKey } from "../../lib/drafts.ts";
import { formErrorOf, formValues, isBusy, sendOrExplain, submitForm } from "../../lib/forms.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useSubmission } from "../../lib/submission.ts";
import { ActionForm, useDraft } from "../../ui/action-form.tsx";
import { confirm } from "../../ui/confirm.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { currentMilestone } from "../agreements/milestones.tsx";
import { FileField } from "../files/file-field.tsx";
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

/** What the two sides can send: the work, a request for changes, or the completion of unanswered work. */
export function useDeliverySteps({ _id: id }: Task) {
  const api = useApi();
  const params = { id };
  return {
    deliver: useSubmission((form: FormData) =>
      submitForm(form, deliveryFormSchema, async (body, idempotencyKey) => {
        await api.call("POST /tasks/:id/deliveries", { params, body, idempotencyKey });
        return {};
      }),
    ),
    askForChanges: useSubmission((form: FormData) =>
      submitForm(form, changeRequestSchema, async (body, idempotencyKey) => {
        await api.call("POST /tasks/:id/changes", { params, body, idempotencyKey });
        return {};
      }),
    ),
    /** Sent with the name of the milestone that is accepted, if another one follows. */
    complete: useSubmission((_milestone: string | undefined) =>
      sendOrExplain(() => api.call("POST /tasks/:id/completion", { params })),
    ),
  };
}

type Steps = ReturnType<typeof useDeliverySteps>;

/** The form with which the hired freelancer delivers the work. `name` is the client's. */
export function DeliverForm({
  task,
  name,
  deliver,
}: {
  task: Task;
  name: string;
  deliver: Steps["deliver"];
}) {
  const isNext = stateNow(task) === "awarded";
  const draft = useStepDraft(`delivery.${task._id}`, isNext);
  if (!isNext) return null;
  return (
    <ActionForm
      submission={deliver}
      name="delivery"
      values={formValues(deliveryFormSchema, {})}
      draft={draft}
      submit="Deliver"
      busy="Delivering…"
    >
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
      <FileField label="Attach files" />
    </ActionForm>
  );
}

type ChangesProps = { draft: string; askForChanges: Steps["askForChanges"] };

/** Opens the form to ask for changes to delivered work. */
export function AskForChangesButton(props: ChangesProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className="btn btn-outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Ask for changes
      </button>
      <Dialog title="Ask for changes" open={open} onClose={close}>
        <ChangesForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function ChangesForm({ draft, askForChanges, onClose }: ChangesProps & { onClose: () => void }) {
  return (
    <ActionForm
      submission={askForChanges}
      name="changes"
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

function completionConfirmation(task: Task) {
  const { otherSideLeft } = task;
  const isPart = currentMilestone(task)?.isLast === false;
  return {
    title: isPart ? "Mark this milestone as accepted?" : "Mark the task as completed?",
    text: otherSideLeft
      ? "Your client has deleted their account. The task stays on your record."
      : `Your client has not responded for ${DAYS_TO_REACT} days. They will be notified, and you can ${isPart ? "go on with the next one" : "review each other"}.`,
    yes: isPart ? "Yes, it is done" : "Yes, it is completed",
    no: "Not yet",
    tone: "primary",
  } as const;
}

/** Lets the freelancer complete the task when the client has not responded in time or has deleted their account. */
export function CompleteUnanswered({ task, complete }: { task: Task; complete: Steps["complete"] }) {
  const busy = isBusy(complete);
  const milestone = currentMilestone(task);
  const part = milestone?.isLast === false ? milestone.name : undefined;
  const confirmAndComplete = async () => {
    if (!busy && (await confirm(completionConfirmation(task)))) await complete.send(part);
  };
  return (
    <>
      <FormAlert error={formErrorOf(complete)} />
      <button
        type="button"
        className="btn btn-primary"
        aria-disabled={busy || undefined}
        onClick={() => void confirmAndComplete()}
      >
        {part === undefined ? "Mark as completed" : "Mark as accepted"}
      </button>
    </>
  );
}

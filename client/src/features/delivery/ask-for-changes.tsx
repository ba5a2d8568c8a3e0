import { changeRequestSchema, DELIVERY_LIMITS, type Task } from "@tasklane/server/contract";
import { useState } from "react";
import type { FetcherWithComponents } from "react-router-dom";
import { formValues } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import type { DeliveryResult } from "./delivery-action.ts";

type Props = { task: Task; draft: string; fetcher: FetcherWithComponents<DeliveryResult> };

/** Opens the form that sends delivered work back. */
export function AskForChangesButton({ task, draft, fetcher }: Props) {
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

function ChangesForm({ task, draft, fetcher, onClose }: Props & { onClose: () => void }) {
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

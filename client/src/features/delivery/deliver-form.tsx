import { DELIVERY_LIMITS, type Task } from "@tasklane/server/contract";
import type { FetcherWithComponents } from "react-router-dom";
import { formValues } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { ActionForm } from "../../ui/action-form.tsx";
import { Field } from "../../ui/field.tsx";
import type { DeliveryResult } from "./delivery-action.ts";
import { deliveryFormSchema } from "./delivery-queries.ts";
import { useStepDraft } from "./use-step-draft.ts";

type Props = {
  task: Task;
  /** The client's. */
  name: string;
  fetcher: FetcherWithComponents<DeliveryResult>;
};

/** The hired freelancer hands in the work, until it is delivered. What is typed is kept until it is sent. */
export function DeliverForm({ task, name, fetcher }: Props) {
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

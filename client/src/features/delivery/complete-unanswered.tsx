import { DAYS_TO_REACT, type Task } from "@tasklane/server/contract";
import type { FetcherWithComponents } from "react-router-dom";
import { formErrorOf, isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { confirm } from "../../ui/confirm.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import type { DeliveryResult } from "./delivery-action.ts";

const QUESTION = {
  title: "Mark the task as completed?",
  text: `Your client has not reacted for ${DAYS_TO_REACT} days. They are told, and both of you can review each other.`,
  yes: "Yes, it is completed",
  no: "Not yet",
  tone: "onward",
} as const;

type Props = { task: Task; fetcher: FetcherWithComponents<DeliveryResult> };

/** Completes the task in place of a client who has not reacted in time. */
export function CompleteUnanswered({ task, fetcher }: Props) {
  const busy = isBusy(fetcher);
  const complete = async () => {
    if (!busy && (await confirm(QUESTION)))
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

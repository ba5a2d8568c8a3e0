import type { Task } from "@tasklane/server/contract";
import { useFetcher } from "react-router-dom";
import { formErrorOf, isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import type { QuestionResult } from "./questions-action.ts";

/** Lets the client take no more questions on their task, or take them again. */
export function CloseQuestions({ task }: { task: Task }) {
  const fetcher = useFetcher<QuestionResult>();
  const busy = isBusy(fetcher);
  const change = () => {
    if (busy) return;
    const intent = task.questionsClosed ? "open" : "close";
    void fetcher.submit({ intent }, { method: "post", action: paths.questionsAction(task._id) });
  };
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm"
        aria-disabled={busy || undefined}
        onClick={change}
      >
        {task.questionsClosed ? "Take questions again" : "Close questions"}
      </button>
      <FormAlert error={formErrorOf(fetcher)} />
    </>
  );
}

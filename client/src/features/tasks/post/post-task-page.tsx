import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { showSuccess } from "../../../ui/popup.ts";
import { TaskForm } from "../task-form.tsx";
import { submitTask, type TaskFormResult } from "../task-form-values.ts";
import { postTask } from "../task-queries.ts";

/** Posts the submitted task, once however often the same draft is sent. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  return submitTask(await args.request.formData(), async (draft, idempotencyKey) => {
    await postTask(apiOf(args), draft, idempotencyKey);
    return {};
  });
}

/** Add Task. After a success the form is empty again. */
export function Component() {
  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Add Task" />
      <PageHeading title="Add Task">Say what you need, by when, and what you pay for it.</PageHeading>
      <TaskForm
        submit="Add Task"
        busy="Posting…"
        onSaved={() => void showSuccess("Your Add Task Successfully")}
      />
    </div>
  );
}

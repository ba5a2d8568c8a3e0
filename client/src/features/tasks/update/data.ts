import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { forgetDraft } from "../task-draft.ts";
import { submitTaskForm, type TaskFormResult } from "../task-form-data.ts";
import { updateTask } from "../tasks-api.ts";

/** Saves the submitted task. Its draft goes with it, also if the form was left meanwhile. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  const id = args.params["id"] ?? "";
  const result = await submitTaskForm(await args.request.formData(), async (draft) => {
    if (!(await updateTask(apiOf(args), id, draft))) throw new Error("The server did not save the task.");
    return id;
  });
  if (result.ok) await forgetDraft(args, id);
  return result;
}

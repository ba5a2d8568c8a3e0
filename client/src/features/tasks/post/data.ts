import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { submitTaskForm, type TaskFormResult } from "../task-form-data.ts";
import { postTask } from "../tasks-api.ts";

/** Posts the submitted task. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  return submitTaskForm(await args.request.formData(), (draft) => postTask(apiOf(args), draft));
}

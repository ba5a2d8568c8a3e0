import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { forgetDraft } from "../task-draft.ts";
import { submitTaskForm, type TaskFormResult } from "../task-form-data.ts";
import { postTask } from "../tasks-api.ts";

/** Posts the submitted task. Its draft goes with it, also if the form was left meanwhile. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  const result = await submitTaskForm(await args.request.formData(), (draft) => postTask(apiOf(args), draft));
  if (result.ok) await forgetDraft(args, undefined);
  return result;
}

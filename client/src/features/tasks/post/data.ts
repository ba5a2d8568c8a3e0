import type { ActionFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { onceKeyOf } from "../../../lib/drafts.ts";
import { forgetPosted, ownDraftKey } from "../task-draft.ts";
import { submitTaskForm, type TaskFormResult } from "../task-form-data.ts";
import { postTask } from "../tasks-api.ts";

/** Posts the submitted task, once however often the same draft is sent. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  const key = await ownDraftKey(args, undefined);
  const result = await submitTaskForm(await args.request.formData(), async (draft) => ({
    id: await postTask(apiOf(args), draft, onceKeyOf(key)),
  }));
  if (result.ok) forgetPosted(key, result.sent);
  return result;
}

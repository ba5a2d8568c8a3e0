import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { sendOnce } from "../../../lib/drafts.ts";
import { findTaskDraft, forgetPosted, ownDraftKey } from "../task-draft.ts";
import { submitTaskForm, type TaskFormResult } from "../task-form-data.ts";
import { postTask } from "../tasks-api.ts";

/** Nothing is loaded but what the form may begin with. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  await findTaskDraft(args, undefined);
  return null;
}

/** Posts the submitted task, once however often the same draft is sent. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  const key = await ownDraftKey(args, undefined);
  const result = await submitTaskForm(await args.request.formData(), async (draft) => ({
    id: await sendOnce(key, (once) => postTask(apiOf(args), draft, once)),
  }));
  if (result.ok) forgetPosted(key, result.sent);
  return result;
}

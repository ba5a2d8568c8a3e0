import type { Task } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import type { Api } from "../../../lib/api.ts";
import { apiOf } from "../../../lib/api-context.ts";
import { findTaskDraft, forgetUpdated, ownDraftKey } from "../task-draft.ts";
import { isAsSent, readTaskForm, submitTaskForm, type TaskFormResult } from "../task-form-data.ts";
import { readTask, updateTask } from "../tasks-api.ts";

/** Loads the task, and finds the draft that its form may begin with. */
export async function loader(args: LoaderFunctionArgs): Promise<Task> {
  const id = args.params["id"] ?? "";
  const [task] = await Promise.all([readTask(apiOf(args), id, args.request.signal), findTaskDraft(args, id)]);
  return task;
}

/** Saves the submitted task over the version that the form names, and over no other. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  const id = args.params["id"] ?? "";
  const api = apiOf(args);
  const form = await args.request.formData();
  const version = Number(form.get("version"));
  const saved = await submitTaskForm(form, async (draft) => {
    if (!(await updateTask(api, id, draft, version))) throw new Error("The server did not save the task.");
    // Every save raises it by one.
    return { id, version: version + 1 };
  });
  const result = await withTheirs(api, id, form, saved);
  if (result.ok) {
    const { version: now = version, sent: values } = result;
    forgetUpdated(await ownDraftKey(args, id), { version: now, values });
  }
  return result;
}

/** After a save in between: what was saved. That may be this very form, sent before by somebody who got no answer. */
async function withTheirs(
  api: Api,
  id: string,
  form: FormData,
  result: TaskFormResult,
): Promise<TaskFormResult> {
  if (result.ok || result.code !== "changed-meanwhile") return result;
  try {
    const theirs = await readTask(api, id);
    const sent = readTaskForm(form);
    return isAsSent(theirs, sent) ? { ok: true, id, sent, version: theirs.version } : { ...result, theirs };
  } catch {
    // The form stays; saving again asks again.
    return result;
  }
}

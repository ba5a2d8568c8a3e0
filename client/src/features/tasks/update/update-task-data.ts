import { type Task, taskDraftSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import { readForm } from "../../../lib/forms.ts";
import { isAsSent, submitTask, type TaskFormResult } from "../task-form-values.ts";
import { readTask, updateTask } from "../tasks-api.ts";

/** Loads the task. */
export async function loader(args: LoaderFunctionArgs): Promise<Task> {
  return readTask(apiOf(args), args.params["id"] ?? "", args.request.signal);
}

/** Saves the submitted task over the version that the form names, and over no other. */
export async function action(args: ActionFunctionArgs): Promise<TaskFormResult> {
  const id = args.params["id"] ?? "";
  const api = apiOf(args);
  const form = await args.request.formData();
  const version = Number(form.get("version"));
  const result = await submitTask(form, async (draft) => {
    if (!(await updateTask(api, id, draft, version))) throw new Error("The server did not save the task.");
    // Every save raises it by one.
    return { version: version + 1 };
  });
  if (result.ok || result.code !== "changed-meanwhile") return result;
  try {
    const theirs = await readTask(api, id);
    const sent = readForm(taskDraftSchema, form);
    // It may be this very form, sent before by somebody who got no response.
    return isAsSent(theirs, sent) ? { ok: true, sent, version: theirs.version } : { ...result, theirs };
  } catch {
    // The form stays; saving again asks again.
    return result;
  }
}

import { type Task, taskDraftSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { apiOf, loadQuery } from "../../../lib/api-context.tsx";
import { readForm } from "../../../lib/forms.ts";
import { isAsSent, submitTask, type TaskFormResult } from "../task-form-values.ts";
import { taskQuery, updateTask } from "../task-queries.ts";

/** Loads the task as it is now, not as it was read a while ago: the form is saved over this version. */
export function loader(args: LoaderFunctionArgs): Promise<Task> {
  return loadQuery(args, taskQuery(apiOf(args), args.params["id"] ?? ""), { fresh: true });
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
    const theirs = await loader(args);
    const sent = readForm(taskDraftSchema, form);
    // It may be this very form, sent before by somebody who got no response.
    return isAsSent(theirs, sent) ? { ok: true, sent, version: theirs.version } : { ...result, theirs };
  } catch {
    // The form stays; saving again asks again.
    return result;
  }
}

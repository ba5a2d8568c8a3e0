import { type StateChange, stateChangeSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { sessionOf } from "../../../auth/session.ts";
import { apiOf, loadQuery } from "../../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../../lib/forms.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { changeTaskState, deleteTask, myTasksQuery } from "../task-queries.ts";

/** Loads the signed-in person's own tasks. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const user = await sessionOf(args).ready();
  await loadQuery(args, myTasksQuery(apiOf(args), user?.email ?? ""));
  return null;
}

/** What became of an owner's action; `did` is the state it led to, or that the task is gone. */
export type OwnerResult = FormResult<{ did: StateChange["state"] | "deleted" }>;

/**
 * Carries out what an owner does to the task `id` of the submitted form, from whichever page: `intent` is `delete`, or
 * `state` with the wanted state, and maybe a deadline, a reason, or the version that the person has seen. A task that is gone already counts as deleted.
 */
export async function action(args: ActionFunctionArgs): Promise<OwnerResult> {
  const form = await args.request.formData();
  const id = String(form.get("id") ?? "");
  if (form.get("intent") === "state") {
    return submitForm(form, stateChangeSchema, async (change) => {
      await changeTaskState(apiOf(args), id, change, String(form.get("version") ?? ""));
      return { did: change.state };
    });
  }
  try {
    await deleteTask(apiOf(args), id);
    return { ok: true, did: "deleted" };
  } catch (error) {
    const gone = error instanceof ApiProblem && error.code === "task-not-found";
    if (gone) return { ok: true, did: "deleted" };
    return toFormError(error);
  }
}

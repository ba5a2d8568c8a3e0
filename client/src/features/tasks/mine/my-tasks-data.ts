import { type StateChange, stateChangeSchema } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { sessionOf } from "../../../auth/session.tsx";
import { apiOf, loadQuery, servicesOf } from "../../../lib/api-context.tsx";
import { type FormResult, submitForm, toFormError } from "../../../lib/forms.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { myTasksQuery } from "../task-queries.ts";

/** Loads the signed-in user's own tasks. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const user = await sessionOf(args).ready();
  await loadQuery(args, myTasksQuery(apiOf(args), user?.email ?? ""));
  return null;
}

/** The result of an owner's action; `outcome` is the task's new state, or `deleted`. */
export type OwnerResult = FormResult<{ outcome: StateChange["state"] | "deleted" }>;

/**
 * Changes or deletes the task `id` of the submitted form, for forms on any page. `intent` is `delete`, or `state` with
 * the new state and, depending on it, a deadline, a reason, or the version that the owner has seen. Deleting a task
 * that no longer exists succeeds.
 */
export async function action(args: ActionFunctionArgs): Promise<OwnerResult> {
  const form = await args.request.formData();
  const id = String(form.get("id") ?? "");
  if (form.get("intent") === "state") {
    return submitForm(form, stateChangeSchema, async (body) => {
      const version = form.get("version")?.toString();
      await apiOf(args).call("PATCH /tasks/:id/state", { params: { id }, version, body });
      return { outcome: body.state };
    });
  }
  const { api, queryClient } = servicesOf(args);
  try {
    await api.call("DELETE /tasks/:id", { params: { id } });
  } catch (error) {
    const isGone = error instanceof ApiProblem && error.code === "task-not-found";
    if (!isGone) return toFormError(error);
  }
  // If the list cannot be refetched just now, it must not show the task again.
  const { queryKey } = myTasksQuery(api, "");
  queryClient.setQueryData(queryKey, (tasks) => tasks?.filter(({ _id }) => _id !== id));
  void queryClient.invalidateQueries({ queryKey, refetchType: "none" });
  return { ok: true, outcome: "deleted" };
}

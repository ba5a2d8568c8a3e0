import type { Task } from "@tasklane/server/contract";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "react-router-dom";
import { sessionOf } from "../../../auth/session.ts";
import { apiOf } from "../../../lib/api-context.ts";
import { ApiProblem, problemText } from "../../../lib/problem.ts";
import { deleteTask, listTasks } from "../tasks-api.ts";

/** The signed-in person's own tasks, newest first. */
export async function loader(args: LoaderFunctionArgs): Promise<Task[]> {
  const user = await sessionOf(args).ready();
  if (!user?.email) return [];
  return (await listTasks(apiOf(args), { email: user.email, signal: args.request.signal })).tasks;
}

/** What became of a delete. */
export type DeleteResult = { ok: true } | { ok: false; message: string };

/** Deletes the task named in the submitted form. A task that is gone already counts as deleted. */
export async function action(args: ActionFunctionArgs): Promise<DeleteResult> {
  const id = String((await args.request.formData()).get("id") ?? "");
  try {
    await deleteTask(apiOf(args), id);
    return { ok: true };
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "task-not-found") return { ok: true };
    return { ok: false, message: problemText(error) };
  }
}

import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { useLocation, useNavigate } from "react-router-dom";
import { useAuth } from "../../auth/auth-context.tsx";
import { AuthFailure } from "../../auth/auth-gateway.ts";
import { failureText } from "../../auth/failure-text.ts";
import { useApi } from "../../lib/api-context.tsx";
import { paths, withReturnPath } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { notify } from "../../ui/notify.tsx";
import { useChoice } from "../../ui/use-choice.ts";
import { savedIdsQuery, setSaved } from "./saved-task-queries.ts";

/**
 * Whether a task is saved, and the button that changes it: at once, and back with a word if that fails. Visitors are led
 * to log in, and it is done after that.
 * @param assumed whether it is saved, as long as the ids of saved tasks are not read.
 */
export function useSaved(
  { _id, title }: SavableTask,
  assumed: boolean,
): { saved: boolean; toggle: () => Promise<void> } {
  const { user, ready } = useAuth();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { data: stored = assumed } = useQuery({
    ...savedIdsQuery(api),
    enabled: user !== null,
    select: (ids) => ids.includes(_id),
  });
  const store = async (saved: boolean) => {
    const topic = `saved-${_id}`;
    notify.dismiss(topic);
    try {
      // The provider may still be finding out who is there.
      if (user ?? (await ready())) return await setSaved({ api, queryClient }, _id, saved);
      // Who takes it back on the way is led there all the same, once.
      if (!saved) return;
      rememberWanted({ _id, title });
      await navigate(withReturnPath(paths.login, pathname + search));
    } catch (error) {
      const what = saved ? "saved" : "removed from your saved tasks";
      const why = error instanceof AuthFailure ? failureText(error) : problemText(error);
      notify.error(`“${title}” was not ${what}. ${why}`, { topic });
    }
  };
  const { chosen, choose } = useChoice(store);
  const saved = chosen ?? stored;
  return { saved, toggle: () => choose(!saved) };
}

/** What a heart needs of a task. */
export type SavableTask = Pick<Task, "_id" | "title">;

const KEY = "tasklane.save";
/** Whoever logs in later than this has forgotten the heart that they pressed. In ms. */
const VALID_MS = 15 * 60_000;

/** Remembers, in this tab, the task that a visitor wants to save once they are logged in. */
function rememberWanted({ _id, title }: SavableTask): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ _id, title, at: Date.now() }));
  } catch {
    // A forbidden storage: they press the heart once more.
  }
}

/** The task that was remembered, once. */
export function takeWanted(): SavableTask | undefined {
  try {
    const { _id, title, at } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    sessionStorage.removeItem(KEY);
    return typeof _id === "string" && Date.now() - at < VALID_MS ? { _id, title: String(title) } : undefined;
  } catch {
    return undefined;
  }
}

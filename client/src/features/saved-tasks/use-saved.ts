import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { useLocation, useNavigate } from "react-router-dom";
import { failureText } from "../../auth/failure-text.ts";
import { AuthFailure } from "../../auth/person.ts";
import { useAuth } from "../../auth/session.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { paths, withReturnPath } from "../../lib/paths.ts";
import { isSessionOver, problemText } from "../../lib/problem.ts";
import { notify } from "../../ui/notify.tsx";
import { useChoice } from "../../ui/use-choice.ts";
import { savedIdsQuery, setSaved } from "./saved-task-queries.ts";

/**
 * Whether a task is saved, and a function to toggle it optimistically, with an error toast if that fails. Visitors, and
 * people whose session has ended, are sent to login to save a task, which is saved after that.
 * @param assumed the value until the saved ids have loaded.
 */
export function useSaved(
  { _id, title }: SavableTask,
  assumed: boolean,
): { saved: boolean; toggle: () => Promise<void> } {
  const { user, ready, signOut } = useAuth();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { data: stored = assumed } = useQuery({
    ...savedIdsQuery,
    enabled: user !== null,
    select: (ids) => ids.includes(_id),
  });
  const store = async (saved: boolean) => {
    const topic = `saved-${_id}`;
    const goToLogin = async () => {
      storePendingTask({ _id, title });
      await navigate(withReturnPath(paths.login, pathname + search));
    };
    const showError = (error: unknown) => {
      const what = saved ? "saved" : "removed from your saved tasks";
      const why = error instanceof AuthFailure ? failureText(error) : problemText(error);
      notify.error(`“${title}” was not ${what}. ${why}`, { topic });
    };
    notify.dismiss(topic);
    try {
      // The session may still be loading.
      if (user ?? (await ready())) await setSaved({ api, queryClient }, _id, saved);
      // A second click on the heart does not navigate again.
      else if (saved) await goToLogin();
    } catch (error) {
      if (saved && isSessionOver(error)) await signOut().then(goToLogin, showError);
      else showError(error);
    }
  };
  const { chosen, choose } = useChoice(store);
  const saved = chosen ?? stored;
  return { saved, toggle: () => choose(!saved) };
}

/** The fields of a task that a heart needs. */
export type SavableTask = Pick<Task, "_id" | "title">;

const KEY = "tasklane.save";
/** After this time a login no longer saves the task, in ms. */
const VALID_MS = 15 * 60_000;

/** Stores, for this tab, the task to save after login. */
function storePendingTask({ _id, title }: SavableTask): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ _id, title, at: Date.now() }));
  } catch {
    // Storage is blocked: they have to press the heart again after login.
  }
}

/** Returns and clears the stored task. */
export function takePendingTask(): SavableTask | undefined {
  try {
    const { _id, title, at } = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    sessionStorage.removeItem(KEY);
    return typeof _id === "string" && Date.now() - at < VALID_MS ? { _id, title: String(title) } : undefined;
  } catch {
    return undefined;
  }
}

import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { Heart } from "lucide-react";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { failureText } from "../../auth/failure-text.ts";
import { AuthFailure } from "../../auth/person.ts";
import { useAuth } from "../../auth/session.tsx";
import { paths, withReturnPath } from "../../lib/paths.ts";
import { isSessionOver, problemText } from "../../lib/problem.ts";
import { apiOf, endpointQuery, listQuery } from "../../lib/queries.tsx";
import { notify } from "../../ui/notify.tsx";
import { HEART_SIZE, type HeartProps } from "../../ui/task-heart.tsx";
import { useChoice } from "../../ui/use-saved-choice.tsx";

/** The heart on a card; an empty space on the user's own task. */
export function TaskHeart({ task }: HeartProps) {
  const { user } = useAuth();
  if (!task._id || task.clientId === user?.uid) return <span className={HEART_SIZE} aria-hidden="true" />;
  return <SaveButton task={task} />;
}

type Props = {
  task: SavableTask;
  text?: true;
  /** Whether to show the task as saved until the saved ids have loaded. */
  assumed?: boolean;
};

/** A heart that saves or removes a task, optionally with a label. */
export function SaveButton({ task, text, assumed = false }: Props) {
  const { saved, toggle } = useSaved(task, assumed);
  return (
    <button
      type="button"
      aria-pressed={saved}
      aria-label={text ? undefined : `Save ${task.title}`}
      data-tooltip-content={text ? null : saved ? "Saved" : "Save"}
      // Above the link that covers the card, with a touch target of the usual size.
      className={`btn relative z-10 btn-ghost after:absolute after:-inset-1.5 ${text ? "btn-sm" : `btn-circle btn-sm ${HEART_SIZE}`}`}
      onClick={() => void toggle()}
    >
      <Heart className={`size-5 ${saved ? "fill-error text-error" : "text-base-content/70"}`} />
      {text && (saved ? "Saved" : "Save")}
    </button>
  );
}

/** Saves the task whose heart was pressed before login. */
export function SavePendingTask() {
  const { user } = useAuth();
  const queryClient = useQueryClient();
  const uid = user?.uid;
  useEffect(() => {
    const task = uid && takePendingTask();
    if (!task) return;
    setSaved(queryClient, task._id, true).then(
      () => notify.success(`“${task.title}” is saved.`),
      (error: unknown) => notify.error(`“${task.title}” was not saved. ${problemText(error)}`),
    );
  }, [uid, queryClient]);
  return null;
}

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
      if (user ?? (await ready())) await setSaved(queryClient, _id, saved);
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

/** How many saved tasks each "Load more" fetches. */
const PAGE_SIZE = 20;
/** How long the cached ids count as fresh, in ms. */
const IDS_STALE_MS = 60_000;

const LIST_KEY = ["saved-tasks", "list"];

/** The viewer's saved tasks, most recently saved first. */
export const savedTasksQuery = listQuery(LIST_KEY, PAGE_SIZE, "GET /me/saved", {});

/** The ids of all saved tasks: one request for all hearts on a page. */
export const savedIdsQuery = {
  ...endpointQuery(["saved-tasks", "ids"], "GET /me/saved/ids", {}),
  staleTime: IDS_STALE_MS,
};

/** Saves a task or removes it, and updates all hearts and the cached list. */
export async function setSaved(queryClient: QueryClient, taskId: string, saved: boolean): Promise<void> {
  const api = apiOf(queryClient);
  const options = { params: { id: taskId }, keepsCache: true, isRepeatable: true };
  const added = saved
    ? (await api.call("PUT /me/saved/:id", options)).data.modifiedCount
    : -(await api.call("DELETE /me/saved/:id", options)).data.deletedCount;
  const { queryKey } = savedIdsQuery;
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (ids) => {
    const others = ids?.filter((id) => id !== taskId);
    return saved && others ? [taskId, ...others] : others;
  });
  // Updates only the total: a removed task stays in the list for now, so that a removal by mistake can be undone.
  queryClient.setQueryData(savedTasksQuery.queryKey, (list) => {
    const pages = list?.pages.map((page) => ({
      ...page,
      total: page.total === null ? null : page.total + added,
    }));
    return list && pages && { ...list, pages };
  });
  void queryClient.invalidateQueries({ queryKey: LIST_KEY, refetchType: "none" });
  // Hearts show what was pressed until this resolves.
  if (!queryClient.getQueryData(queryKey)) await queryClient.invalidateQueries({ queryKey });
}

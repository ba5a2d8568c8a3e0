import { useQueryClient } from "@tanstack/react-query";
import { Heart } from "lucide-react";
import { useEffect } from "react";
import { useAuth } from "../../auth/session.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { problemText } from "../../lib/problem.ts";
import { notify } from "../../ui/notify.tsx";
import { HEART_SIZE, type HeartProps } from "../../ui/task-heart.tsx";
import { setSaved } from "./saved-task-queries.ts";
import { type SavableTask, takePendingTask, useSaved } from "./use-saved.ts";

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
  const api = useApi();
  const queryClient = useQueryClient();
  const uid = user?.uid;
  useEffect(() => {
    const task = uid && takePendingTask();
    if (!task) return;
    setSaved({ api, queryClient }, task._id, true).then(
      () => notify.success(`“${task.title}” is saved.`),
      (error: unknown) => notify.error(`“${task.title}” was not saved. ${problemText(error)}`),
    );
  }, [uid, api, queryClient]);
  return null;
}

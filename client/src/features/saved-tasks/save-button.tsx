import { useQueryClient } from "@tanstack/react-query";
import { Heart } from "lucide-react";
import { useEffect } from "react";
import { useAuth } from "../../auth/auth-context.tsx";
import { useApi } from "../../lib/api-context.tsx";
import { problemText } from "../../lib/problem.ts";
import { notify } from "../../ui/notify.tsx";
import { HEART_SIZE, type HeartProps } from "../../ui/task-heart.tsx";
import { setSaved } from "./saved-task-queries.ts";
import { type SavableTask, takeWanted, useSaved } from "./use-saved.ts";

/** The heart on a card; nothing on one's own task, which needs no reminder. */
export function TaskHeart({ task }: HeartProps) {
  const { user } = useAuth();
  if (!task._id || task.clientId === user?.uid) return <span className={HEART_SIZE} aria-hidden="true" />;
  return <SaveButton task={task} />;
}

type Props = {
  task: SavableTask;
  text?: true;
  /** Stands in a list of saved tasks. */
  assumed?: boolean;
};

/** A heart to press, alone or with a word beside it. */
export function SaveButton({ task, text, assumed = false }: Props) {
  const { saved, toggle } = useSaved(task, assumed);
  return (
    <button
      type="button"
      aria-pressed={saved}
      aria-label={text ? undefined : `Save ${task.title}`}
      data-tooltip-content={text ? null : saved ? "Saved" : "Save"}
      // Above the link that covers a card, and as large to a finger as everything else.
      className={`btn relative z-10 btn-ghost after:absolute after:-inset-1.5 ${text ? "btn-sm" : `btn-circle btn-sm ${HEART_SIZE}`}`}
      onClick={() => void toggle()}
    >
      <Heart
        aria-hidden="true"
        className={`size-5 ${saved ? "fill-error text-error" : "text-base-content/70"}`}
      />
      {text && (saved ? "Saved" : "Save")}
    </button>
  );
}

/** Saves what a visitor wanted to save, now that they are logged in. */
export function SaveWanted() {
  const { user } = useAuth();
  const api = useApi();
  const queryClient = useQueryClient();
  const uid = user?.uid;
  useEffect(() => {
    const wanted = uid && takeWanted();
    if (!wanted) return;
    setSaved({ api, queryClient }, wanted._id, true).then(
      () => notify.success(`“${wanted.title}” is saved.`),
      (error: unknown) => notify.error(`“${wanted.title}” was not saved. ${problemText(error)}`),
    );
  }, [uid, api, queryClient]);
  return null;
}

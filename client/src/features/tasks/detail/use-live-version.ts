import type { Task, TaskEvent } from "@tasklane/server/contract";
import { useRef, useState } from "react";
import { useRevalidator } from "react-router-dom";
import { useLiveTask } from "../../../lib/live.ts";
import { stateNow } from "../../../lib/task-state.ts";

/** The task of an open details page, as it moves: its bid count at once; what else changed is read again. */
export function useLiveVersion(task: Task): Task {
  const { revalidate } = useRevalidator();
  const previous = useRef<TaskEvent | null>(null);
  const [heard, setHeard] = useState<{ task: Task; event: TaskEvent } | null>(null);

  useLiveTask(task._id, (event) => {
    const before = previous.current;
    previous.current = event;
    if (event) setHeard({ task, event });
    // Which bid changed is not told: it may be the own one that was shortlisted.
    const ownMayHave = task.viewer?.hasBid && before !== null && before.bidsRevision !== event?.bidsRevision;
    if (!event || event.state !== stateNow(task) || event.version !== task.version || ownMayHave) {
      void revalidate();
    }
  });

  // What the page has read since then is newer.
  return heard?.task === task ? { ...task, bidsCount: heard.event.bidsCount } : task;
}

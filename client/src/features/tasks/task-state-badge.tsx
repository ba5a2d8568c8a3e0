import type { Task, TaskState } from "@tasklane/server/contract";
import { BadgeCheck, Ban, CircleCheckBig, CircleDot, Clock, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { stateNow, useNow } from "../../ui/now.tsx";
import { StateBadge, type Tone } from "../../ui/state-badge.tsx";

const BADGES: Record<TaskState, { word: string; tone: Tone; icon: ReactNode }> = {
  open: { word: "Open", tone: "good", icon: <CircleDot /> },
  expired: { word: "Expired", tone: "bad", icon: <Clock /> },
  awarded: { word: "Awarded", tone: "notable", icon: <BadgeCheck /> },
  delivered: { word: "Delivered", tone: "notable", icon: <BadgeCheck /> },
  completed: { word: "Completed", tone: "good", icon: <CircleCheckBig /> },
  cancelled: { word: "Cancelled", tone: "quiet", icon: <Ban /> },
};

/** The display name of a task's state. */
export const taskStateWord = (state: TaskState): string => BADGES[state].word;

/** A badge with the state of a task. */
export function TaskStateBadge({ task }: { task: { state: TaskState; deadline: string } }) {
  const { word, tone, icon } = BADGES[stateNow(task, useNow())];
  return (
    <StateBadge tone={tone} icon={icon}>
      {word}
    </StateBadge>
  );
}

/** Badges with the state of a task, and who does not see it: it is hidden by an operator, or no list shows it. */
export function TaskBadges({ task }: { task: Pick<Task, "state" | "deadline" | "hidden" | "unlisted"> }) {
  return (
    <>
      <TaskStateBadge task={task} />
      {task.hidden && (
        <StateBadge tone="bad" icon={<EyeOff />}>
          Hidden
        </StateBadge>
      )}
      {task.unlisted && (
        <StateBadge tone="quiet" icon={<EyeOff />}>
          Unlisted
        </StateBadge>
      )}
    </>
  );
}

import type { Task } from "@tasklane/server/contract";
import { CalendarDays } from "lucide-react";
import { memo } from "react";
import { Link } from "react-router-dom";
import { formatDate, formatUsd, plural } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { TaskStateMark } from "./task-state-mark.tsx";

type Props = {
  task: Task;
  /** The words that invite to the details. */
  more: string;
  /** The level that fits below the heading above the grid. */
  heading: "h2" | "h3";
};

/**
 * A task in a grid. The whole card is one link, named after the task. Memoized, because a list can be a thousand cards
 * long when 24 more join it.
 */
export const TaskCard = memo(function TaskCard({ task, more, heading: Heading }: Props) {
  return (
    <article className="group card min-w-0 shadow-card transition-shadow focus-within:shadow-lift hover:shadow-lift">
      <div className="card-body gap-4 p-5">
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
          <span className="badge badge-soft font-medium badge-primary">{task.category}</span>
          <span className="quiet inline-flex items-center gap-1.5">
            <CalendarDays aria-hidden="true" className="size-4" />
            <span className="sr-only">Deadline </span>
            <time dateTime={task.deadline}>{formatDate(task.deadline)}</time>
          </span>
        </div>
        <div className="grow space-y-2">
          <Heading dir="auto" className="card-title block leading-snug wrap-anywhere">
            <Link
              to={paths.task(task._id)}
              className="after:absolute after:inset-0 after:rounded-box focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:outline-offset-2 focus-visible:after:outline-primary"
            >
              {task.title}
            </Link>
          </Heading>
          <p dir="auto" className="quiet line-clamp-2 text-sm wrap-anywhere">
            {task.description}
          </p>
        </div>
        <div className="flex flex-wrap items-end justify-between gap-3 border-t border-base-300 pt-4">
          <div>
            <p className="quiet text-xs">Fixed price project</p>
            <p className="text-xl font-semibold tabular-nums">{formatUsd(task.budget)}</p>
          </div>
          <div className="space-y-1 text-right">
            <p className="quiet text-sm">{plural(task.bidsCount, "bid")}</p>
            <TaskStateMark task={task} />
          </div>
        </div>
        <div className="card-actions items-center justify-between">
          <div className="flex min-w-0 items-center gap-2.5 text-sm">
            <Avatar name={task.name} src={task.clientImage} size="sm" />
            <span dir="auto" className="truncate">
              {task.name}
            </span>
          </div>
          <span
            aria-hidden="true"
            className="shrink-0 text-sm font-semibold text-primary group-hover:underline"
          >
            {more}
          </span>
        </div>
      </div>
    </article>
  );
});

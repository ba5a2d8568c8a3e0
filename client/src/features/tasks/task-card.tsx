import { addDays, calendarDate, type Task } from "@tasklane/server/contract";
import { ArrowRight, Calendar } from "lucide-react";
import { memo } from "react";
import { Link } from "react-router-dom";
import { firstCharacters, formatTimeLeft, formatUsd, plural } from "../../lib/format.ts";
import { paths } from "../../lib/paths.ts";
import { Day, stateNow, useNow } from "../../ui/now.tsx";
import { Avatar } from "../../ui/person.tsx";
import { HeartSlot } from "../../ui/task-heart.tsx";
import { TaskStateBadge } from "./task-state-badge.tsx";

type Props = {
  task: Task;
  /** Text of the link to the details: "View Job" looks like a button, "See more" like a link. */
  action: "View Job" | "See more";
  /** Heading level below that of the grid's own heading. */
  heading: "h2" | "h3";
};

/** More than fits into two lines: a screen reader does not read a long description on every card. */
const EXCERPT = 300;

const SOON_DAYS = 3;
const ACTION_STYLES = {
  "View Job": "btn whitespace-nowrap btn-soft btn-primary btn-sm",
  "See more": "inline-flex items-center gap-1.5 text-sm font-semibold text-primary group-hover:underline",
};

/**
 * A task in a grid. Its one link covers the card and is named after the task. Memoized, because 24 more cards can be
 * appended to a list of a thousand.
 */
export const TaskCard = memo(function TaskCard({ task, action, heading: Heading }: Props) {
  const isOpen = stateNow(task, useNow()) === "open";
  return (
    <article className="group card min-w-0 shadow-card transition-shadow focus-within:shadow-lift hover:shadow-lift">
      <div className="card-body gap-4 p-5">
        <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-2 pr-9">
          <div className="min-w-0">
            <p className="text-2xl leading-tight font-semibold wrap-anywhere tabular-nums">
              {formatUsd(task.budget)}
            </p>
            <p className="quiet text-xs">Fixed price project</p>
          </div>
          <span className="badge h-auto max-w-full badge-soft font-medium badge-primary">
            {task.category}
          </span>
        </div>
        <div className="grow space-y-1.5">
          <Heading dir="auto" className="card-title block leading-snug wrap-anywhere">
            {task.title}
          </Heading>
          <p dir="auto" className="quiet line-clamp-2 text-sm wrap-anywhere">
            {firstCharacters(task.description, EXCERPT)}
          </p>
        </div>
        <div className="quiet flex flex-wrap items-center gap-x-2 gap-y-1.5 text-sm">
          <Calendar className="size-4" />
          <span className="sr-only">Deadline</span>
          <Day date={task.deadline} />
          {isOpen ? <TimeLeft deadline={task.deadline} /> : <TaskStateBadge task={task} />}
          <span className="ml-auto tabular-nums">{plural(task.bidsCount, "bid")}</span>
        </div>
        <div className="card-actions items-center justify-between border-t border-base-300 pt-4">
          <div className="flex min-w-0 grow basis-28 items-center gap-2.5 text-sm">
            <Avatar name={task.name} src={task.clientImage} size="sm" />
            <span dir="auto" className="line-clamp-2 wrap-anywhere">
              {task.name}
            </span>
          </div>
          <Link
            to={paths.task(task._id)}
            aria-label={`${action}: ${task.title}`}
            className={`shrink-0 after:absolute after:inset-0 after:rounded-box ${ACTION_STYLES[action]}`}
          >
            {action}
            {action === "See more" && <ArrowRight className="size-4" />}
          </Link>
        </div>
        {/* After the link in the DOM: keyboard focus should reach the link first. */}
        <div className="absolute top-4 right-3">
          <HeartSlot task={task} />
        </div>
      </div>
    </article>
  );
});

function TimeLeft({ deadline }: { deadline: string }) {
  const now = useNow();
  const isSoon = deadline <= addDays(calendarDate(now), SOON_DAYS);
  return (
    <>
      <span aria-hidden="true">·</span>
      <span className={isSoon ? "font-semibold text-warning" : ""}>{formatTimeLeft(deadline, now)}</span>
    </>
  );
}

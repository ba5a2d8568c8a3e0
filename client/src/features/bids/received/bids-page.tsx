import { useInfiniteQuery } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { Link, type LoaderFunctionArgs, useParams } from "react-router-dom";
import { formatTimeLeft, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { loadQuery, useLoadedQuery } from "../../../lib/queries.tsx";
import { Fact } from "../../../ui/fact.tsx";
import { Day, stateNow, useNow } from "../../../ui/now.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { ClampedText } from "../../../ui/user-text.tsx";
import { AttachedFiles, FilesFailure, useFilesOn } from "../../files/file-list.tsx";
import { SuggestedPeople } from "../../people/suggested-people.tsx";
import { TaskSkills } from "../../tasks/detail/task-details.tsx";
import { useLiveTask } from "../../tasks/live-tasks.ts";
import { NotYourTask } from "../../tasks/not-your-task.tsx";
import { taskQuery } from "../../tasks/task-queries.ts";
import { TaskStateBadge } from "../../tasks/task-state-badge.tsx";
import { receivedBidsQuery } from "../bid-queries.ts";
import { FIRST_VIEW, ReceivedBids } from "./received-bids.tsx";

/** Loads the task; its bids are loaded by their list. */
export const loader = (args: LoaderFunctionArgs) => loadQuery(args, taskQuery(args.params["id"] ?? ""));

/** The bids on one of the client's tasks, with its brief beside them. */
export function Component() {
  const task = useLoadedQuery(taskQuery(useParams()["id"] ?? ""));
  if (!task.viewer?.isOwner)
    return <NotYourTask title="Bids">Only the client who posted a task can see its bids.</NotYourTask>;
  return <Bids key={task._id} task={task} />;
}

function Bids({ task }: { task: Task }) {
  // The list's first view, from its cache.
  const { data } = useInfiniteQuery(receivedBidsQuery(task._id, FIRST_VIEW));
  const bidders = data?.pages.flatMap(({ items }) => items.map(({ freelancerId }) => freelancerId)) ?? [];
  useLiveTask(task);
  const now = useNow();
  const isOpen = stateNow(task, now) === "open";
  return (
    <div className="space-y-6">
      <PageHeading title="Bids" />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_min(22rem,35%)]">
        <section aria-label="Brief" className="card card-body gap-4 xl:sticky xl:top-24 xl:order-last">
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <TaskStateBadge task={task} />
            <span aria-live="polite">
              <span className="quiet">Total Bids:</span>{" "}
              <strong className="tabular-nums">{task.bidsCount}</strong>
            </span>
          </p>
          <h2 dir="auto" className="text-lg font-semibold wrap-anywhere">
            <Link to={paths.dashTask(task._id)} className="link-hover link">
              {task.title}
            </Link>
          </h2>
          <dl className="grid fit-columns gap-4">
            <Fact name="Your budget">{formatUsd(task.budget)}</Fact>
            <Fact name="Deadline" note={isOpen && formatTimeLeft(task.deadline, now)}>
              <Day date={task.deadline} />
            </Fact>
          </dl>
          <ClampedText text={task.description} lines="phone" />
          <AttachedFiles files={useFilesOn(task, task._id)} label="Files of this task" />
          <FilesFailure task={task} />
          <TaskSkills task={task} />
        </section>
        <div className="space-y-6">
          <ReceivedBids task={task} />
          {/* Those invited can bid only while the task takes bids. */}
          {isOpen && !task.hidden && <SuggestedPeople task={task} bidders={bidders} />}
        </div>
      </div>
    </div>
  );
}

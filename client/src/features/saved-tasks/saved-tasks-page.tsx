import { useQueryClient } from "@tanstack/react-query";
import { MAX_SAVED, type SavedTask } from "@tasklane/server/contract";
import { Heart } from "lucide-react";
import { useState } from "react";
import { Link, type LoaderFunctionArgs } from "react-router-dom";
import { formatDate, formatTimeLeft, formatUsd, plural } from "../../lib/format.ts";
import { useTaskNews } from "../../lib/live.ts";
import { paths } from "../../lib/paths.ts";
import { problemText } from "../../lib/problem.ts";
import { loadList } from "../../lib/queries.tsx";
import { markStale } from "../../lib/query-client.ts";
import { BusyButton } from "../../ui/busy-button.tsx";
import { useAsList } from "../../ui/last-list.ts";
import { useShownList } from "../../ui/load-more.tsx";
import { notify } from "../../ui/notify.tsx";
import { stateNow, useNow, When } from "../../ui/now.tsx";
import { PageHeading } from "../../ui/page-head.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { TaskStateBadge } from "../tasks/task-state-badge.tsx";
import { SaveButton, savedTasksQuery, setSaved } from "./save-button.tsx";

/** Loads the user's saved tasks, as many as `?shown=` says. */
export const loader = (args: LoaderFunctionArgs) => loadList(args, savedTasksQuery);

/** The saved tasks. */
export function Component() {
  useAsList("Saved Tasks");
  const texts = { what: "tasks", hint: "Remove some to see more." };
  const { items, total, more } = useShownList(savedTasksQuery, texts);
  const queryClient = useQueryClient();
  useTaskNews(() => void markStale(queryClient, savedTasksQuery.queryKey));
  return (
    <div className="max-w-3xl space-y-6">
      <PageHeading title="Saved Tasks">
        You get a notification when one of them changes or closes, and two days before its deadline.
      </PageHeading>
      {items.length === 0 ? (
        <StatePanel
          icon={<Heart />}
          title="No saved tasks yet"
          link={{ to: paths.dashBrowse, text: "Browse Tasks" }}
        >
          Press the heart on a task that you want to come back to.
        </StatePanel>
      ) : (
        <>
          <p role="status" className="quiet text-sm">
            {plural(total ?? items.length, "saved task")}
            {total !== null && total > items.length && `, showing ${items.length}`}
            {total !== null && total >= MAX_SAVED && ". That is the limit: remove some first."}
          </p>
          <ul className="card divide-y divide-base-300">
            {items.map((saved) => (
              <SavedTaskRow key={saved.taskId} saved={saved} />
            ))}
          </ul>
        </>
      )}
      {more}
    </div>
  );
}

const GONE = {
  deleted: "Its client has deleted this task.",
  hidden: "An operator has hidden this task.",
} as const;

/** One saved task. A deleted or hidden one can only be removed from the list. */
export function SavedTaskRow({ saved }: { saved: SavedTask }) {
  const { taskId, title, task, gone, savedAt } = saved;
  useNow();
  return (
    <li className="flex items-start gap-3 p-4 sm:gap-5">
      <div className="min-w-0 grow space-y-1.5">
        {task ? (
          <Link
            to={paths.dashTask(taskId)}
            dir="auto"
            className="link-hover link block font-medium wrap-anywhere"
          >
            {title}
          </Link>
        ) : (
          <p dir="auto" className="quiet font-medium wrap-anywhere">
            {title}
          </p>
        )}
        {task && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
            <span className="font-semibold tabular-nums">{formatUsd(task.budget)}</span>
            <span className="quiet">{deadlineOf(task)}</span>
            <span className="quiet tabular-nums">{plural(task.bidsCount, "bid")}</span>
            <TaskStateBadge task={task} />
          </p>
        )}
        {gone && <p className="text-sm">{GONE[gone]}</p>}
        <p className="quiet text-sm wrap-anywhere">
          {task && (
            <>
              {task.category}, <bdi>{task.name}</bdi>.{" "}
            </>
          )}
          Saved <When at={savedAt} />
        </p>
      </div>
      {task ? (
        <SaveButton task={{ _id: taskId, title }} assumed />
      ) : (
        <RemoveButton taskId={taskId} title={title} />
      )}
    </li>
  );
}

function deadlineOf(task: NonNullable<SavedTask["task"]>): string {
  const left = stateNow(task) === "open" ? formatTimeLeft(task.deadline) : null;
  return left ? `${formatDate(task.deadline)} · ${left}` : formatDate(task.deadline);
}

/** Removes a deleted or hidden task from the list immediately; this cannot be undone. */
function RemoveButton({ taskId, title }: { taskId: string; title: string }) {
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await setSaved(queryClient, taskId, false);
      await queryClient.invalidateQueries({ queryKey: savedTasksQuery.queryKey });
    } catch (error) {
      notify.error(`“${title}” was not removed. ${problemText(error)}`, { topic: `saved-${taskId}` });
    } finally {
      setBusy(false);
    }
  };
  return (
    <BusyButton
      className="btn btn-outline btn-sm"
      aria-label={`Remove ${title}`}
      busy={busy}
      onClick={remove}
    >
      Remove
    </BusyButton>
  );
}

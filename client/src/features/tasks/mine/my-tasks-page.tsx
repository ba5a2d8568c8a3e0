import type { Task } from "@tasklane/server/contract";
import { ClipboardList, SearchX } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { useApi } from "../../../lib/api-context.tsx";
import { useLoadedQuery } from "../../../lib/loaded-query.ts";
import { paths } from "../../../lib/paths.ts";
import { useSubmitting } from "../../../lib/submission.ts";
import { FilterLinks } from "../../../ui/filter-links.tsx";
import { useAsList } from "../../../ui/last-list.ts";
import { showSuccess } from "../../../ui/notify.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { useLiveOwnTasks } from "../live-tasks.ts";
import { myTasksQuery } from "../task-queries.ts";
import { BidsDialog } from "./bids-dialog.tsx";
import { arranged, GROUPS, OWN_SORTS, waitingFor } from "./own-tasks.ts";
import { DELETION, TaskRow } from "./task-row.tsx";

export { loader } from "./my-tasks-data.ts";

/** My Posted Tasks: a table on wide screens, cards on phones. */
export function Component() {
  useAsList("My Posted Tasks");
  const email = useAuth().user?.email ?? "";
  const tasks = useLoadedQuery(myTasksQuery(useApi(), email));
  useLiveOwnTasks(email);
  const { openTaskId, show, close } = useBidsInUrl();
  const announceDeletion = useAnnounceDeletion(tasks);
  const deletingIds = new Set(useSubmitting(DELETION));
  const [params] = useSearchParams();
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState("");
  const now = useNow();
  const remaining = tasks.filter((task) => !deletingIds.has(task._id));
  const groupOf = (task: Task) => waitingFor(task, now).group;
  const chosen = GROUPS.find(([group]) => group === params.get("show"))?.[0];
  // A row being deleted stays mounted but hidden, so that it can come back if the server refuses.
  const listed = arranged(tasks, { search, sort }).filter((task) => !chosen || groupOf(task) === chosen);
  const shown = listed.filter((task) => !deletingIds.has(task._id));
  const groups = GROUPS.map(([group, text]) => ({
    text,
    tasks: listed.filter((task) => groupOf(task) === group),
  }));
  const isGrouped = !sort && groups.filter(({ tasks }) => tasks.length > 0).length > 1;
  const numbered = (isGrouped ? groups.flatMap(({ tasks }) => tasks) : listed).filter((task) =>
    shown.includes(task),
  );

  return (
    <div className="space-y-6">
      <PageMeta title="My Posted Tasks" />
      <PageHeading
        title="My Posted Tasks"
        action={
          tasks.length > 0 && (
            <Link to={paths.addTask} className="btn btn-primary">
              Add Task
            </Link>
          )
        }
      />
      {remaining.length > 1 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <FilterLinks
            label="Tasks by what they wait for"
            param="show"
            options={GROUPS.map(([group, text]) => [
              group,
              text,
              remaining.filter((task) => groupOf(task) === group).length,
            ])}
            current={chosen}
          />
          <div className="flex min-w-0 grow flex-wrap gap-3 sm:max-w-md">
            <input
              type="search"
              aria-label="Search your tasks"
              placeholder="Search your tasks"
              className="input input-sm min-w-0 grow basis-40"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            <select
              aria-label="Sort your tasks"
              className="select select-sm w-auto max-w-full"
              value={sort}
              onChange={(event) => setSort(event.target.value)}
            >
              {OWN_SORTS.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </div>
        </div>
      )}
      {remaining.length > 0 && shown.length === 0 && (
        <StatePanel
          icon={<SearchX className="size-7" />}
          title="No such tasks"
          action={
            <Link to={{ search: "" }} className="btn btn-primary" onClick={() => setSearch("")}>
              Show all tasks
            </Link>
          }
        >
          None of your tasks matches what you have chosen.
        </StatePanel>
      )}
      {remaining.length === 0 && (
        <StatePanel
          icon={<ClipboardList className="size-7" />}
          title="No Tasks Available"
          action={
            <Link to="/addtask" className="btn btn-primary">
              Add Task Now
            </Link>
          }
        >
          You have not posted a task yet. It takes two minutes.
        </StatePanel>
      )}
      <div className={`card @container overflow-x-auto ${shown.length === 0 ? "hidden" : ""}`}>
        <table className="table block @2xl:table @2xl:[&_:is(th,td)]:px-2.5 @4xl:[&_:is(th,td)]:px-4">
          <thead className="@max-2xl:sr-only">
            <tr>
              <th scope="col" className="@max-2xl:hidden">
                No.
              </th>
              <th scope="col">Title</th>
              <th scope="col">Deadline</th>
              <th scope="col" className="text-right">
                Budget
              </th>
              <th scope="col">Status</th>
              <th scope="col">Action</th>
            </tr>
          </thead>
          {(isGrouped ? groups : [{ text: "", tasks: listed }]).map(({ text, tasks }) => (
            <tbody key={text} className="block @2xl:table-row-group">
              {text && tasks.some((task) => shown.includes(task)) && (
                <tr className="block @2xl:table-row">
                  <th
                    scope="rowgroup"
                    colSpan={6}
                    className="block bg-base-200 py-2 text-sm font-semibold @2xl:table-cell"
                  >
                    {text}
                  </th>
                </tr>
              )}
              {tasks.map((task) => (
                <TaskRow
                  key={task._id}
                  task={task}
                  number={numbered.indexOf(task) + 1}
                  hidden={deletingIds.has(task._id)}
                  onBids={() => show(task._id)}
                  onDelete={() => announceDeletion(task._id)}
                />
              ))}
            </tbody>
          ))}
        </table>
      </div>
      <BidsDialog taskId={openTaskId} task={tasks.find((task) => task._id === openTaskId)} onClose={close} />
    </div>
  );
}

/** Shows "Deleted!" once a task has left the list. The page does this because the row may be unmounted by then. */
function useAnnounceDeletion(tasks: Task[]): (id: string) => void {
  const pending = useRef(new Set<string>());
  useEffect(() => {
    for (const id of pending.current) {
      if (tasks.some((task) => task._id === id)) continue;
      pending.current.delete(id);
      void showSuccess("Deleted!", "Your task has been deleted.");
    }
  }, [tasks]);
  return (id) => pending.current.add(id);
}

/** `?bids=<task id>` opens a task's bids, so that notifications can link to them and Back closes them. */
function useBidsInUrl() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const here = useLocation();
  const isPushed = (here.state as { bidsPushed?: unknown } | null)?.bidsPushed === true;
  // Closed at once, even if the list reloads before the URL follows: otherwise it could not be opened again meanwhile.
  const [closedAt, setClosedAt] = useState<typeof here>();
  const openTaskId = here === closedAt ? null : params.get("bids");
  return {
    openTaskId,
    show: (id: string) => {
      // While the URL of a closed dialog is still being replaced, this replaces it instead.
      const replace = here === closedAt && !isPushed;
      const state = { bidsPushed: !replace };
      const search = new URLSearchParams(params);
      search.set("bids", id);
      void navigate({ search: String(search) }, { replace, state, preventScrollReset: true });
    },
    close: () => {
      if (!openTaskId) return;
      setClosedAt(here);
      if (isPushed) void navigate(-1);
      else {
        const search = new URLSearchParams(params);
        search.delete("bids");
        void navigate({ search: String(search) }, { replace: true, preventScrollReset: true });
      }
    },
  };
}

import type { Task } from "@tasklane/server/contract";
import { ClipboardList, SearchX } from "lucide-react";
import { useState } from "react";
import { Link, type LoaderFunctionArgs, useNavigationType, useSearchParams } from "react-router-dom";
import { sessionOf, useAuth } from "../../../auth/session.tsx";
import { paths } from "../../../lib/paths.ts";
import { loadQuery, useLoadedQuery } from "../../../lib/queries.tsx";
import { CARD_ROWS, CardTable } from "../../../ui/card-table.tsx";
import { Options } from "../../../ui/choice.tsx";
import { FilterLinks } from "../../../ui/filter-links.tsx";
import { useAsList } from "../../../ui/last-list.ts";
import { useNow } from "../../../ui/now.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useLiveOwnTasks } from "../live-tasks.ts";
import { myTasksQuery } from "../task-queries.ts";
import { BidsDialog, useBidsInUrl } from "./bids-dialog.tsx";
import { arranged, GROUPS, OWN_SORTS, TaskRow, waitingFor } from "./task-row.tsx";
import { useDeletion } from "./use-deletion.ts";

/** Loads the signed-in user's own tasks. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const user = await sessionOf(args).ready();
  await loadQuery(args, myTasksQuery(user?.email ?? ""));
  return null;
}

/** My Posted Tasks: a table on wide screens, cards on phones. */
export function Component() {
  useAsList("My Posted Tasks");
  const email = useAuth().user?.email ?? "";
  const tasks = useLoadedQuery(myTasksQuery(email));
  useLiveOwnTasks();
  const { openTaskId, show, close } = useBidsInUrl();
  const { deleting, remove } = useDeletion();
  const [params, setParams] = useSearchParams();
  // Also in the URL, where Back finds it again.
  const [view, setView] = useState(() => viewIn(params));
  const inUrl = JSON.stringify(viewIn(params));
  const [lastInUrl, setLastInUrl] = useState(inUrl);
  // Own changes replace, and are shown before they are in the URL.
  const isOwnChange = useNavigationType() === "REPLACE";
  if (inUrl !== lastInUrl) {
    setLastInUrl(inUrl);
    if (!isOwnChange) setView(viewIn(params));
  }
  const arrange = (change: Partial<typeof EVERYTHING>) => {
    const next = { ...view, ...change };
    setView(next);
    for (const [name, value] of Object.entries(next)) {
      if (value) params.set(name, value);
      else params.delete(name);
    }
    setParams(params, { replace: true, preventScrollReset: true });
  };
  const now = useNow();
  const remaining = tasks.filter(({ _id }) => !deleting.includes(_id));
  const groupOf = (task: Task) => waitingFor(task, now).group;
  const chosen = GROUPS.find(([group]) => group === params.get("show"))?.[0];
  const listed = arranged(remaining, view).filter((task) => !chosen || groupOf(task) === chosen);
  const grouped = GROUPS.map(([group, text]) => ({
    text,
    tasks: listed.filter((task) => groupOf(task) === group),
  })).filter(({ tasks }) => tasks.length > 0);
  const groups = !view.sort && grouped.length > 1 ? grouped : [{ text: "", tasks: listed }];
  const numbered = groups.flatMap(({ tasks }) => tasks);

  return (
    <div className="space-y-6">
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
              value={view.search}
              onChange={({ target }) => arrange({ search: target.value })}
            />
            <select
              aria-label="Sort your tasks"
              className="select select-sm w-auto max-w-full"
              value={view.sort}
              onChange={({ target }) => arrange({ sort: target.value })}
            >
              <Options options={OWN_SORTS} />
            </select>
          </div>
        </div>
      )}
      {remaining.length === 0 ? (
        <StatePanel
          icon={<ClipboardList />}
          title="No Tasks Available"
          link={{ to: "/addtask", text: "Add Task Now" }}
        >
          You have not posted a task yet. It takes two minutes.
        </StatePanel>
      ) : (
        numbered.length === 0 && (
          <StatePanel
            icon={<SearchX />}
            title="No such tasks"
            action={
              <Link to={{ search: "" }} className="btn btn-primary" onClick={() => setView(EVERYTHING)}>
                Show all tasks
              </Link>
            }
          >
            None of your tasks matches what you have chosen.
          </StatePanel>
        )
      )}
      {numbered.length > 0 && (
        <CardTable columns={COLUMNS}>
          {groups.map(({ text, tasks }) => (
            <tbody key={text} className={CARD_ROWS}>
              {text && (
                <tr className="block @2xl:table-row">
                  <th
                    scope="rowgroup"
                    colSpan={COLUMNS.length}
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
                  onBids={() => show(task._id)}
                  onDelete={() => void remove(task)}
                />
              ))}
            </tbody>
          ))}
        </CardTable>
      )}
      <BidsDialog taskId={openTaskId} task={tasks.find((task) => task._id === openTaskId)} onClose={close} />
    </div>
  );
}

const EVERYTHING = { search: "", sort: "" };

/** Search and order in the URL. */
function viewIn(params: URLSearchParams): typeof EVERYTHING {
  const sort = OWN_SORTS.find(([sort]) => sort === params.get("sort"))?.[0] ?? "";
  return { search: params.get("search") ?? "", sort };
}

const COLUMNS = [
  ["No.", "@max-2xl:hidden"],
  ["Title"],
  ["Deadline"],
  ["Budget", "text-right"],
  ["Status"],
  ["Action"],
] as const;

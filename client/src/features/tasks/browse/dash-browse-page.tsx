import { Link } from "react-router-dom";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useAsList } from "../../../ui/last-list.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { HeartSlot } from "../../../ui/task-heart.tsx";
import { useListUpdate } from "../../../ui/use-list-update.ts";
import { TaskStateBadge } from "../task-state-badge.tsx";
import { useBrowseData } from "./browse-data.ts";
import { MoreTasks, NoTasks, ResultLine } from "./browse-results.tsx";
import { FilterBar } from "./filter-bar.tsx";

export { loader } from "./browse-data.ts";

/** The dashboard's Browse page: tasks as a table, as cards on phones. */
export function Component() {
  useAsList("Browse Tasks");
  const data = useBrowseData();
  const stale = useListUpdate();
  // A status column is pointless while only open tasks are listed.
  const showsStates = data.state.state === "all";
  return (
    <div className="space-y-6">
      <PageMeta title="Browse Tasks" />
      <PageHeading title="Browse Tasks" />
      <FilterBar {...data}>
        <ResultLine {...data} />
      </FilterBar>
      {data.items.length === 0 ? (
        <NoTasks {...data} />
      ) : (
        <div
          aria-busy={stale}
          className={`card @container overflow-x-auto transition-opacity ${stale ? "opacity-60" : ""}`}
        >
          <table className="table block @2xl:table @2xl:[&_th]:px-2.5 @4xl:[&_th]:px-4">
            <thead className="@max-2xl:sr-only">
              <tr>
                <th scope="col" className="@max-2xl:hidden">
                  No.
                </th>
                <th scope="col">Title</th>
                <th scope="col">Category</th>
                <th scope="col">Deadline</th>
                {showsStates && <th scope="col">Status</th>}
                <th scope="col" className="text-right">
                  Budget
                </th>
                <th scope="col">Action</th>
              </tr>
            </thead>
            <tbody className="block @2xl:table-row-group">
              {data.items.map((task, index) => (
                <tr
                  key={task._id}
                  className="grid grid-cols-[minmax(0,1fr)_auto] @max-3xs:grid-cols-1 gap-x-4 gap-y-1 border-b border-base-300 p-4 @max-2xl:*:border-0 last:border-0 @2xl:table-row @2xl:p-0"
                >
                  <td className="hidden tabular-nums @2xl:table-cell">{index + 1}</td>
                  <th
                    scope="row"
                    className="col-span-full p-0 text-base font-medium @2xl:px-2.5 @4xl:px-4 @2xl:py-3 @2xl:text-sm"
                  >
                    <span dir="auto" className="block wrap-anywhere @2xl:min-w-36">
                      {task.title}
                    </span>
                  </th>
                  <td className="p-0 @2xl:px-2.5 @4xl:px-4 @2xl:py-3 @4xl:whitespace-nowrap">
                    {task.category}
                  </td>
                  <td className="p-0 text-right @2xl:px-2.5 @4xl:px-4 @2xl:py-3 @2xl:text-left @2xl:whitespace-nowrap">
                    {formatDate(task.deadline)}
                  </td>
                  {showsStates && (
                    <td className="p-0 @2xl:px-2.5 @4xl:px-4 @2xl:py-3">
                      <TaskStateBadge task={task} />
                    </td>
                  )}
                  <td
                    className={`p-0 text-right font-semibold tabular-nums @2xl:px-2.5 @4xl:px-4 @2xl:py-3 ${showsStates ? "" : "@max-2xl:text-left"}`}
                  >
                    {formatUsd(task.budget)}
                  </td>
                  <td
                    className={`p-0 text-right @2xl:px-2.5 @4xl:px-4 @2xl:py-3 @2xl:text-left @2xl:whitespace-nowrap ${showsStates ? "col-span-full" : ""}`}
                  >
                    <span className="inline-flex items-center gap-2 align-middle">
                      <Link
                        to={paths.dashTask(task._id)}
                        className="link py-1 link-primary"
                        aria-label={`See more of ${task.title}`}
                      >
                        See More
                      </Link>
                      <HeartSlot task={task} />
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <MoreTasks {...data} />
    </div>
  );
}

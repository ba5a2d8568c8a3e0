import { Link, useLoaderData } from "react-router-dom";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { PageMeta } from "../../../ui/page-meta.tsx";
import type { BrowseData } from "../browse/data.ts";
import { FilterBar } from "../browse/filter-bar.tsx";
import { LoadMore } from "../browse/load-more.tsx";
import { NoTasks } from "../browse/no-tasks.tsx";
import { ResultLine } from "../browse/result-line.tsx";
import { TaskStateMark } from "../task-state-mark.tsx";

/** SPEC section 2, Browse screens: the dashboard version, as a table (cards on phones). */
export function Component() {
  const data = useLoaderData<BrowseData>();
  return (
    <div className="space-y-6">
      <PageMeta title="Browse Tasks" />
      <PageHeading title="Browse Tasks" />
      <FilterBar state={data.state} />
      <ResultLine {...data} />
      {data.tasks.length === 0 ? (
        <NoTasks {...data} />
      ) : (
        <div className="surface overflow-hidden">
          <table className="table block md:table md:[&_th]:px-2.5 xl:[&_th]:px-4">
            <thead className="hidden md:table-header-group">
              <tr>
                <th scope="col">No.</th>
                <th scope="col">Title</th>
                <th scope="col">Category</th>
                <th scope="col">Deadline</th>
                <th scope="col">State</th>
                <th scope="col" className="text-right">
                  Budget
                </th>
                <th scope="col">Action</th>
              </tr>
            </thead>
            <tbody className="block md:table-row-group">
              {data.tasks.map((task, index) => (
                <tr
                  key={task._id}
                  className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-b border-base-300 p-4 max-md:*:border-0 last:border-0 md:table-row md:p-0"
                >
                  <td className="hidden tabular-nums md:table-cell">{index + 1}</td>
                  <td className="col-span-2 p-0 text-base font-medium md:table-cell md:px-2.5 xl:px-4 md:py-3 md:text-sm">
                    {task.title}
                  </td>
                  <td className="p-0 md:px-2.5 xl:px-4 md:py-3">{task.category}</td>
                  <td className="p-0 text-right md:px-2.5 xl:px-4 md:py-3 md:text-left md:whitespace-nowrap">
                    {formatDate(task.deadline)}
                  </td>
                  <td className="p-0 md:px-2.5 xl:px-4 md:py-3">
                    <TaskStateMark task={task} />
                  </td>
                  <td className="p-0 text-right font-semibold tabular-nums md:px-2.5 xl:px-4 md:py-3">
                    {formatUsd(task.budget)}
                  </td>
                  <td className="col-span-2 p-0 text-right md:px-2.5 xl:px-4 md:py-3 md:text-left md:whitespace-nowrap">
                    <Link
                      to={paths.dashTask(task._id)}
                      className="link link-primary"
                      aria-label={`See more of ${task.title}`}
                    >
                      See More
                    </Link>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <LoadMore {...data} />
    </div>
  );
}

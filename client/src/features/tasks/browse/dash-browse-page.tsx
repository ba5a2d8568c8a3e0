import { Link } from "react-router-dom";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { CARD_ROW, CARD_ROWS, CardTable } from "../../../ui/card-table.tsx";
import { useAsList } from "../../../ui/last-list.ts";
import { useListUpdate } from "../../../ui/lists.tsx";
import { PageHeading } from "../../../ui/page-head.tsx";
import { HeartSlot } from "../../../ui/task-heart.tsx";
import { TaskStateBadge } from "../task-state-badge.tsx";
import { BrowseResults, useBrowseData } from "./browse-page.tsx";

export { loader } from "./browse-page.tsx";

/** The dashboard's Browse page: tasks as a table, as cards on phones. */
export function Component() {
  useAsList("Browse Tasks");
  const data = useBrowseData();
  const stale = useListUpdate();
  // A status column is pointless while only open tasks are listed.
  const showsStates = data.state.state === "all";
  return (
    <div className="space-y-6">
      <PageHeading title="Browse Tasks" />
      <BrowseResults list={data}>
        <CardTable
          isStale={stale}
          columns={[
            ["No.", "@max-2xl:hidden"],
            ["Title"],
            ["Category"],
            ["Deadline"],
            ...(showsStates ? [["Status"] as const] : []),
            ["Budget", "text-right"],
            ["Action"],
          ]}
        >
          <tbody className={CARD_ROWS}>
            {data.items.map((task, index) => (
              <tr key={task._id} className={CARD_ROW}>
                <td className="hidden tabular-nums @2xl:table-cell">{index + 1}</td>
                <th scope="row" className="col-span-full text-base font-medium @2xl:text-sm">
                  <span dir="auto" className="block wrap-anywhere @2xl:min-w-36">
                    {task.title}
                  </span>
                </th>
                <td className="@4xl:whitespace-nowrap">{task.category}</td>
                <td className="text-right @2xl:text-left @2xl:whitespace-nowrap">
                  {formatDate(task.deadline)}
                </td>
                {showsStates && (
                  <td>
                    <TaskStateBadge task={task} />
                  </td>
                )}
                <td
                  className={`text-right font-semibold tabular-nums ${showsStates ? "" : "@max-2xl:text-left"}`}
                >
                  {formatUsd(task.budget)}
                </td>
                <td
                  className={`text-right @2xl:text-left @2xl:whitespace-nowrap ${showsStates ? "col-span-full" : ""}`}
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
        </CardTable>
      </BrowseResults>
    </div>
  );
}

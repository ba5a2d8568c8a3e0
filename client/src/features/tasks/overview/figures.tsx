import { type Overview, TASK_STATES, type TaskState } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { formatDate, plural } from "../../../lib/format.ts";
import { lazyModule } from "../../../ui/lazy-module.ts";
import { ReloadButton } from "../../../ui/retry-buttons.tsx";

// The chart library is the largest part of the dashboard; the figures are readable without it.
const useCharts = lazyModule(() => import("./charts.tsx"));
type Charts = NonNullable<ReturnType<typeof useCharts>>;

const STATE_WORDS: Record<TaskState, string> = {
  open: "Open",
  awarded: "Awarded",
  completed: "Completed",
  cancelled: "Cancelled",
  expired: "Expired",
};

/** Bids over time and my tasks by state: as a sentence, as a chart, and as a table with the same figures. */
export function Figures({ overview }: { overview: Overview }) {
  const { bidsByDay } = overview;
  const received = bidsByDay.reduce((sum, day) => sum + day.received, 0);
  const placed = bidsByDay.reduce((sum, day) => sum + day.placed, 0);
  const states = TASK_STATES.map((state) => ({
    name: STATE_WORDS[state],
    count: overview.tasksByState[state] ?? 0,
  }));
  const tasks = states.reduce((sum, { count }) => sum + count, 0);
  const told = states
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name.toLowerCase()}`);
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-5">
      <Figure
        title="Bids over time"
        summary={`${plural(received, "bid")} received and ${placed.toLocaleString("en-US")} placed in the last ${plural(bidsByDay.length, "day")}.`}
        chart={received + placed > 0 && (({ BidsChart }) => <BidsChart days={bidsByDay} />)}
        head={["Day", "Received", "Placed"]}
        rows={bidsByDay.map(({ date, received, placed }) => [formatDate(date), received, placed])}
      />
      <Figure
        title="My tasks by state"
        summary={
          tasks === 0 ? "You have not posted a task yet." : `${plural(tasks, "task")}: ${told.join(", ")}.`
        }
        chart={tasks > 0 && (({ StatesChart }) => <StatesChart states={states} />)}
        head={["State", "Tasks"]}
        rows={states.map(({ name, count }) => [name, count])}
      />
    </div>
  );
}

type FigureProps = {
  title: string;
  summary: string;
  /** False where there is nothing to draw. */
  chart: false | ((charts: Charts) => ReactNode);
  head: string[];
  rows: [string, ...number[]][];
};

function Figure({ title, summary, chart, head, rows }: FigureProps) {
  return (
    <section aria-label={title} className="card card-body min-w-0 gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="quiet text-sm">{summary}</p>
      {chart && <Chart draw={chart} />}
      <details className="mt-auto text-sm">
        <summary className="cursor-pointer font-medium">The figures as a table</summary>
        <div className="mt-2 overflow-x-auto">
          <table className="table-sm table">
            <thead>
              <tr>
                {head.map((name, column) => (
                  <th key={name} scope="col" className={column > 0 ? "text-right" : ""}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...values]) => (
                <tr key={name}>
                  <th scope="row" className="font-normal">
                    {name}
                  </th>
                  {values.map((value, column) => (
                    <td key={head[column + 1]} className="text-right tabular-nums">
                      {value.toLocaleString("en-US")}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

function Chart({ draw }: { draw: (charts: Charts) => ReactNode }) {
  const charts = useCharts();
  if (charts) return draw(charts);
  if (charts === undefined) return <div className="skeleton h-56" aria-hidden="true" />;
  return (
    <div className="quiet flex flex-wrap items-center gap-3 text-sm">
      The chart did not load. The table has its figures.
      <ReloadButton className="btn btn-outline btn-sm" />
    </div>
  );
}

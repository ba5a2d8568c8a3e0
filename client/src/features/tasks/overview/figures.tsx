import { type Overview, TASK_STATES } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { formatMonth, formatUsd, plural } from "../../../lib/format.ts";
import { Fact } from "../../../ui/fact.tsx";
import { taskStateWord } from "../task-state-badge.tsx";
import { BAR, BidsChart, BidsTable, SERIES, total } from "./bids-chart.tsx";

/** With fewer points a chart says no more than the sentence above it. */
const MIN_POINTS = 5;

/** Bids over time, tasks by state and earnings, each as a sentence and a chart; empty ones are left out. */
export function Figures({ overview }: { overview: Overview }) {
  const { bidsByDay } = overview;
  const [received = 0, placed = 0] = SERIES.map(({ key }) => total(bidsByDay, key));
  const states = TASK_STATES.map((state) => ({
    name: taskStateWord(state),
    count: overview.tasksByState[state],
  })).filter(({ count }) => count > 0);
  const bids = `${plural(received, "bid")} received and ${placed.toLocaleString("en-US")} placed in the last ${plural(bidsByDay.length, "day")}.`;
  const counts = states.map(({ name, count }) => `${count} ${name.toLowerCase()}`).join(", ");
  const tasks = `${plural(overview.myTasks, "task")}: ${counts}.`;
  return (
    <>
      {received + placed > 0 && (
        <Figure title="Bids over time" summary={bids}>
          {bidsByDay.filter((day) => day.received + day.placed > 0).length >= MIN_POINTS && (
            <BidsChart days={bidsByDay} label={bids} />
          )}
          <BidsTable days={bidsByDay} />
        </Figure>
      )}
      {states.length > 0 && (
        <Figure title="My tasks by status" summary={tasks}>
          {overview.myTasks >= MIN_POINTS && (
            <div
              role="img"
              aria-label={tasks}
              className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3 text-sm"
            >
              {states.map(({ name, count }) => (
                <div key={name} className="col-span-2 grid grid-cols-subgrid items-center">
                  <span>{name}</span>
                  <span className="flex items-center gap-2">
                    <span
                      className={`${BAR} h-5 min-w-1 rounded-sm bg-primary`}
                      style={{ width: `${(85 * count) / Math.max(...states.map((state) => state.count))}%` }}
                    />
                    <span className="font-semibold tabular-nums">{count.toLocaleString("en-US")}</span>
                  </span>
                </div>
              ))}
            </div>
          )}
        </Figure>
      )}
      <EarningsFigure months={overview.earnings} />
      <PaymentsFigure payments={overview.payments} />
    </>
  );
}

/** A titled card with a one-sentence summary and what it is about. */
export function Figure({
  title,
  summary,
  children,
}: {
  title: string;
  summary: string;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="card card-body min-w-0 gap-4">
      <div className="space-y-1">
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="quiet text-sm">{summary}</p>
      </div>
      {children}
    </section>
  );
}

type Months = Overview["earnings"];

const sumOf = (months: Months, key: "agreed" | "completed") =>
  Math.round(months.reduce((sum, month) => sum + month[key], 0) * 100) / 100;

/** What has been paid for accepted work, and what has not; renders nothing without any. */
function PaymentsFigure({ payments }: Pick<Overview, "payments">) {
  const sums = [
    ["Received", payments.received],
    ["Still to receive", payments.expected],
    ["Paid", payments.paid],
    ["Still to pay", payments.owed],
  ] as const;
  const shown = sums.filter(([, sum]) => sum > 0);
  if (shown.length === 0) return null;
  return (
    <Figure
      title="Payments"
      summary="For completed tasks and accepted milestones, as the two sides have recorded them. No money moves here."
    >
      <dl className="grid fit-columns gap-4">
        {shown.map(([name, sum]) => (
          <Fact key={name} name={name}>
            <span className="tabular-nums">{formatUsd(sum)}</span>
          </Fact>
        ))}
      </dl>
    </Figure>
  );
}

/** Monthly earnings, starting with the first month that has any; renders nothing if there are none. */
function EarningsFigure({ months }: { months: Months }) {
  const shown = months.slice(months.findIndex(({ agreed }) => agreed > 0));
  const agreed = sumOf(months, "agreed");
  if (agreed === 0) return null;
  const highest = Math.max(...shown.map((month) => month.agreed));
  const summary = `${formatUsd(agreed)} agreed in the last ${months.length} months, ${formatUsd(sumOf(months, "completed"))} of it completed.`;
  return (
    <Figure title="Earnings agreed" summary={summary}>
      <dl className="grid gap-3 text-sm">
        {shown.map(({ month, agreed, completed }) => (
          <div key={month} className="flex flex-wrap justify-between gap-x-3 wrap-anywhere">
            <dt>{formatMonth(`${month}-01`)}</dt>
            <dd className="tabular-nums">
              <span className="font-semibold">{formatUsd(agreed)}</span> agreed, {formatUsd(completed)}{" "}
              completed
            </dd>
            <dd aria-hidden="true" className="mt-1 basis-full">
              <span
                className={`${BAR} block h-2 rounded-sm bg-primary`}
                style={{ width: `${(100 * agreed) / highest}%` }}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Figure>
  );
}

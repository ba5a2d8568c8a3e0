import type { Overview } from "@tasklane/server/contract";
import { formatDate } from "../../../lib/format.ts";

/** In forced-colors mode all bars would otherwise take the page's background color. */
export const BAR = "forced-color-adjust-none";

// The series differ by pattern too, not only by color.
export const SERIES = [
  { key: "received", name: "Received", look: `${BAR} bg-primary` },
  {
    key: "placed",
    name: "Placed",
    look: `${BAR} border border-warning bg-[repeating-linear-gradient(45deg,var(--color-warning)_0_2px,transparent_2px_5px)]`,
  },
] as const;

type Days = Overview["bidsByDay"];

export function total(days: Days, key: "received" | "placed"): number {
  return days.reduce((sum, day) => sum + day[key], 0);
}

/** One bar per day, received bids below placed ones. Single days are in tooltips, and in the table below the chart. */
export function BidsChart({ days, label }: { days: Days; label: string }) {
  const series = SERIES.filter(({ key }) => total(days, key) > 0);
  const highest = Math.max(...days.map(({ received, placed }) => received + placed));
  // Even, so that the middle grid line is a whole number.
  const top = Math.ceil(highest / 2) * 2;
  return (
    <div role="img" aria-label={label} className="space-y-2 text-xs tabular-nums">
      <div className="flex gap-2">
        <div className="quiet flex flex-col justify-between text-right leading-none">
          {[top, top / 2, 0].map((line) => (
            <span key={line}>{line.toLocaleString("en-US")}</span>
          ))}
        </div>
        <div className="my-1.5 flex h-44 grow items-end bg-[linear-gradient(var(--color-base-300)_1px,transparent_1px),linear-gradient(var(--color-base-300)_1px,transparent_1px)] bg-size-[100%_50%] border-b border-base-content/60">
          {days.map((day) => (
            <div
              key={day.date}
              className="flex h-full min-w-0 flex-1 flex-col-reverse items-center hover:bg-base-content/8"
              data-tooltip-content={`${formatDate(day.date)}: ${series.map(({ key, name }) => `${day[key]} ${name.toLowerCase()}`).join(", ")}`}
            >
              {series.map(({ key, look }) => (
                <div
                  key={key}
                  className={`w-4/5 ${look}`}
                  style={{ height: `${(100 * day[key]) / top}%` }}
                  hidden={day[key] === 0}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div className="quiet flex justify-between pl-6">
        {["start", "middle", "end"].map((place, index) => {
          const day = days[Math.floor(((days.length - 1) * index) / 2)];
          return <span key={place}>{day && formatDate(day.date).replace(/, \d+$/, "")}</span>;
        })}
      </div>
      <div className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {series.map(({ name, look }) => (
          <span key={name} className="flex items-center gap-2">
            <span className={`size-3.5 ${look}`} />
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}

export function BidsTable({ days }: { days: Days }) {
  return (
    <details className="mt-auto text-sm">
      <summary className="cursor-pointer py-0.5 font-medium">Show as a table</summary>
      <div className="mt-2 overflow-x-auto">
        <table className="table-sm table">
          <thead>
            <tr>
              <th scope="col">Day</th>
              {SERIES.map(({ key, name }) => (
                <th key={key} scope="col" className="text-right">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.date}>
                <th scope="row" className="font-normal">
                  {formatDate(day.date)}
                </th>
                {SERIES.map(({ key }) => (
                  <td key={key} className="text-right tabular-nums">
                    {day[key].toLocaleString("en-US")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

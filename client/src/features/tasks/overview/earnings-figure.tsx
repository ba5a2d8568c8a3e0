import type { Overview } from "@tasklane/server/contract";
import { formatUsd } from "../../../lib/format.ts";
import { BAR, Figure } from "./figure.tsx";

const MONTH = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long", timeZone: "UTC" });

type Months = Overview["earnings"];

const total = (months: Months, key: "agreed" | "completed") =>
  Math.round(months.reduce((sum, month) => sum + month[key], 0) * 100) / 100;

/** What was agreed with clients, month by month from the first one with something in it; nothing before that. */
export function EarningsFigure({ months }: { months: Months }) {
  const shown = months.slice(months.findIndex(({ agreed }) => agreed > 0));
  const agreed = total(months, "agreed");
  if (agreed === 0) return null;
  const highest = Math.max(...shown.map((month) => month.agreed));
  const summary = `${formatUsd(agreed)} agreed in the last ${months.length} months, ${formatUsd(total(months, "completed"))} of it completed.`;
  return (
    <Figure title="Earnings agreed" summary={summary}>
      <div className="overflow-x-auto">
        <table className="table table-sm [&_:is(th,td)]:px-0 [&_:is(th,td):not(:first-child)]:pl-3">
          <thead>
            <tr>
              <th scope="col">Month</th>
              <th scope="col" className="text-right">
                Agreed
              </th>
              <th scope="col" className="text-right">
                Completed
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ month, agreed, completed }) => (
              <tr key={month}>
                <th scope="row" className="w-1/2 font-normal">
                  {MONTH.format(new Date(`${month}-01`))}
                  <span
                    aria-hidden="true"
                    className={`${BAR} mt-1 block h-2 rounded-sm bg-primary`}
                    style={{ width: `${(100 * agreed) / highest}%` }}
                  />
                </th>
                <td className="text-right font-semibold tabular-nums">{formatUsd(agreed)}</td>
                <td className="text-right tabular-nums">{formatUsd(completed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Figure>
  );
}

import type { Overview } from "@tasklane/server/contract";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatDate } from "../../../lib/format.ts";

// Colours come from the theme, and series also differ by pattern and words.
const INK = "color-mix(in oklab, var(--color-base-content) 74%, var(--color-base-100))";
const TICK = { fill: INK, fontSize: 12 };
const TOOLTIP = {
  background: "var(--color-base-100)",
  border: "1px solid var(--color-base-300)",
  borderRadius: "var(--radius-field)",
  color: "var(--color-base-content)",
};
const HEIGHT = 224;
// Before the page has been measured.
const FIRST_SIZE = { width: 320, height: HEIGHT };

/** Bids received and placed, day by day. Arrow keys move through the days. */
export function BidsChart({ days }: { days: Overview["bidsByDay"] }) {
  return (
    <div className="space-y-2">
      <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={FIRST_SIZE}>
        <BarChart
          data={days}
          title="Bids received and placed by day"
          barCategoryGap="15%"
          margin={{ left: -28, right: 4, top: 8 }}
        >
          <defs>
            <pattern
              id="placed-bids"
              width="5"
              height="5"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="5" height="5" fill="var(--color-base-100)" />
              <rect width="2.5" height="5" fill="var(--color-warning)" />
            </pattern>
          </defs>
          <CartesianGrid vertical={false} stroke="var(--color-base-300)" />
          <XAxis
            dataKey="date"
            tickFormatter={shortDay}
            tick={TICK}
            tickLine={false}
            stroke={INK}
            minTickGap={24}
          />
          <YAxis allowDecimals={false} tick={TICK} tickLine={false} axisLine={false} />
          <Tooltip
            contentStyle={TOOLTIP}
            itemStyle={{ color: "inherit" }}
            cursor={{ fill: "var(--color-base-200)" }}
            labelFormatter={(date) => formatDate(String(date))}
          />
          <Bar
            dataKey="received"
            name="Received"
            fill="var(--color-primary)"
            stackId="bids"
            isAnimationActive={false}
          />
          <Bar
            dataKey="placed"
            name="Placed"
            stackId="bids"
            fill="url(#placed-bids)"
            stroke="var(--color-warning)"
            isAnimationActive={false}
          />
        </BarChart>
      </ResponsiveContainer>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <li className="flex items-center gap-2">
          <span aria-hidden="true" className="size-3.5 bg-primary" />
          Received
        </li>
        <li className="flex items-center gap-2">
          <svg aria-hidden="true" className="size-3.5">
            <rect width="14" height="14" fill="url(#placed-bids)" stroke="var(--color-warning)" />
          </svg>
          Placed
        </li>
      </ul>
    </div>
  );
}

type NamedCount = { name: string; count: number };

/** How many tasks are in each state, each bar with its word and its figure. */
export function StatesChart({ states }: { states: NamedCount[] }) {
  return (
    <ResponsiveContainer width="100%" height={HEIGHT} initialDimension={FIRST_SIZE}>
      <BarChart data={states} layout="vertical" title="My tasks by state" margin={{ right: 8, top: 8 }}>
        <XAxis type="number" hide allowDecimals={false} />
        <YAxis
          type="category"
          dataKey={({ name, count }: NamedCount) => `${name} ${count}`}
          width={104}
          tick={{ ...TICK, fontSize: 13 }}
          tickLine={false}
          axisLine={false}
        />
        <Tooltip
          contentStyle={TOOLTIP}
          itemStyle={{ color: "inherit" }}
          cursor={{ fill: "var(--color-base-200)" }}
        />
        <Bar
          dataKey="count"
          name="Tasks"
          fill="var(--color-primary)"
          radius={4}
          barSize={20}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

function shortDay(date: string): string {
  return formatDate(date).replace(/, \d+$/, "");
}

import { addDays, calendarDate } from "@tasklane/server/contract";
import { plural } from "../../lib/format.ts";

const RELATIVE = new Intl.RelativeTimeFormat("en-US");
const MINUTE_MS = 60_000;

/** When the next day of bids begins (midnight UTC), as people say it: `in 5 hours`. */
function untilTomorrow(now: Date): string {
  const minutes = Math.ceil((Date.parse(addDays(calendarDate(now), 1)) - now.getTime()) / MINUTE_MS);
  return minutes < 120
    ? RELATIVE.format(minutes, "minute")
    : RELATIVE.format(Math.round(minutes / 60), "hour");
}

/** That no bid is left of those that one day allows, and when the next ones are possible. */
export function limitReached(now = new Date()): string {
  return `You have placed as many bids as one day allows. You can bid again ${untilTomorrow(now)}.`;
}

/** How many bids somebody can place today, where that is few. */
export function BidsLeft({ left }: { left: number | undefined }) {
  if (left === undefined) return null;
  return (
    <p className="text-sm font-medium">
      {left === 0 ? limitReached() : `You can place ${plural(left, "more bid")} today.`}
    </p>
  );
}

import { addDays, calendarDate } from "@tasklane/server/contract";
import { serverTime } from "./clock.ts";

const RELATIVE = new Intl.RelativeTimeFormat("en-US");
const MINUTE_MS = 60_000;

/** Time until the daily limits of bids and tasks reset at midnight UTC, such as `in 5 hours`. */
export function untilTomorrow(now = serverTime()): string {
  const minutes = Math.ceil((Date.parse(addDays(calendarDate(now), 1)) - now.getTime()) / MINUTE_MS);
  return minutes < 120
    ? RELATIVE.format(minutes, "minute")
    : RELATIVE.format(Math.round(minutes / 60), "hour");
}

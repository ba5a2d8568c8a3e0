const RELATIVE = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
const DAY = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "short", day: "numeric" });
const MONTH = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long" });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An ISO instant as people say it: `just now`, `5 minutes ago`, `yesterday`, and after a week `Mar 31, 2027`. */
export function formatWhen(instant: string, now: Date = new Date()): string {
  const then = new Date(instant);
  const ago = now.getTime() - then.getTime();
  if (ago < MINUTE) return "just now";
  if (ago < HOUR) return RELATIVE.format(-Math.floor(ago / MINUTE), "minute");
  if (ago < 24 * HOUR) return RELATIVE.format(-Math.floor(ago / HOUR), "hour");
  if (ago < 7 * 24 * HOUR) return RELATIVE.format(-Math.floor(ago / (24 * HOUR)), "day");
  return DAY.format(then);
}

/** `March 2027`, of an ISO instant. */
export function formatMonth(instant: string): string {
  return MONTH.format(new Date(instant));
}

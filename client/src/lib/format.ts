import { addDays, type CalendarDate, calendarDate, formatDate } from "@tasklane/server/contract";
import { serverTime } from "./clock.ts";

export { formatDate };

const USD = { style: "currency", currency: "USD" } as const;
const CENTS = new Intl.NumberFormat("en-US", USD);
// `trailingZeroDisplay` would need only one format, but Firefox supports it only since 116.
const DOLLARS = new Intl.NumberFormat("en-US", { ...USD, maximumFractionDigits: 0 });

/** US dollars, with cents only if not zero: `$1,200` or `$19.50`. */
export function formatUsd(usd: number): string {
  return (Number.isInteger(usd) ? DOLLARS : CENTS).format(usd);
}

/** An average of stars: `4.4` for 4.46, as filters by rating count it. */
export function formatStars(average: number): string {
  return (Math.floor(average * 10) / 10).toFixed(1);
}

/** A file's size: `820 bytes`, `14 kB` or `2.5 MB`, with 1,000 bytes to a kB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return plural(bytes, "byte");
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The first `max` characters (code points); unlike `slice`, it never leaves half of a surrogate pair. */
export function firstCharacters(text: string, max: number): string {
  return [...text.slice(0, 2 * max)].slice(0, max).join("");
}

/** `1 bid`, `3 bids`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

const DAY_MS = 24 * 3_600_000;

/** Time until a deadline: `Last day`, `4 days left`, `5 months left`; null once its day (UTC) is over. */
export function formatTimeLeft(deadline: CalendarDate, now: Date = serverTime()): string | null {
  const days = (Date.parse(deadline) - Date.parse(calendarDate(now))) / DAY_MS;
  if (days < 0) return null;
  if (days < 1) return "Last day";
  if (days <= 90) return `${plural(days, "day")} left`;
  const months = Math.round(days / 30.44);
  return months < 24 ? `${months} months left` : `${Math.round(months / 12)} years left`;
}

const RELATIVE = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
/** Without "yesterday", which 47 hours ago was not. */
const ELAPSED = new Intl.RelativeTimeFormat("en-US");
const DAY = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "short", day: "numeric" });
const MONTH = new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long", timeZone: "UTC" });
const TIME = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit" });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * An ISO instant relative to now, the same in every time zone: `just now`, `5 minutes ago`, `2 days ago`, and after a
 * week `Mar 31, 2027` (UTC).
 */
export function formatWhen(instant: string, now: Date = serverTime()): string {
  const then = new Date(instant);
  const ago = now.getTime() - then.getTime();
  if (ago < MINUTE) return "just now";
  if (ago < HOUR) return RELATIVE.format(-Math.floor(ago / MINUTE), "minute");
  if (ago < DAY_MS) return RELATIVE.format(-Math.floor(ago / HOUR), "hour");
  return ago < 7 * DAY_MS ? ELAPSED.format(-Math.floor(ago / DAY_MS), "day") : formatDate(calendarDate(then));
}

/** How long ago a day (UTC) was: `today`, `yesterday`, `5 days ago`, and after a month `Mar 31, 2027`. */
export function formatDaysAgo(date: CalendarDate, now: Date = serverTime()): string {
  const days = Math.max(0, (Date.parse(calendarDate(now)) - Date.parse(date)) / DAY_MS);
  return days <= 30 ? RELATIVE.format(-days, "day") : formatDate(date);
}

/** `Mar 31, 2027`: an ISO instant's date in the reader's time zone. */
export function formatLocalDate(instant: string): string {
  return DAY.format(new Date(instant));
}

/** An ISO instant's day in the reader's time zone: `Today`, `Yesterday`, and before that `Mar 31, 2027`. */
export function formatRelativeDay(instant: string, now: Date = serverTime()): string {
  const day = DAY.format(new Date(instant));
  if (day === DAY.format(now)) return "Today";
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  return day === DAY.format(yesterday) ? "Yesterday" : day;
}

/** An ISO instant's time of day in the reader's time zone: `3:42 PM`. */
export function formatTime(instant: string): string {
  return TIME.format(new Date(instant));
}

/** An ISO instant's month (UTC): `March 2027`. */
export function formatMonth(instant: string): string {
  return MONTH.format(new Date(instant));
}

/** The current day (UTC), by the server's clock. */
export const today = (): CalendarDate => calendarDate(serverTime());

/** Time until the daily limits of bids and tasks reset at midnight UTC, such as `in 5 hours`. */
export function untilTomorrow(now = serverTime()): string {
  const minutes = Math.ceil((Date.parse(addDays(calendarDate(now), 1)) - now.getTime()) / MINUTE);
  return minutes < 120 ? ELAPSED.format(minutes, "minute") : ELAPSED.format(Math.round(minutes / 60), "hour");
}

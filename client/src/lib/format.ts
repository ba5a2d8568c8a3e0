import type { CalendarDate } from "@tasklane/server/contract";

const DATE = new Intl.DateTimeFormat("en-US", {
  year: "numeric",
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});
const WHOLE_USD = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});
const EXACT_USD = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** `Mar 31, 2027`: short month, day, year in US English, the same day in every time zone (SPEC section 9). */
export function formatDate(date: CalendarDate): string {
  return DATE.format(new Date(`${date}T00:00:00Z`));
}

/** US dollars, cents only where there are some: `$1,200` or `$19.50`. */
export function formatUsd(usd: number): string {
  return Number.isInteger(usd) ? WHOLE_USD.format(usd) : EXACT_USD.format(usd);
}

/** `1 bid`, `3 bids`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

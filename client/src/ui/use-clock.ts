import { type CalendarDate, calendarDate } from "@tasklane/server/contract";
import { useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS);
  return () => clearInterval(timer);
}

const minute = () => Math.floor(Date.now() / MINUTE_MS);
const today = () => calendarDate(new Date());

/** Renders the component again every minute. */
export function useMinute(): void {
  useSyncExternalStore(everyMinute, minute, minute);
}

/** The current day (UTC). Renders the component again when it changes. */
export function useToday(): CalendarDate {
  return useSyncExternalStore(everyMinute, today, today);
}

import { type CalendarDate, calendarDate } from "@tasklane/server/contract";
import { useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;
const listeners = new Set<() => void>();
let timer: number | undefined;

/** One timer for all relative times of the page, and none while there are none. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= window.setInterval(() => {
    for (const notify of listeners) notify();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

const minute = () => Math.floor(Date.now() / MINUTE_MS);
const today = () => calendarDate(new Date());

/** Renders the component again every minute. */
export function useMinute(): void {
  useSyncExternalStore(subscribe, minute, minute);
}

/** The current day (UTC). Renders the component again when it changes. */
export function useToday(): CalendarDate {
  return useSyncExternalStore(subscribe, today, today);
}

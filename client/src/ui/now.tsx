import { type CalendarDate, type TaskState, taskState } from "@tasklane/server/contract";
import { useSyncExternalStore } from "react";
import { serverTime } from "../lib/clock.ts";
import { formatDate, formatWhen } from "../lib/format.ts";
import { pageData } from "../lib/page-data.ts";

const MINUTE_MS = 60_000;

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS);
  return () => clearInterval(timer);
}

const minuteOf = (time: number) => Math.floor(time / MINUTE_MS);
const currentMinute = () => minuteOf(serverTime().getTime());
/** When the server has rendered the page, or is rendering it, in ms since 1970. */
let renderedAt = pageData?.now;
const renderedMinute = () => (renderedAt === undefined ? currentMinute() : minuteOf(renderedAt));

/** Sets the time that the page which is rendered next shows: one for all of it, also if a minute ends meanwhile. */
export function renderAt(now: number): void {
  renderedAt = now;
}

/** The current time to the minute. Renders the component again every minute. While a page is hydrated, it is the time at which the server rendered it. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(everyMinute, currentMinute, renderedMinute) * MINUTE_MS);
}

/** How long ago an ISO instant was, kept up to date. */
export function When({ at, className }: { at: string; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={at} className={className}>
      {formatWhen(at, now)}
    </time>
  );
}

/** A day, such as a deadline. */
export function Day({ date }: { date: CalendarDate }) {
  return <time dateTime={date}>{formatDate(date)}</time>;
}

/** The current state of a task, whose deadline may have passed since the page was loaded. */
export function stateNow(
  { state, deadline }: { state: TaskState; deadline: string },
  now: Date = serverTime(),
): TaskState {
  return state === "open" ? taskState({ state, deadline }, now) : state;
}

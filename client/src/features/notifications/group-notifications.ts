import type { Notification } from "@tasklane/server/contract";
import { formatRelativeDay } from "../../lib/format.ts";

/** Consecutive notifications about the same event, newest first, shown as one line. */
export type Line = readonly [Notification, ...Notification[]];

export type Day = { name: string; lines: Line[] };

/** Groups notifications (newest first) by day. Consecutive ones with the same kind, task and actor become one line. */
export function groupByDay(items: readonly Notification[], now?: Date): Day[] {
  const days: Day[] = [];
  for (const item of items) {
    const name = formatRelativeDay(item.createdAt, now);
    let day = days.at(-1);
    if (day?.name !== name) {
      day = { name, lines: [] };
      days.push(day);
    }
    const last = day.lines.at(-1);
    if (last && isSameEvent(last[0], item)) day.lines[day.lines.length - 1] = [...last, item];
    else day.lines.push([item]);
  }
  return days;
}

function isSameEvent(one: Notification, other: Notification): boolean {
  return one.kind === other.kind && one.taskId === other.taskId && one.actor === other.actor;
}

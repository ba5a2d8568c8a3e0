import type { Notification } from "@tasklane/server/contract";
import { formatRelativeDay } from "../../lib/format.ts";

export type Day<T> = { name: string; items: T[] };

/** Groups notifications (newest first) by day. */
export function groupByDay<T extends Notification>(items: readonly T[], now?: Date): Day<T>[] {
  const days: Day<T>[] = [];
  for (const item of items) {
    const name = formatRelativeDay(item.createdAt, now);
    const day = days.at(-1);
    if (day?.name === name) day.items.push(item);
    else days.push({ name, items: [item] });
  }
  return days;
}

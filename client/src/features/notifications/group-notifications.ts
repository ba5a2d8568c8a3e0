import type { Notification } from "@tasklane/server/contract";
import { formatRelativeDay } from "../../lib/format.ts";

export type Day = { name: string; items: Notification[] };

/** Groups notifications (newest first) by day. */
export function groupByDay(items: readonly Notification[], now?: Date): Day[] {
  const days: Day[] = [];
  for (const item of items) {
    const name = formatRelativeDay(item.createdAt, now);
    const day = days.at(-1);
    if (day?.name === name) day.items.push(item);
    else days.push({ name, items: [item] });
  }
  return days;
}

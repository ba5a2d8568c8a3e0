import type { Notification } from "@tasklane/server/contract";
import { expect, it } from "vitest";
import { aNotification } from "../../testing/builders.ts";
import { groupByDay } from "./notification-list.tsx";

const NOW = new Date(2026, 5, 15, 12);
const at = (daysAgo: number, hour: number) => new Date(2026, 5, 15 - daysAgo, hour).toISOString();

it("When notifications are grouped, then each is under its day, newest first", () => {
  const [a, b, c, d] = [at(0, 11), at(0, 10), at(1, 23), at(9, 7)].map((createdAt) =>
    aNotification({ createdAt }),
  );
  const days = [
    { name: "Today", items: [a, b] },
    { name: "Yesterday", items: [c] },
    { name: "Jun 6, 2026", items: [d] },
  ];
  expect(groupByDay([a, b, c, d] as Notification[], NOW)).toEqual(days);
  // What was delivered late comes first, with the time of what it reports.
  expect(groupByDay([d, a, c, b] as Notification[], NOW)).toEqual(days);
});

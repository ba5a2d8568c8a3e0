import { expect, it } from "vitest";
import { aNotification } from "../../testing/builders.ts";
import { groupByDay } from "./group-notifications.ts";

const NOW = new Date(2026, 5, 15, 12);
const at = (daysAgo: number, hour: number) => new Date(2026, 5, 15 - daysAgo, hour).toISOString();

it("When a bid is changed several times in a row, then it is one line of its day; other notifications are separate", () => {
  const edit = (createdAt: string, overrides = {}) =>
    aNotification({ kind: "bid-changed", createdAt, ...overrides });
  const items = [
    edit(at(0, 11)),
    edit(at(0, 10)),
    edit(at(0, 9), { actor: "Bo Bidder" }),
    edit(at(0, 8), { taskId: "b".repeat(24), actor: "Bo Bidder" }),
    edit(at(1, 23), { taskId: "b".repeat(24), actor: "Bo Bidder" }),
    aNotification({ createdAt: at(1, 7), taskId: "b".repeat(24), actor: "Bo Bidder" }),
    edit(at(9, 7)),
  ];
  const [a, b, c, d, e, f, g] = items;
  expect(groupByDay(items, NOW)).toEqual([
    { name: "Today", lines: [[a, b], [c], [d]] },
    { name: "Yesterday", lines: [[e], [f]] },
    { name: "Jun 6, 2026", lines: [[g]] },
  ]);
});

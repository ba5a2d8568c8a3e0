import type { User } from "../../auth/token-verifier.ts";
import { addDays, calendarDate, type Overview } from "../../contract/index.ts";
import type { DayCount, OverviewStore, StateCount } from "./overview-store.ts";

/** So many days, today included, are shown. */
const DAYS = 30;

/** What the caller sees at a glance: their tasks by state, and the bids of the last 30 days (UTC), oldest first. */
export async function readOverview(store: OverviewStore, { uid }: User, now: Date): Promise<Overview> {
  const today = calendarDate(now);
  const first = addDays(today, 1 - DAYS);
  const since = new Date(`${first}T00:00:00Z`);
  const [totalTasks, states, placed, received] = await Promise.all([
    store.countAllTasks(),
    store.countTasks(uid, today),
    store.countPlaced(uid, since),
    store.countReceived(uid, since),
  ]);
  return {
    totalTasks,
    myTasks: states.reduce((sum, { count }) => sum + count, 0),
    bidsByDay: Array.from({ length: DAYS }, (_, day) => {
      const date = addDays(first, day);
      return { date, received: countOn(date, received), placed: countOn(date, placed) };
    }),
    tasksByState: byState(states),
  };
}

function countOn(date: string, days: readonly DayCount[]): number {
  return days.find((day) => day.date === date)?.count ?? 0;
}

function byState(groups: readonly StateCount[]): Overview["tasksByState"] {
  const counts = { open: 0, awarded: 0, completed: 0, cancelled: 0, expired: 0 };
  for (const { state, expired, count } of groups) {
    const stored = state ?? "open";
    counts[stored === "open" && expired ? "expired" : stored] += count;
  }
  return counts;
}

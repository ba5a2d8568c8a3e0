import type { StateCount } from "./profile-store.ts";

/**
 * What a profile says about somebody's own tasks.
 *
 * `hireRate` is the share that hired somebody (awarded, completed, or cancelled after an award) of those that hired or
 * came to an end (completed, cancelled, expired); null before the first of these: a task that still takes bids says
 * nothing yet about its client.
 */
export function taskFigures(counts: readonly StateCount[]) {
  const sum = (which: (group: StateCount) => boolean) =>
    counts.reduce((total, group) => total + (which(group) ? group.count : 0), 0);
  const stillOpen = (group: StateCount) => group.state === "open" && !group.expired;
  const hired = sum(
    ({ state, hired }) => state === "awarded" || state === "completed" || (state === "cancelled" && hired),
  );
  const settled = sum((group) => !stillOpen(group));
  return {
    tasksPosted: sum(() => true),
    tasksCompleted: sum(({ state }) => state === "completed"),
    hireRate: settled === 0 ? null : hired / settled,
  };
}

import type { Notification } from "../src/contract/index.ts";
import type { Arrivals } from "./history/arrivals.ts";
import type { Listening } from "./listeners.ts";
import { type Watcher, wronglyTold } from "./saved-search.ts";
import { withStored } from "./stored.ts";

type Run = {
  uri: string;
  arrivals: Arrivals;
  listening: readonly Listening[];
  watchers: readonly Watcher[];
};

/**
 * What people with the product open were told too little or too much of: new bids, new tasks for their saved searches,
 * and every notification that is stored for them.
 */
export function mistold({ uri, arrivals, listening, watchers }: Run): Promise<string[]> {
  return withStored(uri, async (stored) => {
    const told = listening.flatMap((each) => [...each.told.values()]);
    const problems = arrivals.problems(countByTask(told));
    for (const watcher of watchers) problems.push(...(await wronglyTold(stored, watcher)));
    const recipientId = { $in: listening.map(({ person }) => person.uid) };
    const docs = await stored.notifications
      .find({ recipientId }, { projection: { recipientId: 1, kind: 1 } })
      .toArray();
    const live = new Set(
      listening.flatMap((each) => [...each.told.keys()].map((id) => `${each.person.uid} ${id}`)),
    );
    for (const { _id, recipientId: uid, kind } of docs)
      if (!live.delete(`${uid} ${_id}`)) problems.push(`${uid} was not told live of ${kind} ${_id}`);
    return [...problems, ...[...live].map((text) => `told live, but nothing like it is stored: ${text}`)];
  });
}

/** How many new bids on each task were told of. */
function countByTask(told: readonly Notification[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, taskId } of told)
    if (kind === "new-bid") counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
  return counts;
}

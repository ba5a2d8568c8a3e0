import type { Notification } from "../../src/contract/index.ts";
import type { NewBidNotices } from "./history/new-bid-notices.ts";
import type { Listening } from "./listeners.ts";
import { savedSearchProblems, type Watcher } from "./saved-search.ts";
import { withStoredData } from "./stored-data.ts";

type Run = {
  uri: string;
  newBidNotices: NewBidNotices;
  listening: readonly Listening[];
  watchers: readonly Watcher[];
};

/**
 * Notifications that people with the product open got too few or too many of: new bids, new tasks for their saved
 * searches, and every notification stored for them.
 */
export function notificationProblems({ uri, newBidNotices, listening, watchers }: Run): Promise<string[]> {
  return withStoredData(uri, async (stored) => {
    const received = listening.flatMap((each) => [...each.notifications.values()]);
    const problems = newBidNotices.problems(countByTask(received));
    for (const watcher of watchers) problems.push(...(await savedSearchProblems(stored, watcher)));
    const recipientId = { $in: listening.map(({ person }) => person.uid) };
    const docs = await stored.notifications
      .find({ recipientId }, { projection: { recipientId: 1, kind: 1, taskId: 1, count: 1 } })
      .toArray();
    // A notification about the same thing replaces one that is unread.
    const repeated = new Set(
      docs.flatMap((doc) => (doc.count ? `${doc.recipientId} ${doc.kind} ${doc.taskId}` : [])),
    );
    const live = new Map(
      listening.flatMap(({ person: { uid }, notifications }) =>
        [...notifications].map(
          ([id, { kind, taskId }]) => [`${uid} ${id}`, `${uid} ${kind} ${taskId}`] as const,
        ),
      ),
    );
    for (const { _id, recipientId: uid, kind } of docs)
      if (!live.delete(`${uid} ${_id}`)) problems.push(`${uid} was not notified live of ${kind} ${_id}`);
    return [
      ...problems,
      ...[...live].flatMap(([text, about]) =>
        repeated.has(about) ? [] : `notified live, but the notification is not stored: ${text}`,
      ),
    ];
  });
}

/** How many notifications of new bids arrived, by task. */
function countByTask(received: readonly Notification[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, taskId } of received)
    if (kind === "new-bid") counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
  return counts;
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Collections } from "../../../src/db/collections.ts";
import { CLAIM_MS } from "../../../src/features/notifications/mail-store.ts";
import { waitUntil } from "../../lib/wait-until.ts";
import { withStoredData } from "../stored-data.ts";

const SOON = { timeoutMs: 40_000, everyMs: 250 };
/** No live sender holds an email for this long. */
const HELD_MS = 25_000;

/**
 * Waits until everybody has been notified of everything unread, and emailed if they want that. An email whose sender was
 * killed is held for five minutes; whatever is still held after a while is released as if these had passed.
 * @returns false if it does not settle.
 */
export function settle(uri: string, readers: readonly string[]): Promise<boolean> {
  // What repeats an unread notification, and further new tasks, may wait for an hour.
  const unsent = {
    recipientId: { $in: [...readers] },
    readAt: null,
    kind: { $ne: "search-match" },
    count: { $exists: false },
  } as const;
  const held = { ...unsent, "mail.dueAt": { $exists: true } };

  const dueSoon = () => ({
    _id: { $in: [...readers] },
    matchesDueAt: { $lte: new Date(Date.now() + CLAIM_MS) },
  });

  async function isSettled({ conversations, notifications, people }: Collections): Promise<boolean> {
    const waiting = [{ mail: { $exists: false } }, { "mail.dueAt": { $exists: true } }];
    const left = [
      await conversations.countDocuments({ noticeAt: { $exists: true } }),
      await notifications.countDocuments({ ...unsent, $or: waiting }),
      await people.countDocuments(dueSoon()),
    ];
    return left.every((count) => count === 0);
  }

  return withStoredData(uri, async (stored) => {
    if (await waitUntil(() => isSettled(stored), SOON)) return true;
    const before = await stored.notifications.find(held, { projection: { mail: 1 } }).toArray();
    await sleep(HELD_MS);
    const now = new Date();
    for (const { _id, mail } of before)
      await stored.notifications.updateOne(
        { _id, ...(mail?.dueAt && { "mail.dueAt": mail.dueAt }) },
        { $set: { "mail.dueAt": now } },
      );
    await stored.people.updateMany(dueSoon(), { $set: { matchesDueAt: now } });
    return waitUntil(() => isSettled(stored), SOON);
  });
}

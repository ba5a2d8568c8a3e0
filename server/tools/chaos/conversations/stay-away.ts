import type { ConversationRole } from "../../../src/contract/index.ts";
import { waitUntil } from "../../lib/wait-until.ts";
import { UNREAD_MS } from "../fast-jobs.ts";
import { endingOf, pause, type Workload } from "../workload.ts";
import type { NoticeBounds, OpenConversation, Pair } from "./correspondence.ts";
import type { Mailbox } from "./mailbox.ts";
import { markSeen, openConversation, readPages, sendMessage } from "./talk.ts";

const ONE_PAGE = { limit: 1, pages: 1 };

/**
 * Repeatedly, a client writes a few messages, and the freelancer either stays away until an email tells of them or reads
 * them immediately.
 */
export async function writeToAbsent(workload: Workload, pair: Pair, mailbox: Mailbox): Promise<void> {
  const { conversations, random, signal } = workload;
  let conversation: OpenConversation | undefined;
  while (!signal.aborted && !conversation) {
    conversation = await openConversation(workload, pair);
    if (!conversation) await pause(workload);
  }
  if (!conversation) return;
  const { id, freelancer } = conversation;
  const bounds: NoticeBounds = { conversation, atLeast: 0, atMost: 0 };
  conversations.bounds.set(id, bounds);
  const emails = () => mailbox.countOf(freelancer.email, id);
  while (!signal.aborted) {
    const before = emails();
    const beganAt = workload.now();
    const lateAt = beganAt + UNREAD_MS;
    const written: { isStored: boolean; isLate: boolean }[] = [];
    for (let left = 1 + Math.floor(random() * 3); left > 0; left--) {
      const isStored = endingOf(await sendMessage(workload, conversation, "client")) === "acknowledged";
      written.push({ isStored, isLate: workload.now() > lateAt });
    }
    // A message written after a notice leads to another notice.
    const atMost = 1 + written.slice(1).filter(({ isLate }) => isLate).length;
    const staysAway = random() < 0.6;
    if (staysAway) await waitUntil(() => emails() > before || signal.aborted, { timeoutMs: 600_000 });
    const isSeen = !(staysAway && signal.aborted) && (await seeAll(workload, conversation, "freelancer"));
    const isUnread = staysAway || !isSeen;
    bounds.atLeast += isUnread && written.some(({ isStored }) => isStored) ? 1 : 0;
    bounds.atMost += isUnread || workload.now() > lateAt ? atMost : 0;
    await pause(workload);
  }
}

/** Reads and marks as seen until both are acknowledged or the run ends. */
async function seeAll(
  workload: Workload,
  conversation: OpenConversation,
  by: ConversationRole,
): Promise<boolean> {
  while (!workload.signal.aborted) {
    const read = await readPages(workload, conversation, by, ONE_PAGE);
    const seen = read && (await markSeen(workload, conversation, by));
    if (seen && endingOf(seen) === "acknowledged") return true;
    await pause(workload);
  }
  return false;
}

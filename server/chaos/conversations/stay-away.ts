import { waitUntil } from "../../dev/lib/wait-until.ts";
import type { ConversationRole } from "../../src/contract/index.ts";
import { UNREAD_MS } from "../ahead.ts";
import { endingOf, pause, type Writing } from "../writing.ts";
import type { NoticeBounds, OpenConversation, Pair } from "./correspondence.ts";
import type { Mailbox } from "./mailbox.ts";
import { markSeen, openConversation, readPages, sendMessage } from "./talk.ts";

const ONE_PAGE = { limit: 1, pages: 1 };

/**
 * Two people: the client writes a few messages at a time. The freelancer stays away until an email tells of them, or
 * reads them at once; again and again.
 */
export async function writeToAbsent(writing: Writing, pair: Pair, mailbox: Mailbox): Promise<void> {
  const { conversations, roll, signal } = writing;
  let conversation: OpenConversation | undefined;
  while (!signal.aborted && !conversation) {
    conversation = await openConversation(writing, pair);
    if (!conversation) await pause(writing);
  }
  if (!conversation) return;
  const { id, freelancer } = conversation;
  const bounds: NoticeBounds = { conversation, atLeast: 0, atMost: 0 };
  conversations.bounds.set(id, bounds);
  const emails = () => mailbox.countOf(freelancer.email, id);
  while (!signal.aborted) {
    const before = emails();
    const beganAt = writing.now();
    const lateAt = beganAt + UNREAD_MS;
    const written: { isThere: boolean; isLate: boolean }[] = [];
    for (let left = 1 + Math.floor(roll() * 3); left > 0; left--) {
      const isThere = endingOf(await sendMessage(writing, conversation, "client")) === "acknowledged";
      written.push({ isThere, isLate: writing.now() > lateAt });
    }
    // What was written after somebody was told is told again.
    const atMost = 1 + written.slice(1).filter(({ isLate }) => isLate).length;
    const staysAway = roll() < 0.6;
    if (staysAway) await waitUntil(() => emails() > before || signal.aborted, { timeoutMs: 600_000 });
    const isSeen = !(staysAway && signal.aborted) && (await seeAll(writing, conversation, "freelancer"));
    const isUnread = staysAway || !isSeen;
    bounds.atLeast += isUnread && written.some(({ isThere }) => isThere) ? 1 : 0;
    bounds.atMost += isUnread || writing.now() > lateAt ? atMost : 0;
    await pause(writing);
  }
}

/** Reads and marks as seen until both are acknowledged, or the run is over. */
async function seeAll(
  writing: Writing,
  conversation: OpenConversation,
  by: ConversationRole,
): Promise<boolean> {
  while (!writing.signal.aborted) {
    const read = await readPages(writing, conversation, by, ONE_PAGE);
    const seen = read && (await markSeen(writing, conversation, by));
    if (seen && endingOf(seen) === "acknowledged") return true;
    await pause(writing);
  }
  return false;
}

import { waitUntil } from "../../dev/lib/wait-until.ts";
import { conversationsWithWrongCount } from "../../src/db/verify-data.ts";
import type { Balancer } from "../balancer.ts";
import type { Instance } from "../instance.ts";
import type { Listening } from "../listeners.ts";
import { withStored } from "../stored.ts";
import type { Writing } from "../writing.ts";
import { liveProblems } from "./judge-live.ts";
import { mailProblems, type StoredNotice } from "./judge-mail.ts";
import type { Mailbox } from "./mailbox.ts";
import { readAll } from "./read-all.ts";

type Run = {
  uri: string;
  writing: Writing;
  instances: readonly Instance[];
  between: (balancer: Balancer) => Balancer;
  listening: readonly Listening[];
  mailbox: Mailbox;
  /** Who wants emails: their uids by their addresses. */
  readers: ReadonlyMap<string, string>;
  /** How many emails may have come a second time. */
  copies: number;
};

const ALL_TOLD = { timeoutMs: 20_000, everyMs: 200 };

/** Judges messages, what was told of them live, and everybody's emails. `lines` are for the report. */
export async function judgeConversations(run: Run): Promise<{ problems: string[]; lines: string[] }> {
  const { writing, mailbox } = run;
  const { ledger, opened, history, bounds, problems } = writing.conversations;
  const stored = await readStored(run);
  const untold = () => notToldLive(run, stored.noticesOf);
  await waitUntil(() => untold().length === 0, ALL_TOLD);
  const look = await readAll(writing, run.instances, run.between, run.listening);
  const findings = ledger.compare(look.readings);
  const letters = mailbox.letters();
  const mails = mailProblems({
    letters,
    notices: stored.notices,
    readers: run.readers,
    bounds: [...bounds].map(([id, { conversation, atLeast, atMost }]) => ({
      id,
      reader: conversation.freelancer.uid,
      atLeast,
      atMost,
    })),
    copies: run.copies,
  });
  const read = [...look.readings.values()].reduce((sum, { client }) => sum + client.length, 0);
  const { lostMessages, duplicatedMessages, reorderedMessages } = findings;
  const ofMessages = letters.filter(({ conversationId }) => conversationId !== undefined).length;
  const emailed = new Set(letters.map(({ notificationId }) => notificationId));
  const ofAlerts = stored.alerts.filter((id) => emailed.has(id)).length;
  const { things, operations } = history.counts();
  return {
    problems: [
      ...problems,
      ...Object.entries(findings).flatMap(([kind, found]) => found.map((text) => `${kind}: ${text}`)),
      ...look.problems,
      ...stored.wrongCounts.map((id) => `${id}: its count is not the number of its messages`),
      ...stored.toldOfRead.map((id) => `${id}: somebody is told of messages that they have read`),
      ...untold(),
      ...mails,
    ],
    lines: [
      `Messages: ${ledger.acknowledged()} acknowledged in ${opened.length} conversations, ${read} read by both; lost ${lostMessages.length}, duplicated ${duplicatedMessages.length}, in another order ${reorderedMessages.length}`,
      `Emails: ${emailed.size}, of them ${ofMessages} of unread messages and ${ofAlerts} of ${stored.alerts.length} new tasks for a saved search; lost, twice or undue ${mails.length}, sent again after a sender was killed ${letters.length - emailed.size}`,
      `Histories of conversations: ${operations} operations on ${things}`,
    ],
  };
}

/** Live events of conversations that are missing, undue, or somebody else's. */
function notToldLive({ writing, listening }: Run, noticesOf: (id: string) => number): string[] {
  const { opened, ledger } = writing.conversations;
  return listening.flatMap(({ person, streams }) => {
    const own = opened.filter(({ client, freelancer }) => client === person || freelancer === person);
    const heard = own.map(({ id }) => ({
      id,
      messages: ledger.messagesOf(id),
      changes: ledger.changesOf(id),
      notices: noticesOf(id),
    }));
    return liveProblems(streams, heard).map((text) => `${person.uid}: ${text}`);
  });
}

function readStored({ uri, readers }: Run) {
  return withStored(uri, async (stored) => {
    const recipientId = { $in: [...readers.values()] };
    const docs = await stored.notifications.find({ recipientId }).toArray();
    const notices = docs.map(
      ({ _id, recipientId: uid, readAt, conversationId }): StoredNotice => ({
        id: _id.toHexString(),
        recipientId: uid,
        isRead: readAt !== null,
        conversationId: conversationId?.toHexString(),
      }),
    );
    const unread = await stored.conversations.find({ unreadBy: { $exists: true } }).toArray();
    const isUnread = new Set(unread.map(({ _id, unreadBy }) => `${_id} ${unreadBy}`));
    return {
      notices,
      /** Notifications of new tasks. */
      alerts: docs.flatMap(({ _id, kind }) => (kind === "search-match" ? _id.toHexString() : [])),
      noticesOf: (id: string) => notices.filter(({ conversationId }) => conversationId === id).length,
      /** Conversations of which somebody has a notice although nothing is unread to them. */
      toldOfRead: notices.flatMap(({ conversationId, recipientId: uid, isRead }) =>
        conversationId !== undefined && !isRead && !isUnread.has(`${conversationId} ${uid}`)
          ? conversationId
          : [],
      ),
      wrongCounts: await conversationsWithWrongCount(stored),
    };
  });
}

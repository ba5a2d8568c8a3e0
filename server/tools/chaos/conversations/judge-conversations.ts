import { conversationsWithWrongCount } from "../../../src/db/verify-data.ts";
import { waitUntil } from "../../lib/wait-until.ts";
import type { Balancer } from "../balancer.ts";
import type { Instance } from "../instance.ts";
import type { Listening } from "../listeners.ts";
import { withStoredData } from "../stored-data.ts";
import type { Workload } from "../workload.ts";
import { liveProblems } from "./judge-live.ts";
import { mailProblems, type StoredNotice } from "./judge-mail.ts";
import type { Mailbox } from "./mailbox.ts";
import { readAll } from "./read-all.ts";

type Run = {
  uri: string;
  workload: Workload;
  instances: readonly Instance[];
  intercept: (balancer: Balancer) => Balancer;
  listening: readonly Listening[];
  mailbox: Mailbox;
  /** The uids of people who want emails, by address. */
  readers: ReadonlyMap<string, string>;
  /** How many emails may have arrived twice. */
  copies: number;
};

const ALL_NOTIFIED = { timeoutMs: 20_000, everyMs: 200 };

/** Checks messages, their live events, and everybody's emails. `lines` are for the report. */
export async function judgeConversations(run: Run): Promise<{ problems: string[]; lines: string[] }> {
  const { workload, mailbox } = run;
  const { ledger, opened, history, bounds, problems } = workload.conversations;
  const stored = await readStored(run);
  const liveFailures = () => findLiveProblems(run, stored.noticesOf);
  await waitUntil(() => liveFailures().length === 0, ALL_NOTIFIED);
  const look = await readAll(workload, run.instances, run.intercept, run.listening);
  const findings = ledger.compare(look.readings);
  const emails = mailbox.emails();
  const mails = mailProblems({
    emails,
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
  const ofMessages = emails.filter(({ conversationId }) => conversationId !== undefined).length;
  const emailed = new Set(emails.map(({ notificationId }) => notificationId));
  const ofAlerts = stored.alerts.filter((id) => emailed.has(id)).length;
  const { things, operations } = history.counts();
  return {
    problems: [
      ...problems,
      ...Object.entries(findings).flatMap(([kind, found]) => found.map((text) => `${kind}: ${text}`)),
      ...look.problems,
      ...stored.wrongCounts.map((id) => `${id}: its count differs from the number of its messages`),
      ...stored.undueNotices.map((id) => `${id}: somebody is notified of messages that they have read`),
      ...liveFailures(),
      ...mails,
    ],
    lines: [
      `Messages: ${ledger.acknowledged()} acknowledged in ${opened.length} conversations, ${read} read by both; lost ${lostMessages.length}, duplicated ${duplicatedMessages.length}, out of order ${reorderedMessages.length}`,
      `Emails: ${emailed.size}, of them ${ofMessages} of unread messages and ${ofAlerts} of new tasks, of which there were ${stored.alerts.length} for saved searches; lost, duplicated or unwarranted ${mails.length}, sent again after a sender was killed ${emails.length - emailed.size}`,
      `Histories of conversations: ${operations} operations on ${things}`,
    ],
  };
}

/** Live conversation events that are missing, unwarranted, or somebody else's. */
function findLiveProblems({ workload, listening }: Run, noticesOf: (id: string) => number): string[] {
  const { opened, ledger } = workload.conversations;
  return listening.flatMap(({ person, streams }) => {
    const own = opened.filter(({ client, freelancer }) => client === person || freelancer === person);
    const expected = own.map(({ id }) => ({
      id,
      messages: ledger.messagesOf(id),
      changes: ledger.changesOf(id),
      notices: noticesOf(id),
    }));
    return liveProblems(streams, expected).map((text) => `${person.uid}: ${text}`);
  });
}

function readStored({ uri, readers }: Run) {
  return withStoredData(uri, async (stored) => {
    const recipientId = { $in: [...readers.values()] };
    const docs = await stored.notifications.find({ recipientId }).toArray();
    const notices = docs.map(
      ({ _id, recipientId: uid, readAt, conversationId, kind, count }): StoredNotice => ({
        id: _id.toHexString(),
        recipientId: uid,
        isRead: readAt !== null,
        conversationId: conversationId?.toHexString(),
        times: count ?? 1,
        isAlert: kind === "search-match",
      }),
    );
    const unread = await stored.conversations.find({ unreadBy: { $exists: true } }).toArray();
    const isUnread = new Set(unread.map(({ _id, unreadBy }) => `${_id} ${unreadBy}`));
    return {
      notices,
      /** Ids of notifications of new tasks for a saved search. */
      alerts: docs.flatMap(({ _id, kind }) => (kind === "search-match" ? _id.toHexString() : [])),
      noticesOf: (id: string) =>
        notices.reduce((sum, { conversationId, times }) => sum + (conversationId === id ? times : 0), 0),
      /** Conversations that somebody has an unread notice of although they have read everything. */
      undueNotices: notices.flatMap(({ conversationId, recipientId: uid, isRead }) =>
        conversationId !== undefined && !isRead && !isUnread.has(`${conversationId} ${uid}`)
          ? conversationId
          : [],
      ),
      wrongCounts: await conversationsWithWrongCount(stored),
    };
  });
}

import type { Collection, Filter, FindOptions } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { batchesOf, type Database, NEWEST_FIRST } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { notOfDeletedTasks } from "../../domain/announcements.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";

/** Documents in one response of the database, and so in memory at a time. */
export const BATCH_SIZE = 250;
const READ = { batchSize: BATCH_SIZE, maxTimeMS: 30_000 } as const;

/** They would tell people that they were reported, and often by whom: a bid can be reported by its client only. */
const REPORT_ACTS = ["report-resolved", "report-reopened"] as const;

/** Somebody's own tasks, newest first, as they are stored, without internal fields. */
export function ownTasks({ tasks }: Database, ownerId: string): AsyncIterable<TaskDoc> {
  const projection = { titleGrams: 0, bidsRevision: 0, questionsRevision: 0, "award.email": 0 };
  return tasks.find({ ownerId }, { ...READ, sort: NEWEST_FIRST, projection, hint: "owner-newest" });
}

/**
 * Somebody's own bids, newest first, as they are stored, without internal fields. One whose decline the client may still
 * undo is placed, as everywhere for its freelancer.
 */
export async function* ownBids(database: Database, bidderId: string): AsyncGenerator<BidDoc> {
  const projection = { print: 0, note: 0, restoredAt: 0, declinedAt: 0 };
  const filter = { bidderId, ...(await notOfDeletedTasks(database)) };
  const options = { ...READ, sort: NEWEST_FIRST, projection, hint: "bidder-newest" };
  for await (const { noticeAt, ...bid } of database.bids.find(filter, options))
    yield noticeAt ? { ...bid, state: "placed" } : bid;
}

/**
 * Streams everything the product holds about the caller as one JSON object (the contract's `exportSchema`), from cursors,
 * as fast as it is consumed and never all in memory. Left out are internal fields (search grams, keys of notifications
 * and unsubscribe links, when the latest token expires) and data about others: bids on the caller's tasks, authors of
 * reviews, reports about the caller and what became of them, who acted on the caller as an operator, whom the caller
 * acted on as one, and the email addresses of hired freelancers.
 */
export async function* exportData(
  database: Database,
  { uid, name, email, picture }: User,
  now: Date,
): AsyncGenerator<string> {
  const identity = { uid, name, email, picture };
  const projection = {
    ...{ _id: 0, unsubscribeKey: 0, pairRevision: 0, tokenExpiresAt: 0 },
    ...{ nameGrams: 0, profileGrams: 0 },
  };
  const known = await database.people.findOne({ _id: uid }, { projection });
  yield `{"exportedAt":${JSON.stringify(now)},"person":${JSON.stringify({ ...identity, ...known })}`;
  for (const [list, items] of Object.entries(listsOf(database, uid))) {
    yield `,${JSON.stringify(list)}:[`;
    let separator = "\n";
    for await (const batch of batchesOf(items, BATCH_SIZE)) {
      yield separator + batch.map((item) => JSON.stringify(item)).join(",\n");
      separator = ",\n";
    }
    yield "]";
  }
  yield "}\n";
}

/** The lists of the export. */
function listsOf(database: Database, uid: string): Record<string, AsyncIterable<object>> {
  const { reviews, reports, questions, savedTasks, timeline, files } = database;
  const { agreements, disputes, savedSearches, operatorQueue, operatorLog, notifications } = database;

  /** What concerns the person as a client, and then as a freelancer, without the two uids. */
  async function* ofBothSides<T extends object>(
    collection: Collection<T>,
    options: FindOptions,
    alsoWithout: object = {},
  ): AsyncGenerator<object> {
    const projection = { clientId: 0, freelancerId: 0, ...alsoWithout };
    for (const side of ["client", "freelancer"] as const) {
      const filter = { [`${side}Id`]: uid } as Filter<T>;
      yield* collection.find(filter, { ...READ, ...options, projection, hint: side });
    }
  }

  const readableTitles = <T extends object>(items: AsyncIterable<T>) =>
    withReadableTitles(database, items, uid);

  return {
    tasks: ownTasks(database, uid),
    bids: ownBids(database, uid),
    notes: notesOf(database, uid),
    reviewsWritten: reviews.find({ authorId: uid }, { ...READ, hint: "author" }),
    reviewsReceived: reviews.find(
      { subjectId: uid, shown: true },
      { ...READ, sort: NEWEST_FIRST, projection: { authorId: 0 }, hint: "subject-newest" },
    ),
    reports: readableTitles(
      reports.find({ reporterId: uid }, { ...READ, projection: { personId: 0 }, hint: "one-per-person" }),
    ),
    questions: questions.find({ askerId: uid }, { ...READ, hint: "asker" }),
    // Those that the person answered on their own tasks.
    answers: questions.find(
      { clientId: uid, answered: true },
      { ...READ, projection: { askerId: 0 }, hint: "client-newest" },
    ),
    savedTasks: savedTasks.find({ personId: uid }, { ...READ, sort: NEWEST_FIRST, hint: "person-newest" }),
    timeline: ofBothSides(timeline, { sort: { at: 1, _id: 1 } }),
    agreements: ofBothSides(agreements, { sort: NEWEST_FIRST }),
    disputes: ofBothSides(disputes, { sort: NEWEST_FIRST }, { "decisions.operatorId": 0 }),
    invoices: invoicesOf(database, uid),
    files: files.find(
      { uid, state: "ready" },
      { ...READ, projection: { thumbnail: 0, uid: 0, "place.readers": 0 }, hint: "person" },
    ),
    savedSearches: savedSearches.find(
      { ownerId: uid },
      { ...READ, projection: { match: 0, slot: 0 }, hint: "one-per-slot" },
    ),
    conversations: conversationsOf(database, uid),
    messages: messagesOf(database, uid),
    operatorQueue: operatorQueue.find({ personId: uid }, { ...READ, projection: { key: 0 }, hint: "person" }),
    operatorActs: readableTitles(
      operatorLog.find(
        { personId: uid, kind: { $nin: [...REPORT_ACTS] } },
        { ...READ, projection: { operatorId: 0, operatorName: 0 }, hint: "person" },
      ),
    ),
    actsAsOperator: operatorLog.find(
      { operatorId: uid },
      { ...READ, projection: { personId: 0, personName: 0 }, hint: "operator" },
    ),
    notifications: readableTitles(
      notifications.find(
        { recipientId: uid },
        { ...READ, sort: { _id: -1 }, projection: { actorId: 0, onceKeys: 0 }, hint: "recipient-newest" },
      ),
    ),
  };
}

/** Withholds the titles of hidden tasks. */
async function* withReadableTitles<T extends object>(
  database: Database,
  items: AsyncIterable<T>,
  uid: string,
): AsyncGenerator<T> {
  for await (const batch of batchesOf(items, BATCH_SIZE))
    yield* await withoutHiddenTitles(database, batch, () => uid);
}

/** The person's notes about bids on their tasks. */
async function* notesOf({ tasks, bids }: Database, ownerId: string): AsyncGenerator<object> {
  const owned = tasks.find({ ownerId }, { ...READ, projection: { _id: 1 }, hint: "owner-newest" });
  for await (const batch of batchesOf(owned, BATCH_SIZE)) {
    const noted = { taskId: { $in: batch.map(({ _id }) => _id) }, note: { $exists: true } };
    yield* bids.find(noted, { ...READ, projection: { taskId: 1, note: 1 }, hint: "inbox-newest" });
  }
}

/** Those they got, then those they wrote. */
async function* invoicesOf({ invoices }: Database, uid: string): AsyncGenerator<object> {
  const options = { ...READ, projection: { clientId: 0, freelancerId: 0 } };
  yield* invoices.find({ clientId: uid }, { ...options, sort: NEWEST_FIRST, hint: "client" });
  yield* invoices.find({ freelancerId: uid }, { ...options, sort: { number: 1 }, hint: "one-per-number" });
}

/** Freelancers see a conversation from its first message on. */
function findConversations({ conversations }: Database, uid: string): AsyncIterable<ConversationDoc> {
  const filter = { memberIds: uid, $nor: [{ freelancerId: uid, count: 0 }] };
  return conversations.find(filter, { ...READ, sort: { lastAt: -1, _id: -1 }, hint: "member-newest" });
}

async function* conversationsOf(database: Database, uid: string): AsyncGenerator<object> {
  const found = withReadableTitles(database, findConversations(database, uid), uid);
  for await (const { _id, taskId, taskTitle, clientId, blockedBy, createdAt } of found) {
    const role = clientId === uid ? "client" : "freelancer";
    // Whether the caller has blocked the other side.
    const blocked = blockedBy.includes(uid);
    yield { _id, taskId, taskTitle, role, blocked, createdAt };
  }
}

/** Messages of one conversation after the other, each oldest first. */
async function* messagesOf(database: Database, uid: string): AsyncGenerator<object> {
  const options = { ...READ, sort: { number: 1 }, hint: "conversation" } as const;
  for await (const { _id: conversationId, clientId } of findConversations(database, uid))
    for await (const message of database.messages.find({ conversationId }, options))
      yield { ...message, mine: (message.by === "client") === (clientId === uid) };
}

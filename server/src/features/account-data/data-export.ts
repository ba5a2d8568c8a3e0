import type { Collection, Filter, FindCursor, ObjectId, Sort, WithId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import { batchesOf, type Database, NEWEST_FIRST } from "../../db/client.ts";
import type { BidDoc } from "../../db/documents/bids.ts";
import type { ConversationDoc } from "../../db/documents/conversations.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { notOfDeletedTasks } from "../../domain/announcements.ts";
import { withoutHiddenTitles } from "../../domain/hidden-titles.ts";

/** Documents in one response of the database, and so in memory at a time. */
export const BATCH_SIZE = 250;

/** What a collection has, without these fields. */
function read<T extends object>(
  collection: Collection<T>,
  filter: Filter<T>,
  without: readonly string[] = [],
  sort: Sort = {},
): FindCursor<WithId<T>> {
  const projection = Object.fromEntries(without.map((field) => [field, 0]));
  return collection.find(filter, { batchSize: BATCH_SIZE, maxTimeMS: 30_000, projection, sort });
}

/** They would tell people that they were reported, and often by whom: a bid can be reported by its client only. */
const REPORT_ACTS = ["report-resolved", "report-reopened"] as const;

/** Somebody's own tasks, newest first, as they are stored, without internal fields. */
export function ownTasks({ tasks }: Database, ownerId: string): AsyncIterable<TaskDoc> {
  const internal = ["searchKeys", "bidsRevision", "questionsRevision", "award.email"];
  return read(tasks, { ownerId }, internal, NEWEST_FIRST);
}

/**
 * Somebody's own bids, newest first, as they are stored, without internal fields. One whose decline the client may still
 * undo is placed, as everywhere for its freelancer.
 */
export async function* ownBids(database: Database, bidderId: string): AsyncGenerator<BidDoc> {
  const internal = ["print", "note", "restoredAt", "declinedAt"];
  const filter = { bidderId, ...(await notOfDeletedTasks(database)) };
  for await (const { noticeAt, ...bid } of read(database.bids, filter, internal, NEWEST_FIRST))
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
  const { agreements, disputes, invoices, savedSearches, operatorQueue, operatorLog, notifications } =
    database;

  /** What concerns the person as a client, and then as a freelancer, without the two uids. */
  async function* ofBothSides<T extends object>(
    collection: Collection<T>,
    sort: Sort,
    without: readonly string[] = [],
  ): AsyncGenerator<object> {
    for (const side of ["clientId", "freelancerId"])
      yield* read(collection, { [side]: uid } as Filter<T>, ["clientId", "freelancerId", ...without], sort);
  }

  const readableTitles = <T extends object>(items: AsyncIterable<T>) =>
    withReadableTitles(database, items, uid);
  const aboutThem = { personId: uid, kind: { $nin: [...REPORT_ACTS] } };

  return {
    tasks: ownTasks(database, uid),
    bids: ownBids(database, uid),
    notes: notesOf(database, uid),
    reviewsWritten: read(reviews, { authorId: uid }),
    reviewsReceived: read(reviews, { subjectId: uid, shown: true }, ["authorId"], NEWEST_FIRST),
    reports: readableTitles(read(reports, { reporterId: uid }, ["personId"])),
    questions: read(questions, { askerId: uid }),
    // Those that the person answered on their own tasks.
    answers: read(questions, { clientId: uid, answered: true }, ["askerId"]),
    savedTasks: read(savedTasks, { personId: uid }, [], NEWEST_FIRST),
    timeline: ofBothSides(timeline, { at: 1, _id: 1 }),
    agreements: ofBothSides(agreements, NEWEST_FIRST),
    disputes: ofBothSides(disputes, NEWEST_FIRST, ["decisions.operatorId"]),
    invoices: ofBothSides(invoices, NEWEST_FIRST),
    files: read(files, { uid, state: "ready" }, ["thumbnail", "uid", "place.readers"]),
    savedSearches: read(savedSearches, { ownerId: uid }, ["match", "slot"]),
    conversations: conversationsOf(database, uid),
    messages: messagesOf(database, uid),
    operatorQueue: read(operatorQueue, { personId: uid }, ["key"]),
    operatorActs: readableTitles(read(operatorLog, aboutThem, ["operatorId", "operatorName"])),
    actsAsOperator: read(operatorLog, { operatorId: uid }, ["personId", "personName"]),
    notifications: readableTitles(
      read(notifications, { recipientId: uid }, ["actorId", "onceKeys"], { _id: -1 }),
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
  const owned = read(tasks, { ownerId }).project<{ _id: ObjectId }>({ _id: 1 });
  for await (const batch of batchesOf(owned, BATCH_SIZE)) {
    const noted = { taskId: { $in: batch.map(({ _id }) => _id) }, note: { $exists: true } };
    yield* read(bids, noted).project({ taskId: 1, note: 1 });
  }
}

/** Freelancers see a conversation from its first message on. */
function findConversations({ conversations }: Database, uid: string): AsyncIterable<ConversationDoc> {
  const filter = { memberIds: uid, $nor: [{ freelancerId: uid, count: 0 }] };
  return read(conversations, filter, [], { lastAt: -1, _id: -1 });
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
  for await (const { _id: conversationId, clientId } of findConversations(database, uid))
    for await (const message of read(database.messages, { conversationId }, [], { number: 1 }))
      yield { ...message, mine: (message.by === "client") === (clientId === uid) };
}

import { ObjectId } from "mongodb";
import type { Database } from "../../src/db/client.ts";
import type { BidDoc } from "../../src/db/documents/bids.ts";
import type { ConversationDoc } from "../../src/db/documents/conversations.ts";
import type { TaskDoc } from "../../src/db/documents/tasks.ts";
import { matchOf } from "../../src/features/saved-searches/match-searches.ts";
import {
  aBidDoc,
  aConversationDoc,
  aDelivery,
  anAwardOf,
  aPersonDoc,
  aQuestionDoc,
  aReportDoc,
  aTaskDoc,
  inDays,
} from "../../test/builders.ts";
import { type Person, signUp, signUpOperator } from "../../test/people.ts";
import type { CallerName } from "./requests.ts";
import { type Placeholder, SLOTS } from "./values.ts";

/** The people and documents that exist when fuzzing begins. */
export type World = {
  /** The people who send requests, with their tokens. */
  callers: Record<Exclude<CallerName, "anonymous">, Person>;
  /** A client and a freelancer who send nothing, so that none of their documents may change. */
  guardian: Person;
  guardedBidder: Person;
  /** The value of a placeholder. */
  at(placeholder: Placeholder, index: number): string;
  /** Lets a posted task replace an earlier one. */
  posted(id: string): void;
};

// The first ones are not replaced, because they have bids.
const KEPT = 100;
const STAGES = ["open", "open", "open", "expired", "awarded", "delivered", "completed", "cancelled"] as const;
type Stage = (typeof STAGES)[number];

/** Creates the people and documents in an empty database. */
export async function makeWorld(database: Database): Promise<World> {
  const [owner, other, guardian, guardedBidder] = (await Promise.all(
    ["Olive Owner", "Otto Other", "Gwen Guardian", "Gus Guarded"].map((name) => signUp({ name })),
  )) as [Person, Person, Person, Person];
  const operator = await signUpOperator(database);
  const { tasks, bids, questions, people, reports, notifications, conversations, messages, savedSearches } =
    database;
  const { operatorQueue } = database;
  const keyOf = ({ uid }: Person) => `key-of-${uid}`;
  for (const person of [owner, other, guardian, guardedBidder]) {
    const { uid: _id, name, email } = person;
    await people.insertOne(
      aPersonDoc({ _id, name, email, emailNotices: true, unsubscribeKey: keyOf(person) }),
    );
  }

  const own = Array.from({ length: SLOTS }, (_, at) =>
    aTaskWithBid(owner, other, STAGES[at % STAGES.length] ?? "open"),
  );
  const guarded = Array.from({ length: 4 * STAGES.length }, (_, at) =>
    aTaskWithBid(guardian, guardedBidder, STAGES[at % STAGES.length] ?? "open"),
  );
  // One task of each stage is hidden, too.
  for (const { task } of guarded.slice(0, STAGES.length)) task.hidden = true;
  await tasks.insertMany([...own, ...guarded].map(({ task }) => task));
  await bids.insertMany([...own, ...guarded].map(({ bid }) => bid));
  const asked = own.map(({ task: { _id: taskId } }) => aQuestionDoc({ taskId, askerId: other.uid }));
  await questions.insertMany(asked);
  const createdAt = new Date();
  // Every fourth conversation belongs to the guarded people.
  const conversationDocs = own.map((each, at) =>
    aConversation(at % 4 === 0 ? (guarded[at % guarded.length] ?? each) : each),
  );
  const unique = [...new Map(conversationDocs.map((doc) => [String(doc.taskId), doc])).values()];
  await conversations.insertMany(unique);
  await messages.insertMany(
    unique.map(({ _id: conversationId }) => ({
      _id: new ObjectId(),
      conversationId,
      number: 1,
      by: "client" as const,
      text: "When can you begin?",
      createdAt,
    })),
  );
  const { uid: reporterId, name: reporterName } = guardedBidder;
  const someReports = own.map(({ task: { _id: taskId, title: taskTitle, ownerId: personId } }) =>
    aReportDoc({ taskId, taskTitle, personId, reporterId, reporterName, reason: "other" }),
  );
  await reports.insertMany(someReports);
  const searches = [owner, guardian].flatMap(({ uid: ownerId }) =>
    own.map((_, slot) => ({
      _id: new ObjectId(),
      ownerId,
      // People have fewer; these slots leave room for searches saved by requests.
      slot: 100 + slot,
      name: "Pages",
      search: "page",
      mail: "never" as const,
      paused: true,
      match: matchOf({ search: "page" }),
      createdAt,
    })),
  );
  await savedSearches.insertMany(searches);
  const queued = own.map(({ task: { _id: taskId, ownerId: personId } }) => ({
    _id: new ObjectId(),
    key: `first-task task:${taskId}`,
    kind: "first-task" as const,
    taskId,
    personId,
    settled: false,
    createdAt,
  }));
  await operatorQueue.insertMany(queued);
  const suspects = ["suspect-1", "suspect-2", "suspect-3"];
  for (const _id of suspects) await people.insertOne(aPersonDoc({ _id }));
  const notificationDocs = [owner, guardian].flatMap(({ uid: recipientId }) =>
    own.map(({ task }) => ({
      _id: new ObjectId(),
      recipientId,
      kind: "new-bid" as const,
      taskId: task._id,
      taskTitle: task.title,
      asClient: true,
      readAt: null,
      createdAt,
    })),
  );
  await notifications.insertMany(notificationDocs);

  const ids: Record<Placeholder, string[]> = {
    own: own.map(({ task }) => task._id.toHexString()),
    guarded: guarded.map(({ task }) => task._id.toHexString()),
    bid: own.map(({ bid }) => bid._id.toHexString()),
    question: asked.map(({ _id }) => _id.toHexString()),
    search: searches.map(({ _id }) => _id.toHexString()),
    report: someReports.map(({ _id }) => _id.toHexString()),
    conversation: unique.map(({ _id }) => _id.toHexString()),
    queued: queued.map(({ _id }) => _id.toHexString()),
    suspect: suspects,
    // The owner's and the guardian's, which others must not see.
    notification: notificationDocs.map(({ _id }) => _id.toHexString()),
    person: [owner.uid, other.uid, guardian.uid],
    email: [owner.email, other.email, guardian.email],
    // The guardian's key is unknown to others.
    key: [keyOf(owner), keyOf(other), keyOf(owner)],
  };
  let next = 0;
  return {
    callers: { owner, other, operator },
    guardian,
    guardedBidder,
    at: (placeholder, index) => ids[placeholder][index % ids[placeholder].length] ?? "",
    posted(id) {
      ids.own[KEPT + (next++ % (SLOTS - KEPT))] = id;
    },
  };
}

function aTaskWithBid(client: Person, bidder: Person, stage: Stage): { task: TaskDoc; bid: BidDoc } {
  const hired = stage === "awarded" || stage === "delivered" || stage === "completed";
  const _id = new ObjectId();
  const bid = aBidDoc({
    taskId: _id,
    bidderId: bidder.uid,
    bidderName: bidder.name,
    bidderEmail: bidder.email,
    message: "I can do this.",
    days: 3,
  });
  const task = aTaskDoc({
    _id,
    ownerId: client.uid,
    email: client.email,
    name: client.name,
    bidsCount: 1,
    ...(stage === "expired" ? { deadline: inDays(-3) } : { state: stage }),
    ...(hired && { award: anAwardOf(bid), awardCount: 1 }),
    ...(stage === "delivered" && { delivery: aDelivery() }),
  });
  return { task, bid };
}

function aConversation({ task, bid }: { task: TaskDoc; bid: BidDoc }): ConversationDoc {
  return aConversationDoc({
    taskId: task._id,
    taskTitle: task.title,
    clientId: task.ownerId,
    freelancerId: bid.bidderId,
    count: 1,
    unreadBy: bid.bidderId,
    seen: { client: 1, freelancer: 0 },
  });
}

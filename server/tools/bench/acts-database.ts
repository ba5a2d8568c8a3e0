import { MongoClient, ObjectId } from "mongodb";
import { FIRST_TASKS } from "../../src/contract/index.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import type { BidDoc } from "../../src/db/documents/bids.ts";
import type { NotificationDoc } from "../../src/db/documents/notifications.ts";
import { migrate } from "../../src/db/migrate.ts";
import { aBidDoc, aConversationDoc, anAwardOf, aTaskDoc } from "../../test/builders.ts";

/** A database for measuring what people do with tasks, bids and messages: ids of its documents, and their owners. */
export type ActsDatabase = {
  dbName: string;
  /** Without bids, to be edited. */
  tasks: Owned[];
  /** With three bids each; `bid` is to be awarded. */
  undecided: (Owned & { bid: string })[];
  conversations: Owned[];
  /** Tasks with twenty bids each, to be read. */
  receivedBids: Owned[];
  /** People with thirty notifications each. */
  notified: number[];
};

/** `owner` is the index of a token. */
type Owned = { id: string; owner: number };

const BATCH = 2_000;
const EDITED = 500;
const RECEIVED_BIDS_TASKS = 300;
const BIDS = { undecided: 3, receivedBids: 20 } as const;
const NOTIFICATIONS = 30;
const DAY_MS = 86_400_000;

/**
 * Creates and fills the database.
 * @param people the number of tokens.
 * @param awards the number of tasks that can be awarded, each once.
 */
export async function createActsDatabase(
  uri: string,
  dbName: string,
  { people, awards }: { people: number; awards: number },
): Promise<ActsDatabase> {
  await migrate({ uri, dbName });
  const client = await MongoClient.connect(uri);
  try {
    const { tasks, bids, conversations, notifications } = collectionsOf(client.db(dbName));
    const store = async <T extends object>(into: { insertMany(docs: T[]): Promise<unknown> }, docs: T[]) => {
      for (let at = 0; at < docs.length; at += BATCH) await into.insertMany(docs.slice(at, at + BATCH));
    };
    const owners = Array.from({ length: people }, (_, owner) => owner);
    // Yesterday, so that no notifications about it are due any more.
    const createdAt = new Date(Date.now() - DAY_MS);
    const taskOf = (owner: number, fields = {}) => aTaskDoc({ ownerId: uidOf(owner), createdAt, ...fields });
    const some = (count: number, fields = {}) =>
      Array.from({ length: count }, (_, at) => ({ owner: at % people, task: taskOf(at % people, fields) }));
    const bidsOn = ({ owner, task }: { owner: number; task: { _id: ObjectId } }, count: number): BidDoc[] =>
      Array.from({ length: count }, (_, at) =>
        aBidDoc({
          taskId: task._id,
          bidderId: uidOf((owner + 1 + at) % people),
          createdAt,
          amount: 300 + at,
        }),
      );

    // Gives every client earlier tasks: the first ones would go to the operators' queue.
    await store(
      tasks,
      owners.flatMap((owner) => Array.from({ length: FIRST_TASKS }, () => taskOf(owner))),
    );
    const edited = some(EDITED);
    const undecided = some(awards, { bidsCount: BIDS.undecided });
    const receivedBids = some(RECEIVED_BIDS_TASKS, { bidsCount: BIDS.receivedBids });
    const toDecide = undecided.map((one) => ({ ...one, bids: bidsOn(one, BIDS.undecided) }));
    const toRead = receivedBids.map((one) => bidsOn(one, BIDS.receivedBids));
    const hired = some(people, { bidsCount: 1 }).map(({ owner, task }) => {
      const [bid] = bidsOn({ owner, task }, 1) as [BidDoc];
      return {
        owner,
        bid,
        task: { ...task, state: "awarded" as const, award: anAwardOf(bid), awardCount: 1 },
      };
    });
    await store(
      tasks,
      [...edited, ...undecided, ...receivedBids, ...hired].map(({ task }) => task),
    );
    await store(bids, [
      ...toDecide.flatMap((one) => one.bids),
      ...toRead.flat(),
      ...hired.map(({ bid }) => bid),
    ]);
    const withConversations = hired.map(({ owner, task, bid }) => ({
      owner,
      talk: aConversationDoc({
        taskId: task._id,
        clientId: uidOf(owner),
        freelancerId: bid.bidderId,
        createdAt,
      }),
    }));
    await store(
      conversations,
      withConversations.map(({ talk }) => talk),
    );
    const notified = owners.slice(0, RECEIVED_BIDS_TASKS);
    const notifiedTasks = edited.slice(0, NOTIFICATIONS).map(({ task }) => task);
    await store(
      notifications,
      notified.flatMap((owner) => notificationsOf(uidOf(owner), notifiedTasks, createdAt)),
    );
    const idOf = ({ owner, task }: { owner: number; task: { _id: ObjectId } }): Owned => ({
      owner,
      id: task._id.toHexString(),
    });
    return {
      dbName,
      tasks: edited.map(idOf),
      undecided: toDecide.flatMap((one) => {
        const [first] = one.bids;
        return first ? { ...idOf(one), bid: first._id.toHexString() } : [];
      }),
      conversations: withConversations.map(({ owner, talk }) => ({ owner, id: talk._id.toHexString() })),
      receivedBids: receivedBids.map(idOf),
      notified,
    };
  } finally {
    await client.close();
  }
}

/** The id of the person who has the token with this index. */
export const uidOf = (number: number) => `bidder-${number}`;

function notificationsOf(
  recipientId: string,
  tasks: readonly { _id: ObjectId; title: string }[],
  createdAt: Date,
): NotificationDoc[] {
  return tasks.map(({ _id: taskId, title: taskTitle }, at) => ({
    _id: new ObjectId(),
    recipientId,
    kind: "new-bid" as const,
    taskId,
    taskTitle,
    asClient: true,
    actor: "Ada",
    amount: 100 + at,
    readAt: at % 3 === 0 ? null : createdAt,
    createdAt,
  }));
}

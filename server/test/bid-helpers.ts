import { ObjectId } from "mongodb";
import type supertest from "supertest";
import { vi } from "vitest";
import type { BidDraft, BidTriage, NotificationKind } from "../src/contract/index.ts";
import type { Harness } from "./harness.ts";
import type { Person } from "./people.ts";

/** Waits until no announcement is pending, for one task or for all. */
export async function waitForAnnouncements({ database }: Harness, taskId?: string): Promise<void> {
  const ofTask = taskId !== undefined && { "announcement.taskId": new ObjectId(taskId) };
  const waiting = { kind: "announcement", subject: { $ne: "" }, ...ofTask } as const;
  const isDone = async () => (await database.jobs.findOne(waiting)) === null;
  await vi.waitUntil(isDone, { timeout: 8_000, interval: 10 });
}

/**
 * Sends one of several requests of a person at the same moment. They collide, which can take a busy machine longer than a
 * transaction is tried: then the response is 503, "try again shortly", and it is sent again, as clients do.
 */
export async function sendColliding(
  send: () => PromiseLike<supertest.Response>,
): Promise<supertest.Response> {
  let response = await send();
  while (response.status === 503) response = await send();
  return response;
}

/** Places and awards bids through the API, and reads their effects from the database. */
export function bidHelpers(harness: Harness) {
  const bidOf = async (taskId: string, person: Person) => {
    const bid = await harness.database.bids.findOne({ taskId: new ObjectId(taskId), bidderId: person.uid });
    if (!bid) throw new Error(`${person.name} has no bid on ${taskId}`);
    return bid;
  };
  const bidId = async (taskId: string, person: Person) => (await bidOf(taskId, person))._id.toHexString();
  return {
    /** Open tasks, of this client if there is one. @returns their ids. */
    insertTasks: async (count: number, client?: Person) => {
      const fields = client ? { ownerId: client.uid } : {};
      const docs = Array.from({ length: count }, () => harness.insertTask(fields));
      return (await Promise.all(docs)).map(({ _id }) => _id.toHexString());
    },
    bidOf,
    bidId,
    bid: async (taskId: string, person: Person, draft?: BidDraft) => {
      await harness.ok(person).patch(`/tasks/${taskId}/bid`, draft);
    },
    award: async (taskId: string, client: Person, winner: Person) => {
      const body = { bidId: await bidId(taskId, winner) };
      await harness.ok(client).post(`/tasks/${taskId}/award`, body);
    },
    /** Opens the client's conversation with somebody who has bid. @returns its id. */
    converse: async (taskId: string, client: Person, bidder: Person): Promise<string> => {
      const path = `/tasks/${taskId}/bids/${await bidId(taskId, bidder)}/conversation`;
      return (await harness.ok(client).post(path)).body.insertedId;
    },
    /** Changes the state of the client's task. */
    move: async (taskId: string, client: Person, state: string, more: object = {}) => {
      await harness.ok(client).patch(`/tasks/${taskId}/state`, { state, ...more });
    },
    triage: async (taskId: string, client: Person, bidder: Person, state: BidTriage["state"]) => {
      const path = `/tasks/${taskId}/bids/${await bidId(taskId, bidder)}`;
      await harness.ok(client).patch(path, { state });
    },
    /** The task's stored bid count, and how many bids it really has. */
    bidCounts: async (taskId: string) => {
      await waitForAnnouncements(harness, taskId);
      const bids = await harness.database.bids.countDocuments({ taskId: new ObjectId(taskId) });
      return { onTask: (await harness.taskInStore(taskId))?.bidsCount, bids };
    },
    /** The kinds of a person's notifications about a task, oldest first. */
    notificationKinds: async (person: Person, taskId: string): Promise<NotificationKind[]> => {
      await waitForAnnouncements(harness, taskId);
      const filter = { recipientId: person.uid, taskId: new ObjectId(taskId) };
      const found = await harness.database.notifications.find(filter).sort({ _id: 1 }).toArray();
      return found.flatMap(({ kind, count = 1 }) => Array<NotificationKind>(count).fill(kind));
    },
  };
}

import { ObjectId } from "mongodb";
import { vi } from "vitest";
import type { BidDraft, NotificationKind } from "../src/contract/index.ts";
import { expectProblem, type Harness } from "./harness.ts";
import type { Person } from "./people.ts";

/** Waits until nothing that was announced is left to be told, of this task or of all. */
export async function everybodyTold({ database }: Harness, id?: string): Promise<void> {
  const filter = id === undefined ? {} : { taskId: new ObjectId(id) };
  const left = () => database.announcements.countDocuments(filter);
  await vi.waitUntil(async () => (await left()) === 0, { timeout: 8_000, interval: 10 });
}

/** Bids and what follows from them, in the words of the tests. */
export function hiring(harness: Harness) {
  const bidOf = async (id: string, person: Person) => {
    const bid = await harness.database.bids.findOne({ taskId: new ObjectId(id), bidderId: person.uid });
    if (!bid) throw new Error(`${person.name} has no bid on ${id}`);
    return bid;
  };
  return {
    bidOf,
    /** The same, but only its id. */
    bidId: async (id: string, person: Person) => (await bidOf(id, person))._id.toHexString(),
    bid: async (id: string, person: Person, draft?: BidDraft) => {
      await harness.as(person).patch(`/tasks/${id}/bid`, draft).expect(200);
    },
    award: async (id: string, client: Person, winner: Person) => {
      const bidId = (await bidOf(id, winner))._id.toHexString();
      await harness.as(client).post(`/tasks/${id}/award`, { bidId }).expect(200);
    },
    /** Bids of a task as counted on it, and as they are. */
    counts: async (id: string) => {
      await everybodyTold(harness, id);
      const bids = await harness.database.bids.countDocuments({ taskId: new ObjectId(id) });
      return { onTask: (await harness.taskInStore(id))?.bidsCount, bids };
    },
    /** What a person was told of a task, in order. */
    told: async (person: Person, id: string): Promise<NotificationKind[]> => {
      await everybodyTold(harness, id);
      const filter = { recipientId: person.uid, taskId: new ObjectId(id) };
      const found = await harness.database.notifications.find(filter).sort({ _id: 1 }).toArray();
      return found.map(({ kind }) => kind);
    },
    refused: expectProblem,
  };
}

import { MongoClient } from "mongodb";
import { collectionsOf } from "../src/db/collections.ts";
import type { Instance } from "./instance.ts";
import type { StoredBid, StoredTask } from "./ledger.ts";
import type { Member } from "./member.ts";

/** What the database holds, as a majority has it. */
export async function readStored(uri: string): Promise<{ tasks: StoredTask[]; bids: StoredBid[] }> {
  const client = new MongoClient(uri, { readConcern: { level: "majority" } });
  try {
    const { tasks, bids } = collectionsOf(client.db());
    const [taskDocs, bidDocs] = [await tasks.find().toArray(), await bids.find().toArray()];
    const budgets = new Map(taskDocs.map(({ _id, budget }) => [_id.toHexString(), budget]));
    return {
      tasks: taskDocs.map(({ _id, title, bidsCount }) => ({ id: _id.toHexString(), title, bidsCount })),
      bids: bidDocs.map(({ taskId, bidderId, amount }) => {
        const id = taskId.toHexString();
        // A bid in one click is at the task's price.
        return { taskId: id, bidderId, amount: amount ?? budgets.get(id) ?? Number.NaN };
      }),
    };
  } finally {
    await client.close();
  }
}

/** Do all members hold the same tasks and bids? Compared by MongoDB's own hash of each collection. */
export async function membersAgree(members: readonly Member[]): Promise<boolean> {
  const hashes = new Set<string>();
  for (const each of members) {
    const { collections } = await dbHash(each);
    hashes.add(JSON.stringify([collections["tasks"], collections["bids"]]));
  }
  return hashes.size === 1;
}

async function dbHash({ port }: Member): Promise<{ collections: Record<string, string> }> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/tasklane?directConnection=true`);
  try {
    const answer = await client.db().command({ dbHash: 1, collections: ["tasks", "bids"] });
    return answer as unknown as { collections: Record<string, string> };
  } finally {
    await client.close();
  }
}

/** Tasks of which an instance tells another number of bids than is stored: an answer it should not have kept. */
export async function staleAnswers(
  instances: readonly Instance[],
  tasks: readonly StoredTask[],
): Promise<string[]> {
  const stale: string[] = [];
  for (const { url } of instances) {
    for (const { id, bidsCount } of tasks) {
      const answer = await fetch(`${url}/tasks/${id}`);
      const body = (await answer.json()) as { bidsCount?: number };
      if (body.bidsCount !== bidsCount)
        stale.push(`${url} ${id}: ${answer.status}, bidsCount ${body.bidsCount}, stored ${bidsCount}`);
    }
  }
  return stale;
}

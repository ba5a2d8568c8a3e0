import { MongoClient } from "mongodb";
import type { SavedSearchDraft } from "../src/contract/index.ts";
import { collectionsOf } from "../src/db/collections.ts";
import type { Person } from "../test/people.ts";
import type { Instance } from "./instance.ts";

/** Saves a search that every task of the run matches. */
export async function saveSearch({ url }: Instance, { token }: Person): Promise<void> {
  const search: SavedSearchDraft = { name: "All of them", search: "chaos", mail: "never" };
  const response = await fetch(`${url}/me/searches`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(search),
  });
  if (!response.ok) throw new Error(`the search was not saved: ${response.status} ${await response.text()}`);
}

/**
 * Tasks that this person was not told of, or more than once. One that was awarded, cancelled or changed may have been so
 * before anybody was told.
 */
export async function wronglyTold(uri: string, { uid: recipientId }: Person): Promise<string[]> {
  const client = await MongoClient.connect(uri, { readConcern: { level: "majority" } });
  try {
    const { tasks, notifications } = collectionsOf(client.db());
    const told = await notifications.find({ recipientId, kind: "search-match" }).toArray();
    const counts = new Map<string, number>();
    for (const { taskId } of told)
      counts.set(taskId.toHexString(), (counts.get(taskId.toHexString()) ?? 0) + 1);
    const untouched = await tasks.find({ state: "open", revision: 0 }, { projection: { _id: 1 } }).toArray();
    return [
      ...untouched.map(({ _id }) => _id.toHexString()).filter((id) => !counts.has(id)),
      ...[...counts].flatMap(([id, count]) => (count > 1 ? id : [])),
    ].map((id) => `told of the new task ${id} ${counts.get(id) ?? 0} times`);
  } finally {
    await client.close();
  }
}

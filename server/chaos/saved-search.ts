import type { SavedSearchDraft } from "../src/contract/index.ts";
import type { Collections } from "../src/db/collections.ts";
import type { Person } from "../test/people.ts";
import type { Instance } from "./instance.ts";

/** Somebody who saved a search. */
export type Watcher = { person: Person; search: SavedSearchDraft };

/** Every task of the run has it in its title. */
const WORD = "chaos";

/** Every task matches the one, a part of them the other, which is emailed at once. */
export const SEARCHES = {
  all: { name: "All of them", search: WORD, mail: "never" },
  emailed: { name: "The better paid", search: WORD, minBudget: "700", mail: "at-once" },
} as const satisfies Record<string, SavedSearchDraft>;

export async function saveSearch({ url }: Instance, { person, search }: Watcher): Promise<void> {
  const response = await fetch(`${url}/me/searches`, {
    method: "POST",
    headers: { authorization: `Bearer ${person.token}`, "content-type": "application/json" },
    body: JSON.stringify(search),
  });
  if (!response.ok) throw new Error(`the search was not saved: ${response.status} ${await response.text()}`);
}

/**
 * Tasks that this person was not told of, more than once, or without reason. One that was awarded, cancelled or changed
 * may have been so before anybody was told.
 */
export async function wronglyTold(
  { tasks, notifications }: Collections,
  { person, search }: Watcher,
): Promise<string[]> {
  const told = await notifications.find({ recipientId: person.uid, kind: "search-match" }).toArray();
  const counts = new Map<string, number>();
  for (const { taskId } of told)
    counts.set(taskId.toHexString(), (counts.get(taskId.toHexString()) ?? 0) + 1);
  const matching = { budget: { $gte: Number(search.minBudget ?? 0) } };
  const found = await tasks.find(matching, { projection: { state: 1, revision: 1 } }).toArray();
  const matches = new Set(found.map(({ _id }) => _id.toHexString()));
  const untouched = found.filter(({ state, revision }) => state === "open" && revision === 0);
  return [
    ...untouched.map(({ _id }) => _id.toHexString()).filter((id) => !counts.has(id)),
    ...[...counts].flatMap(([id, count]) => (count > 1 || !matches.has(id) ? id : [])),
  ].map((id) => `${search.name}: told of the new task ${id} ${counts.get(id) ?? 0} times`);
}

import type { SavedSearchDraft } from "../../src/contract/index.ts";
import type { Collections } from "../../src/db/collections.ts";
import type { Person } from "../../test/people.ts";
import type { Instance } from "./instance.ts";

/** Somebody with a saved search. */
export type Watcher = { person: Person; search: SavedSearchDraft };

/** Part of every task's title. */
const WORD = "chaos";

/** All tasks match the first; some match the second, which is emailed immediately. */
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
 * Tasks that this person was not notified of exactly once, or that do not match. A task that was awarded, cancelled or
 * changed may have been so before anybody was notified, so no notification is required for it.
 */
export async function savedSearchProblems(
  { tasks, notifications }: Collections,
  { person, search }: Watcher,
): Promise<string[]> {
  const received = await notifications.find({ recipientId: person.uid, kind: "search-match" }).toArray();
  const counts = new Map<string, number>();
  for (const { taskId } of received)
    counts.set(taskId.toHexString(), (counts.get(taskId.toHexString()) ?? 0) + 1);
  const matching = { budget: { $gte: Number(search.minBudget ?? 0) } };
  const found = await tasks.find(matching, { projection: { state: 1, revision: 1 } }).toArray();
  const matches = new Set(found.map(({ _id }) => _id.toHexString()));
  const untouched = found.filter(({ state, revision }) => state === "open" && revision === 0);
  return [
    ...untouched.map(({ _id }) => _id.toHexString()).filter((id) => !counts.has(id)),
    ...[...counts].flatMap(([id, count]) => (count > 1 || !matches.has(id) ? id : [])),
  ].map((id) => `${search.name}: notified ${counts.get(id) ?? 0} times of the new task ${id}`);
}

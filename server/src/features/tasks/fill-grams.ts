import type { AnyBulkWriteOperation, Collection } from "mongodb";
import type { TaskDoc } from "../../db/collections.ts";
import { planUnfilled } from "./task-query.ts";
import { titleGrams } from "./title-grams.ts";

const BATCH = 500;
const MOST_PASSES = 5;
/** Where earlier versions kept theirs. */
const EARLIER_GRAMS: Record<string, ""> = { grams: "" };

/**
 * Gives grams to the tasks that have none of today's kind: those stored by an earlier version. Until then a search finds
 * them by their titles, only slower, so this may be interrupted, started again, and run by several instances at once: what has grams
 * is done, and a title that is edited meanwhile brings its own.
 * @returns how many tasks it filled.
 */
export async function fillGrams(
  tasks: Collection<TaskDoc>,
  options: { signal?: AbortSignal; batch?: number } = {},
): Promise<number> {
  const { signal, batch = BATCH } = options;
  let filled = 0;
  // A title that was edited without grams in the middle of a pass (by an older version) is left for the next one.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const { found, changed } = await onePass(tasks, batch, signal);
    filled += changed;
    if (found === changed || signal?.aborted) break;
  }
  return filled;
}

type Pass = { found: number; changed: number };

// The search indexes hold missing grams as null, so with them this finds nothing at once when there is nothing to do.
async function onePass(tasks: Collection<TaskDoc>, batch: number, signal?: AbortSignal): Promise<Pass> {
  const unfilled = planUnfilled().filter;
  const cursor = tasks.find(unfilled, { projection: { title: 1 }, batchSize: batch });
  const pass: Pass = { found: 0, changed: 0 };
  let updates: AnyBulkWriteOperation<TaskDoc>[] = [];
  const write = async () => {
    if (updates.length === 0) return;
    pass.found += updates.length;
    pass.changed += (await tasks.bulkWrite(updates, { ordered: false })).modifiedCount;
    updates = [];
  };
  try {
    for await (const { _id, title } of cursor) {
      if (signal?.aborted) break;
      // Only while the title is the one that was read.
      const filter = { _id, title, grams2: null };
      const update = { $set: { grams2: titleGrams(title) }, $unset: EARLIER_GRAMS };
      updates.push({ updateOne: { filter, update } });
      if (updates.length >= batch) await write();
    }
    await write();
  } finally {
    await cursor.close();
  }
  return pass;
}

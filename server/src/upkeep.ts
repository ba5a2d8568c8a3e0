import type { Logger } from "pino";
import type { Database, DatabaseAddress } from "./db/client.ts";
import { buildIndexes } from "./db/indexes.ts";
import { fillGrams } from "./features/tasks/fill-grams.ts";

/** Work on the stored data beside the serving of requests. */
export type Upkeep = { done: Promise<void>; stop(): Promise<void> };

/**
 * Brings the data of an earlier version up to this one: grams for tasks that have none, then the indexes that were too
 * large to wait for. Requests are answered meanwhile, rightly and more slowly; a failure is logged, and the next start
 * goes on where this one stopped.
 * @param options.indexesMissing as `prepareDatabase` found it.
 */
export function startUpkeep(
  { database, address, logger }: { database: Database; address: DatabaseAddress; logger: Logger },
  options: { indexesMissing: boolean },
): Upkeep {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function fill(): Promise<void> {
    const filled = await fillGrams(database.tasks, { signal });
    if (filled > 0) logger.info({ tasks: filled }, "tasks made searchable");
  }

  async function run(): Promise<void> {
    const complete = !options.indexesMissing && (await database.hints.refresh());
    // Before the indexes: one over what is there is built sooner than one that grows.
    await fill();
    if (complete || signal.aborted) return;
    await buildIndexes(address, logger);
    await database.hints.refresh();
    await fill();
  }

  const done = run().catch((error: unknown) => {
    if (!signal.aborted) logger.error({ err: error }, "upkeep failed, the next start continues it");
  });
  return {
    done,
    async stop() {
      stopping.abort();
      // An index build goes on in the database by itself: there is nothing to wait for here but a batch of grams.
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

const STOP_MS = 3_000;

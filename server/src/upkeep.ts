import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database, DatabaseAddress } from "./db/client.ts";
import { buildIndexes } from "./db/indexes.ts";
import { fillGrams } from "./features/tasks/fill-grams.ts";

/** Work on the stored data beside the serving of requests. */
export type Upkeep = {
  done: Promise<void>;
  /** True once every declared index is built: from then on no request reads a whole collection for want of one. */
  hasIndexes(): boolean;
  stop(): Promise<void>;
};

/**
 * Brings the data of an earlier version up to this one: grams for tasks that have none, then the indexes that were too
 * large to wait for. Requests are answered meanwhile, rightly and more slowly; a failure is logged, and indexes are tried
 * again until they are there.
 */
export function startUpkeep({
  database,
  address,
  logger,
}: {
  database: Database;
  address: DatabaseAddress;
  logger: Logger;
}): Upkeep {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function fill(): Promise<void> {
    const filled = await fillGrams(database.tasks, { signal });
    if (filled > 0) logger.info({ tasks: filled }, "tasks made searchable");
  }

  // Without one of the indexes this instance is not ready, so it does not wait for the next start to try again.
  async function build(): Promise<void> {
    while (!signal.aborted) {
      try {
        await buildIndexes(address, logger);
        await database.hints.refresh();
        return;
      } catch (error) {
        logger.error({ err: error }, "indexes could not be built, trying again");
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  }

  let hasIndexes = database.hints.complete();
  async function run(): Promise<void> {
    // Before the indexes: one over what is there is built sooner than one that grows.
    await fill();
    if (hasIndexes || signal.aborted) return;
    await build();
    hasIndexes = true;
    await fill();
  }

  const done = run().catch((error: unknown) => {
    if (!signal.aborted) logger.error({ err: error }, "upkeep failed, the next start continues it");
  });
  return {
    done,
    hasIndexes: () => hasIndexes,
    async stop() {
      stopping.abort();
      // An index build goes on in the database by itself: there is nothing to wait for here but a batch of grams.
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
    },
  };
}

const STOP_MS = 3_000;
const RETRY_MS = 5_000;

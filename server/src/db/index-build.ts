import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database, DatabaseAddress } from "./client.ts";
import { buildIndexes } from "./prepare-database.ts";

/** The building of indexes beside the serving of requests. */
export type IndexBuild = {
  /** True once every declared index is built: from then on no request reads a whole collection for want of one. */
  isComplete(): boolean;
  stop(): void;
};

const RETRY_MS = 5_000;

/**
 * Builds the indexes that were too large to wait for before the first request. Requests are answered meanwhile, rightly
 * and more slowly. A failure is logged, and tried again: without one of them this instance is not ready.
 */
export function startIndexBuild({
  database,
  address,
  logger,
}: {
  database: Database;
  address: DatabaseAddress;
  logger: Logger;
}): IndexBuild {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function build(): Promise<void> {
    while (!signal.aborted && !database.hints.complete()) {
      try {
        await buildIndexes(address, logger);
        await database.hints.refresh();
      } catch (error) {
        if (signal.aborted) return;
        logger.error({ err: error }, "indexes could not be built, trying again");
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  void build();
  return { isComplete: () => database.hints.complete(), stop: () => stopping.abort() };
}

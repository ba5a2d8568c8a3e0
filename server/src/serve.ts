import { setTimeout as sleep } from "node:timers/promises";
import type { RequestHandler } from "express";
import { type Logger, pino } from "pino";
import { createApp } from "./app.ts";
import { createFirebaseTokenVerifier } from "./auth/firebase-token-verifier.ts";
import type { Config } from "./config.ts";
import { createAnnouncer } from "./db/announcements.ts";
import { openChangeFeed } from "./db/change-feed.ts";
import { openDatabase } from "./db/client.ts";
import { type IndexBuild, startIndexBuild } from "./db/index-build.ts";
import { prepareDatabase } from "./db/prepare-database.ts";
import { closureStore } from "./features/account-data/closures.ts";
import { finishDeletions } from "./features/account-data/erase-account.ts";
import { eraseSteps } from "./features/account-data/erase-steps.ts";
import { startNotificationJobs } from "./features/notifications/notification-jobs.ts";
import { type Listener, listen } from "./http/listen.ts";
import { createMetrics, serveMetrics } from "./http/metrics.ts";
import { probeLimit, shedder } from "./http/overload.ts";
import { openRateCounts } from "./http/rate-limit.ts";
import { rateLimits } from "./http/request-limits.ts";
import { describeError } from "./http/request-log.ts";
import { schedulePeriodic } from "./schedule-periodic.ts";

/** A server that takes requests until `close` is called. */
export type RunningServer = {
  url: string;
  port: number;
  /** The product's log. */
  log: Logger;
  /** Answers what is in flight, ends what stays open and lets go of the database; within ten seconds. */
  close(): Promise<void>;
};

/**
 * Connects to the database, prepares its collections and indexes, and listens.
 * Indexes that take longer are built while requests are answered.
 * @param options.front handlers that see every request before the product does (the local launcher's proxy).
 * @param options.cacheResponses false serializes every response anew: benchmarks measure the cost of a read with it.
 * @throws {ListenError} if the port is taken or not allowed; a MongoDB error if the database does not answer.
 */
export async function serve(
  config: Config,
  options: { front?: RequestHandler[]; cacheResponses?: boolean } = {},
): Promise<RunningServer> {
  const logger = pino({
    level: config.logLevel,
    serializers: { err: (error) => describeError(error) },
  });
  await prepareDatabase(config.mongodb, { log: logger, waitUpTo: SMALL });
  const database = await openDatabase(config.mongodb);
  const changes = openChangeFeed(config.mongodb, logger);
  const announcer = createAnnouncer(database, { log: logger });
  const counts = config.rateLimits ? openRateCounts(config.mongodb) : undefined;
  const stopping = new AbortController();
  const load = shedder({
    onShed: (requests) => logger.warn({ requests }, "overloaded, turned requests away"),
  });
  const metrics = config.metrics && createMetrics();
  metrics?.watch("requests_in_flight", "Requests being answered", load.inFlight);
  metrics?.watch("lists_in_flight", "Those of them that are whole lists", load.lists);
  metrics?.watch("requests_shed", "Requests turned away because of overload, since the start", load.shed);
  metrics?.watch("event_streams", "Event streams that are open", load.exempt);
  metrics?.watch("change_feed_live", "1 while news of the database arrive", () => Number(changes.isLive()));
  for (const name of ["open", "inUse", "waiting", "failures"] as const) {
    const label = name === "inUse" ? "in_use" : name;
    metrics?.watch(`mongo_pool_${label}`, `Connections to MongoDB: ${name}`, () => database.pool()[name]);
  }
  let observed: { close(): Promise<void> } | undefined;
  const disconnect = async () => {
    load.close();
    await observed?.close();
    await counts?.close();
    await changes.close();
    await database.close();
  };
  let listener: Listener;
  let indexes: IndexBuild | undefined;
  try {
    if (metrics && config.metrics) observed = await serveMetrics(metrics, config.metrics);
    const app = createApp({
      database,
      changes,
      announcer,
      verifier: createFirebaseTokenVerifier(config.firebase),
      logger,
      settings: config,
      stopping: stopping.signal,
      cacheResponses: options.cacheResponses,
      gates: [
        ...(options.front ?? []),
        ...(metrics ? [metrics.handler] : []),
        load.handler,
        ...(config.rateLimits ? [probeLimit()] : []),
      ],
      readiness: [
        { name: "load", isReady: () => !load.overloaded() },
        { name: "indexes", isReady: () => indexes?.isComplete() === true },
      ],
      limits:
        counts &&
        rateLimits(counts, {
          onFailure: (error) =>
            logger.warn({ err: error }, "rate counts cannot be shared, this instance limits by its own"),
        }),
    });
    listener = await listen(app, {
      port: config.port,
      hosts: hostsOf(config),
      behindProxy: config.trustProxy > 0,
    });
    const { connections } = listener;
    metrics?.watch("connections_open", "Connections of clients that are open", connections.open);
    metrics?.watch("connections_busy", "Connections on which a request is being answered", connections.busy);
    metrics?.watch("connections_evicted", "Idle connections closed to make room", connections.evicted);
    metrics?.watch("connections_refused", "New connections closed for want of room", connections.refused);
  } catch (error) {
    await disconnect();
    throw error;
  }
  const deletions = { steps: eraseSteps(database, announcer), closures: closureStore(database) };
  const cleaning = schedulePeriodic(() => finishDeletions(deletions, () => new Date()), {
    name: "deletion of accounts",
    everyMs: 30_000,
    log: logger,
  });
  const informing = startNotificationJobs({
    database,
    announcer,
    mail: config.mail,
    logger,
    now: () => new Date(),
  });
  indexes = startIndexBuild({ database, address: config.mongodb, logger });
  return {
    url: `http://localhost:${listener.port}`,
    port: listener.port,
    log: logger,
    // First nobody is sent here any more and streams end, then requests in flight are answered; they need the database.
    async close() {
      stopping.abort();
      indexes?.stop();
      if (config.stopDelayMs > 0) await sleep(config.stopDelayMs);
      await Promise.all([listener.close(), cleaning.stop(), informing.stop()]);
      await disconnect();
    },
  };
}

/** So many documents are indexed within the first second; more are indexed behind the first requests. */
const SMALL = 2_000;

// Tokens of the emulator can be forged by anybody who reaches this port, so by default nobody but this machine does.
function hostsOf({ host, firebase }: Config): string[] {
  if (host) return [host];
  return firebase.emulatorHost ? ["127.0.0.1", "::1"] : [];
}

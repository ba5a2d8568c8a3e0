import { setTimeout as sleep } from "node:timers/promises";
import type { RequestHandler } from "express";
import { type Logger, pino } from "pino";
import { createApp } from "./app.ts";
import { createFirebaseAccountAdmin, createFirebaseTokenVerifier } from "./auth/firebase-token-verifier.ts";
import type { TokenVerifier } from "./auth/token-verifier.ts";
import type { Config } from "./config.ts";
import { createAnnouncer } from "./db/announcements.ts";
import { type ChangeFeed, openChangeFeed } from "./db/change-feed.ts";
import { type Database, openDatabase } from "./db/client.ts";
import { type IndexBuild, prepareDatabase, startIndexBuild } from "./db/prepare-database.ts";
import { createSearchAlerts } from "./features/saved-searches/search-alerts.ts";
import { type Listener, listen } from "./http/listen.ts";
import { createMetrics, type Metrics, serveMetrics } from "./http/metrics.ts";
import { createLoadShedder, type LoadShedder, probeLimit } from "./http/overload.ts";
import { openRateCounts } from "./http/rate-counts.ts";
import { rateLimits } from "./http/request-limits.ts";
import { describeError } from "./http/request-log.ts";
import { periodicJobs } from "./jobs.ts";
import { startJobs } from "./schedule-periodic.ts";

/** A server that takes requests until `close` is called. */
export type RunningServer = {
  url: string;
  port: number;
  /** The product's log. */
  log: Logger;
  /** Finishes requests in flight, ends streams and disconnects from the database; within ten seconds. */
  close(): Promise<void>;
};

/**
 * Connects to the database, prepares its collections and indexes, and listens.
 * Indexes that take longer are built while requests are served.
 * @param options.earlyMiddleware handlers that see every request before the product does (the local launcher's proxy).
 * @param options.verifier instead of Firebase's, which needs Google's keys from the internet (benchmarks).
 * @param options.cacheResponses false serializes every response anew: benchmarks measure the cost of a read with it.
 * @throws {ListenError} if the port is taken or not allowed; a MongoDB error if the database does not respond.
 */
export async function serve(
  config: Config,
  options: { earlyMiddleware?: RequestHandler[]; verifier?: TokenVerifier; cacheResponses?: boolean } = {},
): Promise<RunningServer> {
  const logger = pino({
    level: config.logLevel,
    serializers: { err: (error) => describeError(error) },
  });
  await prepareDatabase(config.mongodb, { log: logger, waitUpTo: SMALL });
  const database = await openDatabase(config.mongodb);
  const changes = openChangeFeed(config.mongodb, logger);
  const announcer = createAnnouncer(database, { log: logger });
  const alerts = createSearchAlerts(database, { log: logger, emails: config.mail !== undefined });
  const counts = config.rateLimits ? openRateCounts(config.mongodb) : undefined;
  const stopping = new AbortController();
  const load = createLoadShedder({
    onShed: (requests) => logger.warn({ requests }, "overloaded, turned requests away"),
  });
  const metrics = config.metrics && createMetrics();
  let observed: { close(): Promise<void> } | undefined;
  const disconnect = async () => {
    load.close();
    await observed?.close();
    await counts?.close();
    await changes.close();
    await database.close();
  };
  const { firebase } = config;
  let indexes: IndexBuild | undefined;
  try {
    if (metrics && config.metrics) observed = await serveMetrics(metrics, config.metrics);
    const { verifier = createFirebaseTokenVerifier(firebase) } = options;
    // Without credentials Firebase lets nobody change an account.
    const accounts =
      firebase.emulatorHost || firebase.checkRevoked ? createFirebaseAccountAdmin(firebase) : undefined;
    const app = createApp({
      database,
      changes,
      announcer,
      alerts,
      verifier,
      accounts,
      logger,
      settings: config,
      stopping: stopping.signal,
      cacheResponses: options.cacheResponses,
      earlyMiddleware: [
        ...(options.earlyMiddleware ?? []),
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
            logger.warn(
              { err: error },
              "rate counts cannot be shared, this instance limits by its own counts",
            ),
        }),
    });
    const listener = await listen(app, {
      port: config.port,
      hosts: hostsOf(config),
      behindProxy: config.trustProxy > 0,
    });
    metrics?.watch(figuresOf({ load, changes, database, listener }));
    // Not before it listens: what cannot serve leaves the work to those that can.
    const { signal } = stopping;
    const work = periodicJobs({ database, announcer, alerts, accounts, mail: config.mail, logger, signal });
    const jobs = startJobs(work, logger);
    indexes = startIndexBuild({ database, address: config.mongodb, logger });
    return {
      url: `http://localhost:${listener.port}`,
      port: listener.port,
      log: logger,
      // First `/ready` fails and streams end, then requests in flight are finished; they need the database.
      async close() {
        stopping.abort();
        indexes?.stop();
        if (config.stopDelayMs > 0) await sleep(config.stopDelayMs);
        await Promise.all([listener.close(), jobs.stop(), announcer.stop(), alerts.stop()]);
        await disconnect();
      },
    };
  } catch (error) {
    await disconnect();
    throw error;
  }
}

/** So many documents are indexed within a second; more are indexed beside the first requests. */
const SMALL = 2_000;

// Tokens of the emulator can be forged by anybody who reaches this port, so by default nobody but this machine does.
function hostsOf({ host, firebase }: Config): string[] {
  if (host) return [host];
  return firebase.emulatorHost ? ["127.0.0.1", "::1"] : [];
}

type Observed = { load: LoadShedder; changes: ChangeFeed; database: Database; listener: Listener };

/** What the metrics say of the process, beside its requests. */
function figuresOf({
  load,
  changes,
  database,
  listener: { connections },
}: Observed): Parameters<Metrics["watch"]>[0] {
  return {
    requests_in_flight: { help: "Requests under way", read: load.inFlight },
    lists_in_flight: { help: "Those of them that are whole lists", read: load.lists },
    requests_shed: { help: "Requests turned away because of overload, since the start", read: load.shed },
    event_streams: { help: "Event streams that are open", read: load.exempt },
    change_feed_live: {
      help: "1 while changes of the database arrive",
      read: () => Number(changes.isLive()),
    },
    mongo_pool_open: { help: "Connections to MongoDB that are open", read: () => database.pool().open },
    mongo_pool_in_use: { help: "Those of them in use", read: () => database.pool().inUse },
    mongo_pool_waiting: { help: "Operations waiting for one", read: () => database.pool().waiting },
    mongo_pool_failures: { help: "Operations that got none", read: () => database.pool().failures },
    connections_open: { help: "Connections of clients that are open", read: connections.open },
    connections_busy: { help: "Those of them with a request under way", read: connections.busy },
    connections_evicted: { help: "Idle connections closed to make room", read: connections.evicted },
    connections_refused: { help: "New connections closed for want of room", read: connections.refused },
  };
}

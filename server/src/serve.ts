import { setTimeout as sleep } from "node:timers/promises";
import type { RequestHandler } from "express";
import { type Logger, pino } from "pino";
import { createApp } from "./app.ts";
import { createFirebaseAccountAdmin, createFirebaseTokenVerifier } from "./auth/firebase-token-verifier.ts";
import type { TokenVerifier } from "./auth/token-verifier.ts";
import type { Config } from "./config.ts";
import { type ChangeFeed, openChangeFeed } from "./db/change-feed.ts";
import { type Database, openDatabase } from "./db/client.ts";
import { migrate } from "./db/migrate.ts";
import { type Listener, listen } from "./http/listen.ts";
import { createMetrics, describeError, type Metrics, serveMetrics } from "./http/monitoring.ts";
import { createLoadShedder, type LoadShedder, probeLimit } from "./http/overload.ts";
import { rateLimits } from "./http/rate-limit.ts";
import { allJobs } from "./jobs.ts";

/** A server that accepts requests until `close` is called. */
export type RunningServer = {
  url: string;
  port: number;
  log: Logger;
  /** Finishes requests in flight, ends streams and disconnects from the database, all within ten seconds. */
  close(): Promise<void>;
};

/**
 * Prepares the database's collections and indexes, connects to it, and listens.
 * @param options.earlyMiddleware runs before everything else (the local launcher's proxy).
 * @param options.verifier replaces Firebase's, which downloads Google's keys (benchmarks).
 * @param options.cacheMs 0 reads and serializes every response again, so that benchmarks can measure that.
 * @throws {ListenError} if the port is taken or not allowed; a MongoDB error if the database does not respond.
 */
export async function serve(
  config: Config,
  options: { earlyMiddleware?: RequestHandler[]; verifier?: TokenVerifier; cacheMs?: number } = {},
): Promise<RunningServer> {
  const logger = pino({
    level: config.logLevel,
    serializers: { err: (error) => describeError(error) },
  });
  await migrate(config.mongodb, logger);
  const database = await openDatabase(config.mongodb);
  const changes = openChangeFeed(config.mongodb, logger);
  const stopping = new AbortController();
  const load = createLoadShedder({
    onShed: (requests) => logger.warn({ requests }, "overloaded, rejected requests"),
    corsOrigins: config.corsOrigins,
  });
  const metrics = config.metrics && createMetrics();
  let metricsServer: { close(): Promise<void> } | undefined;
  const disconnect = async () => {
    load.close();
    await metricsServer?.close();
    await changes.close();
    await database.close();
  };
  const { firebase } = config;
  try {
    if (metrics && config.metrics) metricsServer = await serveMetrics(metrics, config.metrics);
    const { verifier = createFirebaseTokenVerifier(firebase) } = options;
    // Firebase does not let us look up accounts without credentials.
    const accounts =
      firebase.emulatorHost || firebase.checkRevoked ? createFirebaseAccountAdmin(firebase) : undefined;
    const jobs = allJobs({ ...config, database, accounts, logger, signal: stopping.signal });
    const app = createApp({
      database,
      changes,
      jobs,
      verifier,
      accounts,
      logger,
      settings: config,
      stopping: stopping.signal,
      cacheMs: options.cacheMs,
      earlyMiddleware: [
        ...(options.earlyMiddleware ?? []),
        ...(metrics ? [metrics.handler] : []),
        load.handler,
        ...(config.rateLimits ? [probeLimit()] : []),
      ],
      readiness: [{ name: "load", isReady: () => !load.overloaded() }],
      limits: config.rateLimits ? rateLimits(database.db) : undefined,
    });
    const listener = await listen(app, {
      port: config.port,
      hosts: hostsOf(config),
      behindProxy: config.trustProxy > 0,
    });
    metrics?.watch(processGauges({ load, changes, database, listener }));
    // Only once it listens: an instance that cannot serve should leave the work to those that can.
    await jobs.start();
    return {
      url: `http://localhost:${listener.port}`,
      port: listener.port,
      log: logger,
      // First `/ready` fails and streams end, then requests in flight finish, and the database goes last.
      async close() {
        stopping.abort();
        if (config.stopDelayMs > 0) await sleep(config.stopDelayMs);
        await Promise.all([listener.close(), jobs.stop()]);
        await disconnect();
      },
    };
  } catch (error) {
    await disconnect();
    throw error;
  }
}

// Anybody who reaches this port can forge emulator tokens, so by default it is only reachable from this machine.
function hostsOf({ host, firebase }: Config): string[] {
  if (host) return [host];
  return firebase.emulatorHost ? ["127.0.0.1", "::1"] : [];
}

type Observed = { load: LoadShedder; changes: ChangeFeed; database: Database; listener: Listener };

/** Gauges of the process, in addition to the request metrics. */
function processGauges({
  load,
  changes,
  database,
  listener: { connections },
}: Observed): Parameters<Metrics["watch"]>[0] {
  return {
    requests_in_flight: { help: "Requests in flight", read: load.inFlight },
    lists_in_flight: { help: "Requests in flight for whole lists", read: load.lists },
    requests_shed: { help: "Requests rejected because of overload, since the start", read: load.shed },
    event_streams: { help: "Open event streams", read: load.exempt },
    change_feed_live: { help: "1 while the change feed is connected", read: () => Number(changes.isLive()) },
    mongo_pool_open: { help: "Open connections to MongoDB", read: () => database.pool().open },
    mongo_pool_in_use: { help: "Connections to MongoDB in use", read: () => database.pool().inUse },
    mongo_pool_waiting: { help: "Operations waiting for a connection", read: () => database.pool().waiting },
    mongo_pool_failures: { help: "Operations that got no connection", read: () => database.pool().failures },
    connections_open: { help: "Open client connections", read: connections.open },
    connections_busy: { help: "Client connections with a request in flight", read: connections.busy },
    connections_evicted: { help: "Idle connections closed to make room", read: connections.evicted },
    connections_refused: { help: "New connections closed for lack of room", read: connections.refused },
  };
}

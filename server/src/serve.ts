import type { RequestHandler } from "express";
import { pino } from "pino";
import { createApp } from "./app.ts";
import { createFirebaseTokenVerifier } from "./auth/firebase-token-verifier.ts";
import type { Config } from "./config.ts";
import { openChangeFeed } from "./db/change-feed.ts";
import { openDatabase } from "./db/client.ts";
import { prepareDatabase } from "./db/indexes.ts";
import { type Listener, listen } from "./http/listen.ts";
import { describeError } from "./http/request-log.ts";
import { startUpkeep } from "./upkeep.ts";

/** A server that takes requests until `close` is called. */
export type RunningServer = { url: string; port: number; close(): Promise<void> };

/**
 * Connects to the database, prepares its collections and indexes, and listens.
 * What an earlier version left to be done to the data, and takes longer, is done while requests are answered.
 * @param options.front handlers that see every request before the product does (the local launcher's proxy).
 * @param options.keepAnswers false renders every answer anew; benchmarks see by it what a read costs.
 * @throws {ListenError} if the port is taken or not allowed; a MongoDB error if the database does not answer.
 */
export async function serve(
  config: Config,
  options: { front?: RequestHandler[]; keepAnswers?: boolean } = {},
): Promise<RunningServer> {
  const logger = pino({
    level: config.logLevel,
    serializers: { err: (error) => describeError(error) },
  });
  const indexesMissing = await prepareDatabase(config.mongodb, { log: logger, waitUpTo: SMALL });
  const database = await openDatabase(config.mongodb);
  const changes = openChangeFeed(config.mongodb, logger);
  const disconnect = async () => {
    await changes.close();
    await database.close();
  };
  let listener: Listener;
  try {
    const app = createApp({
      database,
      changes,
      verifier: createFirebaseTokenVerifier(config.firebase),
      logger,
      now: () => new Date(),
      settings: config,
      ...options,
    });
    listener = await listen(app, { port: config.port, hosts: hostsOf(config) });
  } catch (error) {
    await disconnect();
    throw error;
  }
  const upkeep = startUpkeep({ database, address: config.mongodb, logger }, { indexesMissing });
  return {
    url: `http://localhost:${listener.port}`,
    port: listener.port,
    // Requests in flight still need the database: drain first, then disconnect.
    async close() {
      await listener.close();
      await upkeep.stop();
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

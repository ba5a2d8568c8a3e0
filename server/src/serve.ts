import type { RequestHandler } from "express";
import { pino } from "pino";
import { createApp } from "./app.ts";
import { createFirebaseTokenVerifier } from "./auth/firebase-token-verifier.ts";
import type { Config } from "./config.ts";
import { openDatabase } from "./db/client.ts";
import { prepareDatabase } from "./db/indexes.ts";
import { type Listener, listen } from "./http/listen.ts";

/** A server that takes requests until `close` is called. */
export type RunningServer = { url: string; port: number; close(): Promise<void> };

/**
 * Connects to the database, prepares its collections and indexes, and listens.
 * @param options.front handlers that see every request before the product does (the local launcher's proxy).
 * @throws {ListenError} if the port is taken or not allowed; a MongoDB error if the database does not answer.
 */
export async function serve(
  config: Config,
  options: { front?: RequestHandler[] } = {},
): Promise<RunningServer> {
  const logger = pino({ level: config.logLevel });
  await prepareDatabase(config.mongodb);
  const database = await openDatabase(config.mongodb);
  let listener: Listener;
  try {
    const app = createApp({
      database,
      verifier: createFirebaseTokenVerifier(config.firebase),
      logger,
      now: () => new Date(),
      settings: config,
      ...options,
    });
    listener = await listen(app, { port: config.port, hosts: hostsOf(config) });
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    url: `http://localhost:${listener.port}`,
    port: listener.port,
    // Requests in flight still need the database: drain first, then disconnect.
    async close() {
      await listener.close();
      await database.close();
    },
  };
}

// Tokens of the emulator can be forged by anybody who reaches this port, so by default nobody but this machine does.
function hostsOf({ host, firebase }: Config): string[] {
  if (host) return [host];
  return firebase.emulatorHost ? ["127.0.0.1", "::1"] : [];
}

/** The product from `server/dist` as in production, except for the token verifier (see `tokens.ts`). */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as ConfigModule from "../../../src/config.ts";
import type * as ServeModule from "../../../src/serve.ts";
import { SERVER } from "../../lib/paths.ts";
import { rsaVerifier } from "../tokens.ts";
import { report, setup } from "./child.ts";

/** Called after tsx was unregistered (see `start-server.mjs`), so that the built server runs as in production. */
export async function main(): Promise<void> {
  const { loadConfig } = await built<typeof ConfigModule>("config.js");
  const { serve } = await built<typeof ServeModule>("serve.js");

  const mongoUri = new URL(setup.uri);
  mongoUri.pathname = `/${setup.dbName}`;
  const config = loadConfig({
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    PORT: "0",
    METRICS_PORT: "0",
    MONGODB_URI: mongoUri.href,
    FIREBASE_PROJECT_ID: "demo-tasklane",
    WEB_URL: "https://tasklane.example",
    WEB_ROOT: setup.webRoot,
    // The load comes from many addresses, as through a proxy, and must not reach the daily limits.
    TRUST_PROXY: "1",
    BIDS_PER_DAY: "10000",
    TASKS_PER_DAY: "0",
  });
  const { cacheResponses } = setup;
  const { port } = await serve(config, { verifier: rsaVerifier(setup.publicKey), cacheResponses });
  report(port);
}

function built<T>(file: string): Promise<T> {
  return import(pathToFileURL(join(SERVER, "dist", file)).href) as Promise<T>;
}

/** The product from `server/dist`, composed as `serve` does it, except for the token verifier (see `tokens.ts`). */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import { SERVER } from "../../dev/lib/paths.ts";
import type * as AppModule from "../../src/app.ts";
import type * as FeedModule from "../../src/db/change-feed.ts";
import type * as ClientModule from "../../src/db/client.ts";
import type * as ListenModule from "../../src/http/listen.ts";
import { rsaVerifier } from "../tokens.ts";
import { report, setup } from "./child.ts";

const { createApp } = await built<typeof AppModule>("app.js");
const { openChangeFeed } = await built<typeof FeedModule>("db/change-feed.js");
const { openDatabase } = await built<typeof ClientModule>("db/client.js");
const { listen } = await built<typeof ListenModule>("http/listen.js");

// The default outside production: a line for each request would measure the pipe it goes through.
const logger = pino({ level: "warn" });
const address = { uri: setup.uri, dbName: setup.dbName };
const app = createApp({
  database: await openDatabase(address),
  changes: openChangeFeed(address, logger),
  verifier: rsaVerifier(setup.publicKey),
  logger,
  now: () => new Date(),
  settings: {
    env: "development",
    corsOrigins: [],
    firebase: { projectId: "demo-tasklane" },
    trustProxy: 0,
    ...(setup.webRoot && { webRoot: setup.webRoot }),
  },
  cacheResponses: setup.cacheResponses,
});
const { port } = await listen(app, { port: 0, hosts: ["127.0.0.1"] });
report(port);

function built<T>(file: string): Promise<T> {
  return import(pathToFileURL(join(SERVER, "dist", file)).href) as Promise<T>;
}

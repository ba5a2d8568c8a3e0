import { randomBytes } from "node:crypto";
import { MongoClient } from "mongodb";
import { type Closer, withCloser } from "../lib/closer.ts";
import { buildForE2e, E2E_WEB_ROOT } from "./build-product.ts";
import { seedDemoData } from "./demo.ts";
import { startProduct } from "./product.ts";
import { ensureTestServices } from "./test-services.ts";

/**
 * Runs a whole product for the browser tests until its parent process ends, and prints `E2E_URL=…` once it is serving: the
 * built API and web app on a free port, its own database on the test replica set, the shared Auth emulator, and the demo data.
 * Playwright's global setup forks it; by hand: `node server/tools/bootstrap.mjs e2e-server`.
 */
export async function main(): Promise<void> {
  await withCloser(start, { stays: true });
}

async function start(closer: Closer): Promise<void> {
  // The IPC channel to Playwright closes when the tests end, however they end.
  process.once("disconnect", () => closer.end(0));
  const services = await closer.track(ensureTestServices(), (started) => started.stop());
  const { authEmulatorHost: emulatorHost, projectId } = services;
  const uri = new URL(services.mongoUri);
  uri.pathname = `/e2e-${randomBytes(6).toString("hex")}`;
  const mongoUri = uri.href;
  closer.add(() => dropDatabase(mongoUri));
  await Promise.all([buildForE2e(), seedDemoData({ mongoUri, emulatorHost, projectId })]);
  const starting = startProduct({
    ...{ mongoUri, emulatorHost, projectId, port: 0, webRoot: E2E_WEB_ROOT },
    // A visitor of one test must see what it has written, though another test has just read the same list.
    cacheMs: 0,
    // All browser tests share one IP address; rate limits have their own tests.
    env: { RATE_LIMITS: "off" },
  });
  const { url } = await closer.track(starting, (running) => running.close());
  if (closer.signal.aborted) return;
  process.stdout.write(`E2E_URL=${url}\n`);
  process.send?.({ url });
}

async function dropDatabase(uri: string): Promise<void> {
  await using client = new MongoClient(uri);
  await client.db().dropDatabase();
}

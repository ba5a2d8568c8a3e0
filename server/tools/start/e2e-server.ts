import { randomBytes } from "node:crypto";
import { MongoClient } from "mongodb";
import { Closer } from "../lib/closer.ts";
import { buildForE2e, E2E_WEB_ROOT } from "./build-product.ts";
import { seedDemoData } from "./demo.ts";
import { type RunningProduct, startProduct } from "./product.ts";
import { ensureTestServices } from "./test-services.ts";

/**
 * Runs a product for the browser tests until its parent process ends, and prints `E2E_URL=…` once it is serving.
 * Playwright's global setup forks it; by hand: `node server/tools/bootstrap.mjs e2e-server`.
 */
export async function main(): Promise<void> {
  const closer = new Closer();
  closer.closeOnSignal();
  // The IPC channel to Playwright closes when the tests end, however they end.
  process.once("disconnect", () => void closer.close().then(() => process.exit(0)));
  const product = await closer.track(startE2eProduct(), (running) => running.close());
  if (closer.signal.aborted) return;
  process.stdout.write(`E2E_URL=${product.url}\n`);
  process.send?.({ url: product.url });
}

/**
 * Starts a whole product on a free port for browser tests: the built API and web app, its own database on the test replica
 * set, the shared Auth emulator, and the demo data.
 */
export async function startE2eProduct(): Promise<RunningProduct> {
  const services = await ensureTestServices();
  try {
    const { authEmulatorHost: emulatorHost, projectId } = services;
    const mongoUri = withDatabase(services.mongoUri, `e2e-${randomBytes(6).toString("hex")}`);
    await Promise.all([buildForE2e(), seedDemoData({ mongoUri, emulatorHost, projectId })]);
    const product = await startProduct({
      ...{ mongoUri, emulatorHost, projectId, port: 0, webRoot: E2E_WEB_ROOT },
      // A visitor of one test must see what it has written, though another test has just read the same list.
      cacheMs: 0,
      // All browser tests share one IP address; rate limits have their own tests.
      env: { RATE_LIMITS: "off" },
    });
    return {
      ...product,
      close: async () => {
        await product.close();
        await dropDatabase(mongoUri);
        await services.stop();
      },
    };
  } catch (error) {
    await services.stop();
    throw error;
  }
}

function withDatabase(uri: string, name: string): string {
  const url = new URL(uri);
  url.pathname = `/${name}`;
  return url.href;
}

async function dropDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await client.db().dropDatabase();
  } finally {
    await client.close();
  }
}

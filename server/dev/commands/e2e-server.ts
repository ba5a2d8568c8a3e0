import { startE2eProduct } from "../e2e-server.ts";
import { Closer } from "../lib/closer.ts";

/**
 * Runs a product for the browser tests until its parent ends, and prints `E2E_URL=…` when it serves. Playwright's global
 * set-up forks it; by hand: `node server/dev/bootstrap.mjs e2e-server`.
 */
export async function main(): Promise<void> {
  const closer = new Closer();
  closer.closeOnSignal();
  // Forked by Playwright: the channel closes when the tests end, however they end.
  process.once("disconnect", () => void closer.close().then(() => process.exit(0)));
  const product = await closer.track(startE2eProduct(), (running) => running.close());
  if (closer.signal.aborted) return;
  process.stdout.write(`E2E_URL=${product.url}\n`);
  process.send?.({ url: product.url });
}

import { type Closer, withCloser } from "../lib/closer.ts";
import { step } from "../lib/steps.ts";
import { buildClient, buildServer } from "./build-product.ts";
import { demoAccounts } from "./demo.ts";
import { claimSettings, startServices } from "./embedded.ts";
import { startProduct } from "./product.ts";

/** `npm start`: the whole product on this machine, with persistent data. */
export async function main(): Promise<void> {
  process.stdout.write("\n  Tasklane\n\n");
  await withCloser(start, { stays: true });
}

async function start(closer: Closer): Promise<void> {
  const settings = await claimSettings("npm start", closer);
  const [services] = await allSettledOrThrow([
    startServices(settings, closer),
    step("Server", async ({ detail }) => detail(await buildServer())),
    step("Web app", async ({ detail }) => detail(await buildClient(process.env))),
  ]);
  closer.signal.throwIfAborted();

  const { mongoUri, emulator } = services;
  const starting = startProduct({
    mongoUri,
    projectId: settings.projectId,
    port: settings.port,
    env: process.env,
    ...(emulator && { emulatorHost: emulator.host }),
  });
  const product = await closer.track(starting, (running) => running.close());
  if (closer.signal.aborted) return;
  printWelcome(product.url, settings.seed);
}

/** Like Promise.all, but rejects only once all have settled, so that everything started can be stopped. */
async function allSettledOrThrow<T extends readonly Promise<unknown>[]>(work: readonly [...T]) {
  await Promise.allSettled(work);
  return Promise.all(work);
}

function printWelcome(url: string, seeded: boolean): void {
  const lines = ["", `  Tasklane is running:  ${url}`, ""];
  if (seeded) {
    const width = Math.max(...demoAccounts.map(({ email }) => email.length));
    lines.push("  Demo accounts (email, password):");
    for (const { email, password } of demoAccounts) lines.push(`    ${email.padEnd(width)}  ${password}`);
    lines.push("");
  }
  lines.push("  Press Ctrl-C to stop.", "");
  process.stdout.write(`${lines.join("\n")}\n`);
}

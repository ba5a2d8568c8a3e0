import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Person } from "../../test/people.ts";
import { type Closer, withCloser } from "../lib/closer.ts";
import { CLIENT } from "../lib/paths.ts";
import { explain, UserError } from "../lib/user-error.ts";
import { startE2eProduct } from "../start/e2e-server.ts";
import { ENGINES } from "./engines.ts";
import { type Api, JOURNEYS } from "./journeys.ts";
import { Page } from "./page.ts";
import type { Engine } from "./tab.ts";

/** Screenshots of failures; git ignores the folder. */
const SCREENSHOTS = join(CLIENT, "test-results", "browsers");

/** `npm run tool browsers`: runs the main journeys in Chromium, Firefox and WebKit; `npm run tool browsers -- firefox` in one. */
export async function main(args: string[]): Promise<void> {
  const unknown = args.find((name) => !(name in ENGINES));
  if (unknown) throw new UserError(`No browser ${unknown}: choose among ${Object.keys(ENGINES).join(", ")}.`);
  const names = args.length > 0 ? args : Object.keys(ENGINES);
  const progress = (text: string) => void process.stdout.write(`  · ${text}\n`);
  await withCloser(async (closer) => {
    let passed = 0;
    let failed = 0;
    progress("building and starting the product");
    const { url } = await closer.track(startE2eProduct(), (running) => running.close());
    for (const name of names) {
      closer.signal.throwIfAborted();
      const result = await runEngine(name, url, closer, progress);
      passed += result.passed;
      failed += result.failed;
    }
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
    process.exitCode = failed > 0 ? 1 : 0;
  });
}

/** Runs all journeys in one engine. An engine that cannot be started counts as one failure. */
async function runEngine(name: string, url: string, closer: Closer, progress: (text: string) => void) {
  const totals = { passed: 0, failed: 0 };
  const start = ENGINES[name];
  if (!start) throw new Error(name);
  let engine: Engine;
  try {
    engine = await closer.track(start(progress), (running) => running.close());
  } catch (error) {
    process.stdout.write(`✗ ${name}: ${explain(error)}\n`);
    return { ...totals, failed: 1 };
  }
  progress(`${name}: ${engine.version}`);
  for (const [title, journey] of Object.entries(JOURNEYS)) {
    closer.signal.throwIfAborted();
    const started = Date.now();
    const failure = await runJourney(engine, url, `${name}: ${title}`, journey);
    // A browser that is being closed makes the journey fail.
    closer.signal.throwIfAborted();
    totals[failure ? "failed" : "passed"] += 1;
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    process.stdout.write(`${failure ? "✗" : "✓"} ${name}: ${title} (${seconds} s)\n`);
    if (failure) process.stdout.write(`    ${failure}\n`);
  }
  await engine.close();
  return totals;
}

/** Runs one journey in a new session. @returns the reason if it failed. */
async function runJourney(
  engine: Engine,
  url: string,
  title: string,
  journey: (typeof JOURNEYS)[string],
): Promise<string | undefined> {
  const tab = await engine.newTab();
  const page = new Page(tab, url);
  try {
    await journey(page, apiOf(url));
    const errors = await page.errors();
    return errors.length > 0 ? `errors in the page: ${errors.join("; ")}` : undefined;
  } catch (error) {
    const file = join(SCREENSHOTS, `${title.replaceAll(/\W+/g, "-")}.png`);
    const screenshot = await page.screenshot().then(
      (png) => {
        mkdirSync(SCREENSHOTS, { recursive: true });
        writeFileSync(file, png);
        return ` (${file})`;
      },
      () => "",
    );
    return `${error instanceof Error ? error.message : error}${screenshot}`;
  } finally {
    await tab.close().catch(() => undefined);
  }
}

function apiOf(url: string): Api {
  return async <T>(person: Person | undefined, method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(person && { Authorization: `Bearer ${person.token}` }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return (await response.json()) as T;
  };
}

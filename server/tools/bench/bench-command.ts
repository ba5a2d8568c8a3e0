import { parseArgs } from "node:util";
import { type Closer, withCloser } from "../lib/closer.ts";
import { wholeNumber } from "../lib/whole-number.ts";
import { buildForE2e, buildServer, E2E_WEB_ROOT } from "../start/build-product.ts";
import { startMongo } from "../start/mongo/start-mongo.ts";
import { measureClient } from "./browser.ts";
import { measureComparisons } from "./comparisons.ts";
import { fill, takeSample } from "./fill.ts";
import { startTime } from "./load.ts";
import {
  isWanted,
  type MeasureOptions,
  measureRows,
  measureStreams,
  openTestBed,
  type SizeResult,
  type TestBed,
} from "./measure.ts";
import { measureMemory } from "./memory.ts";
import { describeMachine, reportOf } from "./report.ts";
import { type AlertFigures, measureAlerts } from "./saved-searches.ts";
import { makeKeys, signTokens } from "./tokens.ts";

const USAGE =
  "npm run tool bench -- [--tasks 10000,100000] [--rounds 7] [--seconds 1] [--connections 10] [--searches 100000] [--minutes 10] [--only 'Task by id' …] [--no-plain] [--no-client]";
const PEOPLE = 1_000;

type BenchOptions = MeasureOptions & {
  sizes: number[];
  searches: number;
  minutes: number;
  /** Also measures the plain server, which needs a copy of the tasks. */
  plain: boolean;
  client: boolean;
};

/** `npm run tool bench`: compares the product with the floor and the plain server, and prints the report in README.md. */
export async function main(args: string[]): Promise<void> {
  await withCloser(async (closer) => {
    const progress = (text: string) => void process.stderr.write(`  · ${text}\n`);
    process.stdout.write(`\n${await runBench(optionsOf(args), closer, progress)}\n`);
  });
}

function optionsOf(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      tasks: { type: "string", default: "10000,100000" },
      rounds: { type: "string", default: "7" },
      seconds: { type: "string", default: "1" },
      connections: { type: "string", default: "10" },
      searches: { type: "string", default: "100000" },
      minutes: { type: "string", default: "10" },
      only: { type: "string", multiple: true, default: [] },
      plain: { type: "boolean", default: true },
      client: { type: "boolean", default: true },
    },
  });
  const number = (name: "rounds" | "seconds" | "connections", max: number) =>
    wholeNumber(name, values[name], { min: 1, max, usage: USAGE });
  const sizes = values.tasks
    .split(",")
    .map((text) => wholeNumber("tasks", text, { min: 1_000, max: 10_000_000, usage: USAGE }));
  return {
    // Growth needs two sizes, so a single one is compared with 10,000 tasks.
    sizes: [...new Set(sizes.length === 1 ? [10_000, ...sizes] : sizes)].sort((a, b) => a - b),
    searches: wholeNumber("searches", values.searches, { min: 1_000, max: 2_000_000, usage: USAGE }),
    minutes: wholeNumber("minutes", values.minutes, { min: 0, max: 600, usage: USAGE }),
    rounds: number("rounds", 50),
    seconds: number("seconds", 60),
    connections: number("connections", 200),
    only: values.only,
    plain: values.plain,
    client: values.client,
  };
}

/** Measures everything on a temporary database. @returns the report as Markdown. */
async function runBench(
  options: BenchOptions,
  closer: Closer,
  progress: (text: string) => void,
): Promise<string> {
  progress("building the product");
  await buildServer();
  if (options.client) await buildForE2e();
  progress("starting MongoDB");
  const mongo = await closer.track(startMongo({ progress, onCrash: closer.fail }), ({ stop }) => stop());
  const machine = await describeMachine(mongo.uri);
  const { publicKey, privateKey } = makeKeys();
  const tokens = signTokens(privateKey, PEOPLE);

  const testBeds: TestBed[] = [];
  for (const count of options.sizes) {
    closer.signal.throwIfAborted();
    const filled = await fill(mongo.uri, count, { plain: options.plain, progress });
    const sample = await takeSample(filled, tokens);
    const setup = { publicKey, webRoot: options.client ? E2E_WEB_ROOT : undefined };
    testBeds.push(await openTestBed(filled, sample, setup, closer));
  }
  const largest = testBeds.at(-1) as TestBed;
  // Before any load, which would leave the heaps enlarged.
  const streams: SizeResult["streamed"][] = [];
  for (const testBed of isWanted("Without limit", options) ? testBeds : []) {
    progress(`streaming all ${testBed.filled.count} tasks`);
    streams.push(await measureStreams(testBed));
  }
  const startMs = isWanted("Start", options) ? await startTime(largest.filled) : Number.NaN;
  let alerts: AlertFigures | undefined;
  if (isWanted("Saved searches", options)) {
    progress(`alerts for new tasks, ${options.searches} saved searches`);
    alerts = await measureAlerts(mongo.uri, options, { publicKey, tokens }, closer);
  }
  const rows = await measureRows(testBeds, options, progress);
  const sizes = testBeds.map(({ filled: { count, size }, sample: { deepPage } }, index) => ({
    count,
    size,
    deepPage,
    rows: rows[index] ?? {},
    streamed: streams[index],
  }));
  const comparisons = await measureComparisons(largest, { ...options, publicKey }, closer, progress);
  const minutes = isWanted("Memory", options) ? options.minutes : 0;
  const memory = await measureMemory(
    largest.servers.product,
    largest.sample,
    { ...options, minutes },
    progress,
  );
  const client = options.client
    ? await measureClient(largest.servers.product.url, E2E_WEB_ROOT, progress)
    : [];
  return reportOf({ sizes, startMs, client, alerts, comparisons, memory }, machine, options);
}

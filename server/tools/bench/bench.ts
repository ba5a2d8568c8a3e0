import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Closer, withCloser } from "../lib/closer.ts";
import { readOptions } from "../lib/options.ts";
import { SERVER } from "../lib/paths.ts";
import { freePort } from "../lib/ports.ts";
import { productEnv } from "../lib/product-env.ts";
import { markdownTable, writeResult } from "../lib/results.ts";
import { UserError } from "../lib/user-error.ts";
import { buildServer } from "../start/build-product.ts";
import { startMongo } from "../start/mongo/start-mongo.ts";
import { transferFile } from "./files.ts";
import { fill, type Sample } from "./fill.ts";
import { type BenchServer, measure, send, startServer } from "./load.ts";
import { BID, POST, ROWS, type Row, requestsOf, type ServerName } from "./rows.ts";

const CONNECTIONS = 10;
const WARM_UP_SECONDS = 3;
/** The least shares of bare GridFS. An upload is written twice: in parts as it arrives, and once it is checked. */
const TRANSFER_GOALS = { upload: 0.25, download: 0.5 } as const;
const MAX_START_MS = 1_000;
const MAX_MEMORY_MB = 600;

type Bench = {
  options: { rounds: number; seconds: number; minutes: number };
  uri: string;
  sample: Sample;
  servers: Record<ServerName, BenchServer>;
};
/** A line of the report, without its name. */
type Figure = { goal: string; measured: string; details?: string; isMet: boolean };

type Measure = (bench: Bench) => Promise<Figure>;

/** In this order: the start comes before any load, which would leave the heap enlarged. */
const FIGURES: Record<string, Measure> = {
  "Start to first response": startTime,
  ...Object.fromEntries(ROWS.map((row) => [row.name, (bench: Bench) => compare(row, bench)])),
  "Upload 20 MB": (bench) => transfer("upload", bench),
  "Download 20 MB": (bench) => transfer("download", bench),
  "Memory under mixed load": memory,
};

/** `npm run tool bench`: the product beside the floor, on a temporary database. Fails if a goal is missed. */
export async function main(args: string[]): Promise<void> {
  const { tasks, only, ...options } = readOptions("bench", args, {
    ...{ tasks: 100_000, rounds: 5, seconds: 2, minutes: 2 },
    only: [] as string[],
  });
  const names = Object.keys(FIGURES);
  const chosen = names.filter((name) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new UserError(`--only is part of no name. There are: ${names.join("; ")}.`);
  const progress = (line: string) => void process.stdout.write(`  · ${line}\n`);
  await withCloser(async (closer) => {
    const bench = { ...(await prepare(tasks, progress, closer)), options };
    const rows: string[][] = [];
    let isMet = true;
    for (const name of chosen) {
      closer.signal.throwIfAborted();
      const { goal, measured, details = "", ...figure } = await (FIGURES[name] as Measure)(bench);
      progress(`${name}: ${measured}, ${details}`);
      rows.push([name, goal, measured, details, figure.isMet ? "met" : "**missed**"]);
      isMet &&= figure.isMet;
    }
    const figures = markdownTable(["", "goal", "measured", "details", ""], rows);
    const table = `${figures}\n\n${bench.sample.indexes}`;
    process.stdout.write(`\n${table}\n`);
    if (rows.length === names.length)
      writeResult("bench", ["npm run tool bench --", ...args].join(" "), table);
    process.exitCode = isMet ? 0 : 1;
  });
}

async function prepare(tasks: number, progress: (line: string) => void, closer: Closer) {
  progress("building the product");
  await buildServer();
  const mongo = await closer.track(startMongo({ progress, onCrash: closer.fail }), ({ stop }) => stop());
  const { uri } = mongo;
  const sample = await fill(uri, tasks, progress);
  closer.signal.throwIfAborted();
  const start = (file: string, env = {}) => startServer(file, { MONGODB_URI: uri, ...env }, closer);
  const servers = {
    product: await start("product.mjs"),
    uncached: await start("product.mjs", { CACHE: "off" }),
    floor: await start("floor.ts"),
  };
  // As the web app does when it opens: the server records each person once a day.
  for (const { url } of [servers.product, servers.uncached])
    for (const token of sample.people) await send(url, { path: "/me", token });
  return { uri, sample, servers };
}

/** Measures both servers in turns, so that other load on the machine affects both. The ratio is the median of all pairs. */
async function compare(row: Row, { servers, sample, options: { rounds, seconds } }: Bench): Promise<Figure> {
  const { server, other, goal, besideWrites = false } = row;
  const next = requestsOf(row, sample);
  const round = async (writes: boolean, duration = seconds) => {
    const how = { seconds: duration, connections: CONNECTIONS };
    const stop = writes ? write(servers.product.url, sample) : undefined;
    const product = await measure(servers[server].url, next, how);
    await stop?.();
    return { ours: product, theirs: await measure(servers[other].url, next, how) };
  };
  await round(false, WARM_UP_SECONDS);
  const pairs: Awaited<ReturnType<typeof round>>[] = [];
  while (pairs.length < rounds) pairs.push(await round(besideWrites));
  const ratio = median(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond));
  const of = (side: "ours" | "theirs", key: "perSecond" | "p50" | "p99") =>
    Math.round(median(pairs.map((pair) => pair[side][key])));
  const failed = pairs.reduce((sum, pair) => sum + pair.ours.failed + pair.theirs.failed, 0);
  const beside = besideWrites ? "itself at rest" : other;
  const rates = `${of("ours", "perSecond")}/s (${beside} ${of("theirs", "perSecond")}/s)`;
  return {
    goal: `${goal} of ${beside}`,
    measured: ratio.toFixed(2),
    details: `${rates}, p50 ${of("ours", "p50")} ms, p99 ${of("ours", "p99")} ms, ${failed} failed`,
    isMet: ratio >= goal && failed === 0,
  };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Places twenty bids and posts two tasks a second until the returned function is called. */
function write(url: string, sample: Sample): () => Promise<unknown> {
  const sent: Promise<void>[] = [];
  const [bid, post] = [requestsOf(BID, sample), requestsOf(POST, sample)];
  const timers = [
    setInterval(() => sent.push(send(url, bid())), 50),
    setInterval(() => sent.push(send(url, post())), 500),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
    return Promise.all(sent);
  };
}

let uploaders = 0;

/** In turns with bare GridFS; each round by somebody else, because uploads are limited per day. */
async function transfer(
  way: "upload" | "download",
  { servers, uri, sample: { people }, options: { rounds } }: Bench,
): Promise<Figure> {
  const once = async () =>
    (await transferFile(servers.product.url, uri, people[uploaders++ % people.length] as string))[way];
  await once();
  const found: Awaited<ReturnType<typeof once>>[] = [];
  while (found.length < rounds) found.push(await once());
  const ratio = median(found.map(({ product, bare }) => product / bare));
  const rate = (side: "product" | "bare") => `${Math.round(median(found.map((each) => each[side])))} MB/s`;
  return {
    goal: `${TRANSFER_GOALS[way]} of bare GridFS`,
    measured: ratio.toFixed(2),
    details: `${rate("product")} (bare ${rate("bare")})`,
    isMet: ratio >= TRANSFER_GOALS[way],
  };
}

/** From starting the built server to its first page, with the database running; the median of three starts. */
async function startTime({ uri }: Bench): Promise<Figure> {
  const ms = Math.round(median([await startOnce(uri), await startOnce(uri), await startOnce(uri)]));
  return { goal: `${MAX_START_MS} ms`, measured: `${ms} ms`, isMet: ms <= MAX_START_MS };
}

async function startOnce(uri: string): Promise<number> {
  const port = await freePort();
  const env = productEnv({
    ...{ NODE_ENV: "production", HOST: "127.0.0.1", PORT: String(port), MONGODB_URI: uri },
    ...{ FIREBASE_PROJECT_ID: "demo-tasklane", WEB_URL: "https://tasklane.example" },
  });
  const started = performance.now();
  const child = spawn(process.execPath, [join(SERVER, "dist/main.js")], { env, stdio: "ignore" });
  const exited = once(child, "exit");
  try {
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${port}/tasks?limit=24`).catch(() => undefined);
      if (response?.ok) return performance.now() - started;
      if (child.exitCode !== null) throw new UserError("The built server did not start.");
      await sleep(5);
    }
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

/** The most memory that the product takes while it serves a mix of all requests. */
async function memory({ servers: { product }, sample, options: { minutes } }: Bench): Promise<Figure> {
  const sources = ROWS.map((row) => requestsOf(row, sample));
  let turn = 0;
  const mixed = () => (sources[turn++ % sources.length] as (typeof sources)[number])();
  const peaks: number[] = [];
  while (peaks.length < minutes) {
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, product.rss() / 1e6);
    }, 1_000);
    await measure(product.url, mixed, { seconds: 60, connections: CONNECTIONS });
    clearInterval(timer);
    peaks.push(Math.round(peak));
  }
  const most = Math.max(...peaks);
  return {
    goal: `${MAX_MEMORY_MB} MB`,
    measured: `${most} MB`,
    details: `peak of each minute: ${peaks.join(", ")} MB`,
    isMet: most <= MAX_MEMORY_MB,
  };
}

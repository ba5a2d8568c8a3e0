import { startServer } from "../../test/server-process.ts";
import { type Closer, withCloser } from "../lib/closer.ts";
import { readOptions } from "../lib/options.ts";
import { fetchJson } from "../lib/request.ts";
import { markdownTable, writeResult } from "../lib/results.ts";
import { UserError } from "../lib/user-error.ts";
import { buildServer } from "../start/build-product.ts";
import { startMongo } from "../start/mongo/start-mongo.ts";
import { fill, type Sample } from "./fill.ts";
import { type BenchServer, measure, send, startBenchServer } from "./load.ts";
import { BID, bareRequests, POST, ROWS, type Row, requestsOf, type ServerName } from "./rows.ts";

const CONNECTIONS = 10;
const WARM_UP_SECONDS = 3;
const MAX_START_MS = 1_000;
const MAX_MEMORY_MB = 600;

type Bench = {
  options: { rounds: number; seconds: number; minutes: number };
  closer: Closer;
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
  "Memory under mixed load": memory,
};

/** `npm run tool bench`: the product beside the bare driver, on a temporary database. Fails if a goal is missed. */
export async function main(args: string[]): Promise<void> {
  const { tasks, only, ...options } = readOptions("bench", args, {
    ...{ tasks: 5_000, rounds: 5, seconds: 2, minutes: 2 },
    only: [] as string[],
  });
  const names = Object.keys(FIGURES);
  const chosen = names.filter((name) => only.length === 0 || only.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new UserError(`--only is part of no name. There are: ${names.join("; ")}.`);
  const progress = (line: string) => void process.stdout.write(`  · ${line}\n`);
  await withCloser(async (closer) => {
    const bench = { ...(await prepare(tasks, progress, closer)), closer, options };
    const rows: string[][] = [];
    let isMet = true;
    for (const name of chosen) {
      closer.signal.throwIfAborted();
      const { goal, measured, details = "", ...figure } = await (FIGURES[name] as Measure)(bench);
      progress(`${name}: ${measured}, ${details}`);
      rows.push([name, goal, measured, details, figure.isMet ? "met" : "**missed**"]);
      isMet &&= figure.isMet;
    }
    const table = markdownTable(["", "goal", "measured", "details", ""], rows);
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
  const start = (file: string, env = {}) => startBenchServer(file, { MONGODB_URI: uri, ...env }, closer);
  const servers = {
    product: await start("product.mjs"),
    uncached: await start("product.mjs", { CACHE: "off" }),
    bare: await start("bare.ts"),
  };
  // As the web app does when it opens: the server records each person once a day.
  for (const { url } of [servers.product, servers.uncached])
    for (const token of sample.people) await send(url, { path: "/me", token });
  return { uri, sample, servers };
}

/** Measures both in turns, so that other load on the machine affects both. The ratio is the median of all pairs. */
async function compare(row: Row, { servers, sample, options: { rounds, seconds } }: Bench): Promise<Figure> {
  const { server, bare, goal } = row;
  const next = requestsOf(row, sample);
  const other = bare ? servers.bare : servers[server];
  const nextOther = bare ? bareRequests(bare, sample) : next;
  const round = async (duration = seconds) => {
    const how = { seconds: duration, connections: CONNECTIONS };
    const stop = bare ? undefined : write(servers.product.url, sample);
    const ours = await measure(servers[server].url, next, how);
    await stop?.();
    return { ours, theirs: await measure(other.url, nextOther, how) };
  };
  await round(WARM_UP_SECONDS);
  const pairs: Awaited<ReturnType<typeof round>>[] = [];
  while (pairs.length < rounds) pairs.push(await round());
  const ratio = median(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond));
  const of = (side: "ours" | "theirs", key: "perSecond" | "p50" | "p99") =>
    Math.round(median(pairs.map((pair) => pair[side][key])));
  const failed = pairs.reduce((sum, pair) => sum + pair.ours.failed + pair.theirs.failed, 0);
  const beside = bare ? `bare ${bare}` : "itself at rest";
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
  const sent: Promise<unknown>[] = [];
  const every = (ms: number, row: Row) => {
    const next = requestsOf(row, sample);
    return setInterval(() => {
      const sending = send(url, next());
      // The returned function rejects.
      sending.catch(() => undefined);
      sent.push(sending);
    }, ms);
  };
  const timers = [every(50, BID), every(500, POST)];
  return () => {
    for (const timer of timers) clearInterval(timer);
    return Promise.all(sent);
  };
}

/** From starting the built server to its first page, with the database running; the median of three starts. */
async function startTime(bench: Bench): Promise<Figure> {
  const ms = Math.round(median([await startOnce(bench), await startOnce(bench), await startOnce(bench)]));
  return { goal: `${MAX_START_MS} ms`, measured: `${ms} ms`, isMet: ms <= MAX_START_MS };
}

async function startOnce({ uri, closer }: Bench): Promise<number> {
  const started = performance.now();
  const starting = startServer({
    ...{ NODE_ENV: "production", HOST: "127.0.0.1", MONGODB_URI: uri },
    ...{ FIREBASE_PROJECT_ID: "demo-tasklane", WEB_URL: "https://tasklane.example" },
  });
  const { child, url } = await closer.track(starting, (running) => void running.child.kill("SIGKILL"));
  await fetchJson(url, { path: "/tasks?limit=24" });
  const ms = performance.now() - started;
  child.kill("SIGKILL");
  return ms;
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

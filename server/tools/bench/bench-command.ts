import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Closer, withCloser } from "../lib/closer.ts";
import { SERVER } from "../lib/paths.ts";
import { freePort } from "../lib/ports.ts";
import { productEnv } from "../lib/product-env.ts";
import { markdownTable, writeResult } from "../lib/results.ts";
import { UserError } from "../lib/user-error.ts";
import { wholeNumber } from "../lib/whole-number.ts";
import { buildServer } from "../start/build-product.ts";
import { startMongo } from "../start/mongo/start-mongo.ts";
import { transferFile } from "./files.ts";
import { fill, type Sample } from "./fill.ts";
import { type BenchServer, measure, type Round, send, startServer } from "./load.ts";
import { bids, posts, ROWS, type Row, type ServerName } from "./rows.ts";

const USAGE =
  "npm run tool bench -- [--tasks 100000] [--rounds 5] [--seconds 2] [--minutes 2] [--only NAME]…";
const CONNECTIONS = 10;
const WARM_UP = { seconds: 3, connections: CONNECTIONS };
const START = "Start to first response";
const MEMORY = "Memory under mixed load";
const UPLOAD = "Upload 20 MB";
const DOWNLOAD = "Download 20 MB";
const NAMES = [...ROWS.map(({ name }) => name), UPLOAD, DOWNLOAD, START, MEMORY];
/** The least shares of bare GridFS. An upload is written twice: in parts as it arrives, and once it is checked. */
const TRANSFER_GOALS = { upload: 0.25, download: 0.5 } as const;
const MAX_START_MS = 1_000;
const MAX_MEMORY_MB = 600;

type Options = { tasks: number; rounds: number; seconds: number; minutes: number };
/** A line of the report. */
type Figure = { name: string; cells: [goal: string, measured: string, details: string]; isMet: boolean };

/** `npm run tool bench`: the product beside the floor, on a temporary database. Fails if a goal is missed. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      tasks: { type: "string", default: "100000" },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "2" },
      minutes: { type: "string", default: "2" },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const number = (name: "tasks" | "rounds" | "seconds" | "minutes", max: number) =>
    wholeNumber(name, values[name], { min: 1, max, usage: USAGE });
  const options = {
    tasks: number("tasks", 10_000_000),
    rounds: number("rounds", 50),
    seconds: number("seconds", 60),
    minutes: number("minutes", 600),
  };
  const unknown = values.only.find((part) => !NAMES.some((name) => name.includes(part)));
  if (unknown !== undefined)
    throw new UserError(`--only "${unknown}" is part of no name. There are: ${NAMES.join("; ")}.\n${USAGE}`);
  const wanted = NAMES.filter(
    (name) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
  );
  await withCloser(async (closer) => {
    const figures = await runBench(wanted, options, closer);
    const table = markdownTable(
      ["", "goal", "measured", "details", ""],
      figures.map(({ name, cells, isMet }) => [name, ...cells, isMet ? "met" : "**missed**"]),
    );
    process.stdout.write(`\n${table}\n`);
    if (wanted.length === NAMES.length)
      writeResult("bench", ["npm run tool bench --", ...args].join(" "), table);
    process.exitCode = figures.every(({ isMet }) => isMet) ? 0 : 1;
  });
}

async function runBench(wanted: readonly string[], options: Options, closer: Closer): Promise<Figure[]> {
  const progress = (text: string) => void process.stdout.write(`  · ${text}\n`);
  progress("building the product");
  await buildServer();
  const mongo = await closer.track(startMongo({ progress, onCrash: closer.fail }), ({ stop }) => stop());
  const { uri } = mongo;
  const sample = await fill(uri, options.tasks, progress);
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
  const figures: Figure[] = [];
  const add = (figure: Figure) => {
    progress(`${figure.name}: ${figure.cells.slice(1).join(", ")}`);
    figures.push(figure);
  };
  // Before any load, which would leave the heap enlarged.
  if (wanted.includes(START)) add(await startTime(uri));
  for (const row of ROWS.filter(({ name }) => wanted.includes(name))) {
    closer.signal.throwIfAborted();
    add(await compare(row, servers, sample, options));
  }
  if (wanted.includes(UPLOAD) || wanted.includes(DOWNLOAD))
    for (const figure of await transfers(servers.product, uri, sample, options.rounds)) add(figure);
  if (wanted.includes(MEMORY)) add(await memory(servers.product, sample, options.minutes));
  return figures;
}

/** Measures both servers in turns, so that other load on the machine affects both. The ratio is the median of all pairs. */
async function compare(
  { name, server, other, goal, requests, besideWrites }: Row,
  servers: Record<ServerName, BenchServer>,
  sample: Sample,
  { rounds, seconds }: Options,
): Promise<Figure> {
  const round = async (
    which: ServerName,
    next: ReturnType<Row["requests"]>,
    writes = false,
    how = WARM_UP,
  ) => {
    const stop = writes ? write(servers.product.url, sample) : undefined;
    const measured = await measure(servers[which].url, next, how);
    await stop?.();
    return measured;
  };
  const [ours, theirs] = [requests(sample), requests(sample)];
  await round(server, ours);
  await round(other, theirs);
  const how = { seconds, connections: CONNECTIONS };
  const pairs: [Round, Round][] = [];
  for (let turn = 0; turn < rounds; turn++)
    pairs.push([await round(server, ours, besideWrites, how), await round(other, theirs, false, how)]);
  const ratio = median(pairs.map(([a, b]) => a.perSecond / b.perSecond));
  const of = (key: "perSecond" | "p50" | "p99", side: 0 | 1 = 0) =>
    Math.round(median(pairs.map((pair) => pair[side][key])));
  const failed = pairs.flat().reduce((sum, each) => sum + each.failed, 0);
  const beside = besideWrites ? "itself at rest" : other;
  const rates = `${of("perSecond")}/s (${beside} ${of("perSecond", 1)}/s)`;
  const details = `${rates}, p50 ${of("p50")} ms, p99 ${of("p99")} ms, ${failed} failed`;
  return {
    name,
    cells: [`${goal} of ${beside}`, ratio.toFixed(2), details],
    isMet: ratio >= goal && failed === 0,
  };
}

/** Both directions in turns with bare GridFS; each round by somebody else, because uploads are limited per day. */
async function transfers(
  server: BenchServer,
  uri: string,
  { people }: Sample,
  rounds: number,
): Promise<Figure[]> {
  await transferFile(server, uri, people[0] as string);
  const found: Awaited<ReturnType<typeof transferFile>>[] = [];
  for (let turn = 1; turn <= rounds; turn++)
    found.push(await transferFile(server, uri, people[turn % people.length] as string));
  return (["upload", "download"] as const).map((way) => {
    const ratio = median(found.map((each) => each[way].product / each[way].bare));
    const of = (side: "product" | "bare") =>
      `${Math.round(median(found.map((each) => each[way][side])))} MB/s`;
    return {
      name: way === "upload" ? UPLOAD : DOWNLOAD,
      cells: [
        `${TRANSFER_GOALS[way]} of bare GridFS`,
        ratio.toFixed(2),
        `${of("product")} (bare ${of("bare")})`,
      ],
      isMet: ratio >= TRANSFER_GOALS[way],
    };
  });
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Places twenty bids and posts two tasks a second until the returned function is called. */
function write(url: string, sample: Sample): () => Promise<unknown> {
  const sent: Promise<void>[] = [];
  const [bid, post] = [bids(sample), posts(sample)];
  const timers = [
    setInterval(() => sent.push(send(url, bid())), 50),
    setInterval(() => sent.push(send(url, post())), 500),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
    return Promise.all(sent);
  };
}

/** From starting the built server to its first page, with the database running; the median of three starts. */
async function startTime(uri: string): Promise<Figure> {
  const times = [await startOnce(uri), await startOnce(uri), await startOnce(uri)];
  const ms = Math.round(median(times));
  return { name: START, cells: [`${MAX_START_MS} ms`, `${ms} ms`, ""], isMet: ms <= MAX_START_MS };
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
async function memory(server: BenchServer, sample: Sample, minutes: number): Promise<Figure> {
  const sources = ROWS.map(({ requests }) => requests(sample));
  let turn = 0;
  const mixed = () => (sources[turn++ % sources.length] as (typeof sources)[number])();
  const peaks: number[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    let peak = 0;
    const timer = setInterval(() => {
      peak = Math.max(peak, server.rss() / 1e6);
    }, 1_000);
    await measure(server.url, mixed, { seconds: 60, connections: CONNECTIONS });
    clearInterval(timer);
    peaks.push(Math.round(peak));
  }
  const most = Math.max(...peaks);
  return {
    name: MEMORY,
    cells: [`${MAX_MEMORY_MB} MB`, `${most} MB`, `peak of each minute: ${peaks.join(", ")} MB`],
    isMet: most <= MAX_MEMORY_MB,
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { aTaskDraft } from "../../test/builders.ts";
import type { Closer } from "../lib/closer.ts";
import { actsOf } from "./acts.ts";
import { createActsDatabase } from "./acts-database.ts";
import { type Figures, figuresOf, pairedRatio, type Round } from "./figures.ts";
import type { Sample } from "./fill.ts";
import { measureRound, type RequestSource, registerPeople, requestOf, sendProxied } from "./load.ts";
import { isWanted, type MeasureOptions, type TestBed } from "./measure.ts";
import { ROWS, rowsOf } from "./rows.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { PAGE, type Setup } from "./servers/child.ts";

/** The product compared with something else, measured in turns. */
export type Comparison = {
  name: string;
  /** What it is compared with. */
  other: string;
  /** The minimum share of the other's throughput. */
  goal: number;
  figures: Figures;
  otherFigures: Figures;
  ratio: number;
  /** A further observation. */
  note?: string;
};

/** The servers and requests of one side; the connections are split among them. */
type Side = {
  targets: readonly { url: string; source: RequestSource }[];
  /** Starts something that runs while this side is measured. Resolves to a function that stops it. */
  meanwhile?: () => Promise<() => Promise<void>>;
};
type Plan = Pick<Comparison, "name" | "other" | "goal"> & {
  product: Side;
  against: Side;
  note?: () => string;
};

type Options = MeasureOptions & { publicKey: string };

const WARM_UP_S = 3;
const STREAMS = 300;
const BIDS_EVERY_MS = 50;
const POSTS_EVERY_MS = 500;
const SETTLE_MS = 1_000;
/** Upper limit for the awards in a second; each needs its own task. */
const MAX_AWARDS_PER_S = 1_000;

/** Measures all comparisons on the largest database; what people do is measured on a database of its own. */
export async function measureComparisons(
  testBed: TestBed,
  options: Options,
  closer: Closer,
  progress: (text: string) => void,
): Promise<Comparison[]> {
  const plans = [
    ...(await hotPlans(testBed, options, closer)),
    ...(await bidPlans(testBed, options, closer)),
    ...(await actPlans(testBed, options, closer, progress)),
  ].filter(({ name }) => isWanted(name, options));
  const results: Comparison[] = [];
  for (const plan of plans) {
    closer.signal.throwIfAborted();
    const result = await compare(plan, options);
    progress(
      `${result.name}: ${result.ratio.toFixed(2)} of ${result.other}${result.note ? `; ${result.note}` : ""}`,
    );
    results.push(result);
  }
  return results;
}

async function compare(plan: Plan, options: Options): Promise<Comparison> {
  const { name, other, goal, product, against, note } = plan;
  const rounds: Record<"product" | "against", Round[]> = { product: [], against: [] };
  for (const side of [product, against]) await measureSide(side, { ...options, seconds: WARM_UP_S });
  for (let turn = 0; turn < options.rounds; turn++) {
    const order = turn % 2 === 0 ? (["product", "against"] as const) : (["against", "product"] as const);
    for (const side of order) rounds[side].push(await measureSide(plan[side], options));
  }
  return {
    ...{ name, other, goal },
    figures: figuresOf(rounds.product),
    otherFigures: figuresOf(rounds.against),
    ratio: pairedRatio(rounds.product, rounds.against),
    ...(note && { note: note() }),
  };
}

async function measureSide({ targets, meanwhile }: Side, options: MeasureOptions): Promise<Round> {
  const end = await meanwhile?.();
  const { seconds } = options;
  const connections = options.connections / targets.length;
  const rounds = await Promise.all(
    targets.map(({ url, source }) => measureRound(url, source, { seconds, connections })),
  );
  await end?.();
  return {
    latencies: rounds.flatMap(({ latencies }) => latencies),
    seconds: Math.max(...rounds.map((round) => round.seconds)),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** Pages that many people request, served from the cache, and what may slow them down. */
async function hotPlans(testBed: TestBed, { publicKey }: Options, closer: Closer): Promise<Plan[]> {
  const { product } = testBed.servers;
  const first = () => requestOf("GET", `/tasks?limit=${PAGE}`);
  const featured = () => requestOf("GET", "/tasks/featuretasks");
  const body = await (await fetch(product.url + first().path)).text();
  const express = await startServerProcess("express", { ...setupOf(testBed, publicKey), body }, closer);
  const hot = (source: RequestSource): Side => ({ targets: [{ url: product.url, source }] });
  const written = (source: RequestSource): Side => ({
    ...hot(source),
    meanwhile: () => write(product.url, testBed.sample),
  });
  const streams = { bytes: 0 };
  return [
    {
      name: "First page, hot, beside memory",
      other: "an Express app that sends the same bytes from memory",
      goal: 0.75,
      product: hot(first),
      against: { targets: [{ url: express.url, source: first }] },
    },
    {
      name: "First page, hot, while 20 bids and 2 tasks a second are written",
      other: "nothing being written",
      goal: 0.8,
      product: written(first),
      against: hot(first),
    },
    {
      name: "Featured, hot, while 20 bids and 2 tasks a second are written",
      other: "nothing being written",
      goal: 0.8,
      product: written(featured),
      against: hot(featured),
    },
    {
      name: `First page, hot, while ${STREAMS} event streams are open`,
      other: "no stream being open",
      goal: 0.9,
      product: { ...hot(first), meanwhile: () => openStreams(product, testBed.sample.tokens, streams) },
      against: hot(first),
      note: () => `${Math.round(streams.bytes / STREAMS / 1_000)} kB for each stream`,
    },
  ];
}

/** Bids spread over two instances of the product, compared with two processes of the floor. */
async function bidPlans(testBed: TestBed, { publicKey }: Options, closer: Closer): Promise<Plan[]> {
  const setup = setupOf(testBed, publicKey);
  const { product, floor } = rowsOf(testBed.sample)[ROWS.bid];
  if (!product || !floor) return [];
  const servers = {
    product: [testBed.servers.product, await startServerProcess("product", setup, closer)],
    floor: [testBed.servers.floor, await startServerProcess("floor", setup, closer)],
  };
  for (const { url } of servers.product) await registerPeople(url, testBed.sample.tokens);
  const side = (of: ServerProcess[], source: RequestSource): Side => ({
    targets: of.map(({ url }) => ({ url, source })),
  });
  return [
    {
      name: "Bid, over two instances",
      other: "a bare updateOne in two processes",
      goal: 0.7,
      product: side(servers.product, product),
      against: side(servers.floor, floor),
    },
  ];
}

/** What people do, compared with the same writes or reads with the bare driver. */
async function actPlans(
  testBed: TestBed,
  { publicKey, rounds, seconds }: Options,
  closer: Closer,
  progress: (text: string) => void,
): Promise<Plan[]> {
  progress("preparing tasks, bids and messages");
  const { tokens } = testBed.sample;
  const awards = 2 * (WARM_UP_S + rounds * seconds) * MAX_AWARDS_PER_S;
  const database = await createActsDatabase(testBed.filled.uri, "bench_acts", {
    people: tokens.length,
    awards,
  });
  const setup = { ...setupOf(testBed, publicKey), dbName: database.dbName };
  const product = await startServerProcess("product", setup, closer);
  const floor = await startServerProcess("floor", setup, closer);
  await registerPeople(product.url, tokens);
  const against = (
    name: string,
    other: string,
    sources: Record<"product" | "floor", RequestSource>,
  ): Plan => ({
    ...{ name, other, goal: 0.7 },
    product: { targets: [{ url: product.url, source: sources.product }] },
    against: { targets: [{ url: floor.url, source: sources.floor }] },
  });
  const writes = "the same writes with the bare driver";
  const reads = "the same reads with the bare driver";
  const acts = actsOf(database, tokens);
  return [
    against("Post a task", writes, acts.post),
    against("Edit a task", writes, acts.edit),
    against("Award a task", writes, acts.award),
    against("Send a message", writes, acts.message),
    against("Read notifications", reads, acts.notifications),
    against("Read received bids", reads, acts.receivedBids),
  ];
}

function setupOf({ filled: { uri, dbName }, sample: { deepPlace } }: TestBed, publicKey: string): Setup {
  return { uri, dbName, publicKey, deepPlace, cacheResponses: true };
}

/** Places bids and posts tasks at a steady rate. */
async function write(url: string, sample: Sample): Promise<() => Promise<void>> {
  const bid = rowsOf(sample)[ROWS.bid].product;
  const post = () => requestOf("POST", "/tasks", { token: sample.tokens[0], body: aTaskDraft() });
  const sent: Promise<unknown>[] = [];
  const every = (ms: number, source: RequestSource | undefined) =>
    setInterval(() => {
      if (!source) return;
      sent.push(
        sendProxied(url, source()).then(
          (response) => response.text(),
          () => undefined,
        ),
      );
    }, ms);
  const timers = [every(BIDS_EVERY_MS, bid), every(POSTS_EVERY_MS, post)];
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(sent);
  };
}

/** Opens event streams for {@link STREAMS} people. @param memory receives the memory they take. */
async function openStreams(
  { url, residentBytes }: ServerProcess,
  tokens: readonly string[],
  memory: { bytes: number },
): Promise<() => Promise<void>> {
  const before = await residentBytes();
  const leaving = new AbortController();
  const { signal } = leaving;
  await Promise.all(
    tokens.slice(0, STREAMS).map(async (token) => {
      const response = await sendProxied(url, requestOf("GET", "/me/events", { token }), signal);
      if (!response.ok) throw new Error(`A stream of events was refused (${response.status}).`);
      void drain(response);
    }),
  );
  // Each stream first reads the unread counts and missed events.
  await sleep(SETTLE_MS);
  memory.bytes = Math.max(memory.bytes, (await residentBytes()) - before);
  return async () => {
    leaving.abort();
    await sleep(100);
  };
}

async function drain({ body }: Response): Promise<void> {
  try {
    for await (const _chunk of body ?? []);
  } catch {
    // Aborted at the end of the round.
  }
}

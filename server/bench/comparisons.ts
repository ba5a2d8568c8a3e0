import { setTimeout as sleep } from "node:timers/promises";
import type { Closer } from "../dev/lib/closer.ts";
import { aTaskDraft } from "../test/builders.ts";
import { actsOf } from "./acts.ts";
import { type Contestant, startContestant } from "./contestant.ts";
import { type Figures, figuresOf, pairedRatio, type Round } from "./figures.ts";
import { type Ask, introduce, measureRound, nextRequest } from "./load.ts";
import { isWanted, type MeasureOptions, type Site } from "./measure.ts";
import { ROWS, rowsOf } from "./rows.ts";
import { setScene } from "./scene.ts";
import { PAGE, type Setup } from "./servers/child.ts";

/** The product beside something else, in turns. */
export type Comparison = {
  name: string;
  /** What it is compared with. */
  other: string;
  /** At least that part of the other's throughput. */
  goal: number;
  figures: Figures;
  otherFigures: Figures;
  ratio: number;
  /** What else was seen, in words. */
  note?: string;
};

/** Who is asked for what, each with its share of the connections. */
type Side = {
  targets: readonly { url: string; ask: Ask }[];
  /** Goes on while this side is measured. Resolves once it has begun, to what ends it. */
  meanwhile?: () => Promise<() => Promise<void>>;
};
type Plan = Pick<Comparison, "name" | "other" | "goal"> & {
  product: Side;
  against: Side;
  note?: () => string;
};

type Options = MeasureOptions & { publicKey: string; tokens: readonly string[] };

const WARM_UP_S = 3;
const STREAMS = 300;
const BIDS_EVERY_MS = 50;
const POSTS_EVERY_MS = 500;
const SETTLE_MS = 1_000;
/** At most as many awards are made in a second; each needs a task of its own. */
const AWARDS_PER_S = 1_000;

/** Measures them on the largest database, and those that write tasks and messages on one of their own. */
export async function measureComparisons(
  site: Site,
  options: Options,
  closer: Closer,
  progress: (text: string) => void,
): Promise<Comparison[]> {
  const plans = [
    ...(await hotPlans(site, options, closer)),
    ...(await bidPlans(site, options, closer)),
    ...(await actPlans(site, options, closer, progress)),
  ].filter(({ name }) => isWanted(name, options));
  const results: Comparison[] = [];
  for (const plan of plans) {
    closer.throwIfClosing();
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
    targets.map(({ url, ask }) => measureRound(url, ask, { seconds, connections })),
  );
  await end?.();
  return {
    latencies: rounds.flatMap(({ latencies }) => latencies),
    seconds: Math.max(...rounds.map((round) => round.seconds)),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** What many people ask for at the same time, and what disturbs it. */
async function hotPlans(site: Site, { publicKey, tokens }: Options, closer: Closer): Promise<Plan[]> {
  const { product } = site.servers;
  const first: Ask = () => ({ method: "GET", path: `/tasks?limit=${PAGE}` });
  const featured: Ask = () => ({ method: "GET", path: "/tasks/featuretasks" });
  const body = await (await fetch(product.url + first().path)).text();
  const express = await start("express", { ...setupOf(site, publicKey), body }, closer);
  const hot = (ask: Ask): Side => ({ targets: [{ url: product.url, ask }] });
  const written = (ask: Ask): Side => ({ ...hot(ask), meanwhile: () => write(product.url, site, tokens) });
  const streams = { bytes: 0 };
  return [
    {
      name: "First page, hot, beside memory",
      other: "an Express app that sends the same bytes from memory",
      goal: 0.75,
      product: hot(first),
      against: { targets: [{ url: express.url, ask: first }] },
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
      product: { ...hot(first), meanwhile: () => openStreams(product, tokens, streams) },
      against: hot(first),
      note: () => `${Math.round(streams.bytes / STREAMS / 1_000)} kB for each stream`,
    },
  ];
}

/** Bids that arrive at two instances of the product, beside two processes of the floor. */
async function bidPlans(site: Site, { publicKey, tokens }: Options, closer: Closer): Promise<Plan[]> {
  const setup = setupOf(site, publicKey);
  const { product, floor } = rowsOf({ ...site.sample, tokens: [...tokens] })[ROWS.bid];
  if (!product || !floor) return [];
  const servers = {
    product: [site.servers.product, await start("product", setup, closer)],
    floor: [site.servers.floor, await start("floor", setup, closer)],
  };
  for (const { url } of servers.product) await introduce(url, tokens);
  const side = (of: Contestant[], ask: Ask): Side => ({ targets: of.map(({ url }) => ({ url, ask })) });
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

/** What people do, beside the same writes (or reads) with the bare driver. */
async function actPlans(
  site: Site,
  { publicKey, tokens, rounds, seconds }: Options,
  closer: Closer,
  progress: (text: string) => void,
): Promise<Plan[]> {
  progress("preparing tasks, bids and messages");
  const awards = 2 * (WARM_UP_S + rounds * seconds) * AWARDS_PER_S;
  const scene = await setScene(site.filled.uri, "bench_acts", { people: tokens.length, awards });
  const setup = { ...setupOf(site, publicKey), dbName: scene.dbName };
  const product = await start("product", setup, closer);
  const floor = await start("floor", setup, closer);
  await introduce(product.url, tokens);
  const against = (name: string, other: string, ask: Ask, floorAsk: Ask): Plan => ({
    ...{ name, other, goal: 0.7 },
    product: { targets: [{ url: product.url, ask }] },
    against: { targets: [{ url: floor.url, ask: floorAsk }] },
  });
  const writes = "the same writes with the bare driver";
  const reads = "the same reads with the bare driver";
  const acts = actsOf(scene, tokens);
  return [
    against("Post a task", writes, acts.post.product, acts.post.floor),
    against("Edit a task", writes, acts.edit.product, acts.edit.floor),
    against("Award a task", writes, acts.award.product, acts.award.floor),
    against("Send a message", writes, acts.message.product, acts.message.floor),
    against("Read notifications", reads, acts.notifications.product, acts.notifications.floor),
    against("Read received bids", reads, acts.inbox.product, acts.inbox.floor),
  ];
}

function setupOf({ filled: { uri, dbName }, sample: { deepPlace } }: Site, publicKey: string): Setup {
  return { uri, dbName, publicKey, deepPlace, cacheResponses: true };
}

function start(
  kind: Parameters<typeof startContestant>[0],
  setup: Setup,
  closer: Closer,
): Promise<Contestant> {
  return closer.track(startContestant(kind, setup), (server) => server.stop());
}

/** Places bids and posts tasks at a steady rate. */
async function write(url: string, site: Site, tokens: readonly string[]): Promise<() => Promise<void>> {
  const bid = rowsOf({ ...site.sample, tokens: [...tokens] })[ROWS.bid].product;
  const post: Ask = () => ({
    ...{ method: "POST", path: "/tasks", body: JSON.stringify(aTaskDraft()) },
    headers: { "content-type": "application/json", authorization: `Bearer ${tokens[0]}` },
  });
  const sent: Promise<unknown>[] = [];
  const every = (ms: number, ask: Ask | undefined) =>
    setInterval(() => {
      if (!ask) return;
      const { path, ...init } = nextRequest(ask);
      sent.push(
        fetch(url + path, init).then(
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

/** Opens a stream of events for each of so many people. @param memory where what they take is written. */
async function openStreams(
  { url, residentBytes }: Contestant,
  tokens: readonly string[],
  memory: { bytes: number },
): Promise<() => Promise<void>> {
  const before = await residentBytes();
  const leaving = new AbortController();
  const { signal } = leaving;
  await Promise.all(
    tokens.slice(0, STREAMS).map(async (token) => {
      const ask: Ask = () => ({
        method: "GET",
        path: "/me/events",
        headers: { authorization: `Bearer ${token}` },
      });
      const { path, ...init } = nextRequest(ask);
      const response = await fetch(url + path, { ...init, signal });
      if (!response.ok) throw new Error(`A stream of events was refused (${response.status}).`);
      void drain(response);
    }),
  );
  // Each reads what is unread, and what came since.
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
    // Cut at the end of the round.
  }
}

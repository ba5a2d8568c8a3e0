import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { MongoClient, ObjectId } from "mongodb";
import type { Closer } from "../dev/lib/closer.ts";
import { CATEGORIES, type Notification, type TaskDraft } from "../src/contract/index.ts";
import { collectionsOf } from "../src/db/collections.ts";
import type { SavedSearchDoc } from "../src/db/documents/people.ts";
import { prepareDatabase } from "../src/db/prepare-database.ts";
import { matchOf } from "../src/features/saved-searches/match-searches.ts";
import { aTaskDraft } from "../test/builders.ts";
import { seededRandom } from "../test/many-tasks.ts";
import { type Contestant, startContestant } from "./contestant.ts";
import { pairedRatio, percentile, type Round } from "./figures.ts";
import { type Ask, measureRound, nextRequest } from "./load.ts";
import { titlesFor } from "./titles.ts";

/** What saved searches cost those who post, and how soon they tell whom. */
export type AlertFigures = {
  searches: number;
  /** Tasks posted one after another, and the people told of them, all in all. */
  posted: number;
  told: number;
  /** People who should have been told and were not, or the other way round. */
  wrong: number;
  /** Milliseconds from the response to the live event. */
  p50: number;
  p99: number;
  /** Tasks posted in a second under load, with and without saved searches, and the median ratio of paired rounds. */
  perSecond: number;
  perSecondWithout: number;
  ratio: number;
};

type Options = { searches: number; rounds: number; seconds: number; connections: number };

const OWNERS = 5_000;
const BATCH = 5_000;
const READERS = 50;
const POSTS = 200;
const POST_EVERY_MS = 40;
const SETTLE_MS = 60_000;

/** Measures on two databases of their own, one with saved searches and one without. */
export async function measureAlerts(
  uri: string,
  { searches, ...options }: Options,
  { publicKey, tokens }: { publicKey: string; tokens: string[] },
  closer: Closer,
): Promise<AlertFigures> {
  const client = await closer.track(MongoClient.connect(uri), (connected) => connected.close());
  const start = async (dbName: string): Promise<Contestant> => {
    await prepareDatabase({ uri, dbName });
    const place = { key: "", id: "" };
    const setup = { uri, dbName, publicKey, deepPlace: place, cacheResponses: false };
    return closer.track(startContestant("product", setup), (server) => server.stop());
  };
  const without = await start("bench_unsearched");
  const server = await start("bench_searched");
  const collections = collectionsOf(client.db("bench_searched"));
  const saved = [...manySearches(searches)];
  for (let at = 0; at < saved.length; at += BATCH)
    await collections.savedSearches.insertMany(saved.slice(at, at + BATCH), { ordered: false });

  const settled = async () => {
    const until = performance.now() + SETTLE_MS;
    const left = () => collections.tasks.countDocuments({ alertsDueAt: { $exists: true } }, { limit: 1 });
    while ((await left()) > 0 && performance.now() < until) await sleep(20);
  };
  const rounds: Record<"with" | "without", Round[]> = { with: [], without: [] };
  const ask = posts(tokens);
  await measureRound(server.url, ask, options);
  await measureRound(without.url, ask, options);
  for (let turn = 0; turn < options.rounds; turn++) {
    await settled();
    rounds.without.push(await measureRound(without.url, ask, options));
    rounds.with.push(await measureRound(server.url, ask, options));
  }
  await settled();
  const perSecond = (of: Round[]) =>
    percentile(
      of.map(({ latencies, seconds }) => latencies.length / seconds),
      0.5,
    );
  const live = await measureLive(server, tokens);
  await settled();
  const expected = new Set(
    live.posted.flatMap(({ id, draft }) => [...readersOf(draft, saved)].map((reader) => `${id} ${reader}`)),
  );
  const taskId = { $in: live.posted.map(({ id }) => new ObjectId(id)) };
  const told = await collections.notifications.find({ kind: "search-match", taskId }).toArray();
  const found = told.map((each) => `${each.taskId} ${each.recipientId}`);
  const surplus = found.filter((each) => !expected.delete(each)).length;
  return {
    searches,
    posted: live.posted.length,
    told: told.length,
    wrong: surplus + expected.size,
    p50: percentile(live.latencies, 0.5),
    p99: percentile(live.latencies, 0.99),
    perSecond: perSecond(rounds.with),
    perSecondWithout: perSecond(rounds.without),
    ratio: pairedRatio(rounds.with, rounds.without),
  };
}

/** Searches for parts of titles as `titlesFor` makes them, in a category and from a budget on; the same in every run. */
function* manySearches(count: number): Generator<SavedSearchDoc> {
  const roll = seededRandom(count);
  const titleOf = titlesFor(count);
  const createdAt = new Date();
  for (let at = 0; at < count; at++) {
    // "a logo for a bakery in Oslo": a few of the titles have it.
    const search = / .*? in [^,(-]+/.exec(titleOf(at))?.[0].trim() ?? "a logo";
    const category = CATEGORIES[Math.floor(roll() * CATEGORIES.length)] as TaskDraft["category"];
    const filters = { search, category, ...(roll() < 0.5 && { minBudget: "100" }) };
    yield aSearch(`owner-${at % OWNERS}`, Math.floor(at / OWNERS), filters, createdAt);
  }
  for (let reader = 0; reader < READERS; reader++)
    yield aSearch(`bidder-${reader}`, 0, { search: wordOf(reader) }, createdAt);
}

function aSearch(
  ownerId: string,
  slot: number,
  filters: Parameters<typeof matchOf>[0],
  createdAt: Date,
): SavedSearchDoc {
  const fixed = { name: "A search", mail: "never", paused: false, createdAt } as const;
  return { _id: new ObjectId(), ...fixed, ownerId, slot, ...filters, match: matchOf(filters) };
}

const wordOf = (reader: number) => `qz${reader}x`;

/** Whose searches this task matches, found by trying every one of them. */
function readersOf({ title, category, budget }: TaskDraft, saved: readonly SavedSearchDoc[]): Set<string> {
  const text = title.toLowerCase();
  const matches = saved.filter(
    (one) =>
      (one.category === undefined || one.category === category) &&
      budget >= Number(one.minBudget ?? 0) &&
      text.includes((one.search ?? "").toLowerCase()),
  );
  return new Set(matches.map(({ ownerId }) => ownerId));
}

function drafts(seed: number): () => TaskDraft {
  const titleOf = titlesFor(seed);
  const roll = seededRandom(seed);
  let next = 0;
  return () =>
    aTaskDraft({
      title: titleOf(next++),
      category: CATEGORIES[Math.floor(roll() * CATEGORIES.length)] as TaskDraft["category"],
      budget: 50 + Math.floor(roll() * 100),
    });
}

function postOf(draft: TaskDraft, token: string | undefined): ReturnType<Ask> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return { method: "POST", path: "/tasks", headers, body: JSON.stringify(draft) };
}

function posts(tokens: readonly string[]): Ask {
  const draft = drafts(1_000_003);
  let next = 0;
  return () => postOf(draft(), tokens[next++ % tokens.length]);
}

type Posted = { id: string; draft: TaskDraft };

/** Posts tasks one after another, each for a reader who waits for it at an open stream. */
async function measureLive(
  { url }: Contestant,
  tokens: readonly string[],
): Promise<{ posted: Posted[]; latencies: number[] }> {
  const respondedAt = new Map<string, number>();
  const toldAt = new Map<string, number>();
  const leaving = new AbortController();
  const readers = tokens.slice(0, READERS).map((token) => follow(url, token, leaving.signal, toldAt));
  await Promise.all(readers);
  const posted: Posted[] = [];
  const draft = drafts(7_919);
  for (let at = 0; at < POSTS; at++) {
    const one = draft();
    one.title = `${one.title} ${wordOf(at % READERS)}`;
    const client = tokens[READERS + (at % (tokens.length - READERS))];
    const { path, ...init } = nextRequest(() => postOf(one, client));
    const response = await fetch(url + path, init);
    const { insertedId: id } = (await response.json()) as { insertedId: string };
    respondedAt.set(id, performance.now());
    posted.push({ id, draft: one });
    await sleep(POST_EVERY_MS);
  }
  const until = performance.now() + SETTLE_MS / 10;
  while (toldAt.size < POSTS && performance.now() < until) await sleep(20);
  leaving.abort();
  const latencies = posted.map(
    ({ id }) => (toldAt.get(id) ?? Number.POSITIVE_INFINITY) - (respondedAt.get(id) ?? 0),
  );
  return { posted, latencies: latencies.map((ms) => Math.max(0, ms)) };
}

/** Notes when this reader is told of a task; goes on where the stream was cut. @returns when it is open. */
async function follow(
  url: string,
  token: string,
  signal: AbortSignal,
  toldAt: Map<string, number>,
): Promise<void> {
  let lastEventId: string | undefined;
  const open = async () => {
    const headers = {
      accept: "text/event-stream",
      authorization: `Bearer ${token}`,
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    };
    const { path, ...init } = nextRequest(() => ({ method: "GET", path: "/me/events", headers }));
    return (await fetch(url + path, { ...init, signal })).body ?? [];
  };
  const read = async (body: Awaited<ReturnType<typeof open>>) => {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent({ event, id, data }) {
        lastEventId = id ?? lastEventId;
        if (event !== "notification") return;
        const { taskId } = JSON.parse(data) as Notification;
        if (!toldAt.has(taskId)) toldAt.set(taskId, performance.now());
      },
    });
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  const first = await open();
  const goOn = async () => {
    await read(first).catch(() => undefined);
    while (!signal.aborted)
      await open()
        .then(read)
        .catch(() => sleep(50));
  };
  void goOn();
}

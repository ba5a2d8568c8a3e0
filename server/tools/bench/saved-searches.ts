import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { MongoClient, ObjectId } from "mongodb";
import { CATEGORIES, type Notification, type TaskDraft } from "../../src/contract/index.ts";
import { collectionsOf } from "../../src/db/collections.ts";
import type { SavedSearchDoc } from "../../src/db/documents/people.ts";
import { migrate } from "../../src/db/migrate.ts";
import { matchOf } from "../../src/features/saved-searches/match-searches.ts";
import { aTaskDraft } from "../../test/builders.ts";
import { seededRandom } from "../../test/many-tasks.ts";
import type { Closer } from "../lib/closer.ts";
import { pairedRatio, percentile, type Round } from "./figures.ts";
import { measureRound, requestOf, roundRobin, sendProxied } from "./load.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { titlesFor } from "./titles.ts";

/** What saved searches cost when tasks are posted, and how soon they notify their owners. */
export type AlertFigures = {
  searches: number;
  /** Tasks posted one after another, and all notifications about them. */
  posted: number;
  notified: number;
  /** Missing and unwarranted notifications. */
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

/** Measures on two separate databases, one with saved searches and one without. */
export async function measureAlerts(
  uri: string,
  { searches, ...options }: Options,
  { publicKey, tokens }: { publicKey: string; tokens: string[] },
  closer: Closer,
): Promise<AlertFigures> {
  const client = await closer.track(MongoClient.connect(uri), (connected) => connected.close());
  const start = async (dbName: string): Promise<ServerProcess> => {
    await migrate({ uri, dbName });
    const place = { key: "", id: "" };
    const setup = { uri, dbName, publicKey, deepPlace: place, cacheResponses: false };
    return startServerProcess("product", setup, closer);
  };
  const without = await start("bench_unsearched");
  const server = await start("bench_searched");
  const collections = collectionsOf(client.db("bench_searched"));
  const saved = [...generateSearches(searches)];
  for (let at = 0; at < saved.length; at += BATCH)
    await collections.savedSearches.insertMany(saved.slice(at, at + BATCH), { ordered: false });

  const settled = async () => {
    const until = performance.now() + SETTLE_MS;
    const left = () => collections.tasks.countDocuments({ alertsDueAt: { $exists: true } }, { limit: 1 });
    while ((await left()) > 0 && performance.now() < until) await sleep(20);
  };
  const rounds: Record<"with" | "without", Round[]> = { with: [], without: [] };
  const nextDraft = drafts(1_000_003);
  const source = roundRobin(tokens, (token) => requestOf("POST", "/tasks", { token, body: nextDraft() }));
  await measureRound(server.url, source, options);
  await measureRound(without.url, source, options);
  for (let turn = 0; turn < options.rounds; turn++) {
    await settled();
    rounds.without.push(await measureRound(without.url, source, options));
    rounds.with.push(await measureRound(server.url, source, options));
  }
  await settled();
  const perSecond = (of: Round[]) =>
    percentile(
      of.map(({ latencies, seconds }) => latencies.length / seconds),
      0.5,
    );
  const live = await measureLiveEvents(server, tokens);
  await settled();
  const expected = new Set(
    live.posted.flatMap(({ id, draft }) =>
      [...matchingOwners(draft, saved)].map((reader) => `${id} ${reader}`),
    ),
  );
  const taskId = { $in: live.posted.map(({ id }) => new ObjectId(id)) };
  const notifications = await collections.notifications.find({ kind: "search-match", taskId }).toArray();
  const found = notifications.map((each) => `${each.taskId} ${each.recipientId}`);
  const surplus = found.filter((each) => !expected.delete(each)).length;
  return {
    searches,
    posted: live.posted.length,
    notified: notifications.length,
    wrong: surplus + expected.size,
    p50: percentile(live.latencies, 0.5),
    p99: percentile(live.latencies, 0.99),
    perSecond: perSecond(rounds.with),
    perSecondWithout: perSecond(rounds.without),
    ratio: pairedRatio(rounds.with, rounds.without),
  };
}

/** Searches for parts of the titles of `titlesFor`, in a category and from a minimum budget; the same in every run. */
function* generateSearches(count: number): Generator<SavedSearchDoc> {
  const roll = seededRandom(count);
  const titleOf = titlesFor(count);
  const createdAt = new Date();
  for (let at = 0; at < count; at++) {
    // Such as "a logo for a bakery in Oslo", which occurs in a few titles.
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

/** The owners of the searches that match this task, found by trying every search. */
function matchingOwners(
  { title, category, budget }: TaskDraft,
  saved: readonly SavedSearchDoc[],
): Set<string> {
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

type Posted = { id: string; draft: TaskDraft };

/** Posts tasks one after another, each matching the search of one person with an open event stream. */
async function measureLiveEvents(
  { url }: ServerProcess,
  tokens: readonly string[],
): Promise<{ posted: Posted[]; latencies: number[] }> {
  const respondedAt = new Map<string, number>();
  const notifiedAt = new Map<string, number>();
  const leaving = new AbortController();
  const readers = tokens
    .slice(0, READERS)
    .map((token) => followEvents(url, token, leaving.signal, notifiedAt));
  await Promise.all(readers);
  const posted: Posted[] = [];
  const draft = drafts(7_919);
  for (let at = 0; at < POSTS; at++) {
    const one = draft();
    one.title = `${one.title} ${wordOf(at % READERS)}`;
    const token = tokens[READERS + (at % (tokens.length - READERS))];
    const response = await sendProxied(url, requestOf("POST", "/tasks", { token, body: one }));
    const { insertedId: id } = (await response.json()) as { insertedId: string };
    respondedAt.set(id, performance.now());
    posted.push({ id, draft: one });
    await sleep(POST_EVERY_MS);
  }
  const until = performance.now() + SETTLE_MS / 10;
  while (notifiedAt.size < POSTS && performance.now() < until) await sleep(20);
  leaving.abort();
  const latencies = posted.map(
    ({ id }) => (notifiedAt.get(id) ?? Number.POSITIVE_INFINITY) - (respondedAt.get(id) ?? 0),
  );
  return { posted, latencies: latencies.map((ms) => Math.max(0, ms)) };
}

/** Records when this person is notified of a task; reconnects after an interruption. Resolves once the stream is open. */
async function followEvents(
  url: string,
  token: string,
  signal: AbortSignal,
  notifiedAt: Map<string, number>,
): Promise<void> {
  let lastEventId: string | undefined;
  const open = async () => {
    const request = requestOf("GET", "/me/events", { token });
    if (lastEventId !== undefined) request.headers["last-event-id"] = lastEventId;
    return (await sendProxied(url, request, signal)).body ?? [];
  };
  const read = async (body: Awaited<ReturnType<typeof open>>) => {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent({ event, id, data }) {
        lastEventId = id ?? lastEventId;
        if (event !== "notification") return;
        const { taskId } = JSON.parse(data) as Notification;
        if (!notifiedAt.has(taskId)) notifiedAt.set(taskId, performance.now());
      },
    });
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  const first = await open();
  const readOn = async () => {
    await read(first).catch(() => undefined);
    while (!signal.aborted)
      await open()
        .then(read)
        .catch(() => sleep(50));
  };
  void readOn();
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { BSON, type Document, ObjectId } from "mongodb";
import { parse } from "yaml";
import { ACCESS } from "../../src/contract/endpoint.ts";
import type { Harness } from "../../test/harness.ts";
import { exampleTask } from "../lib/example-task.ts";
import { anyOf, seededRandom } from "../lib/random.ts";
import {
  type Action,
  dayIn,
  isOperator,
  type Kind,
  type Life,
  type Move,
  OPERATOR,
  type Person,
  stateOf,
  VISITOR,
} from "../model/task.ts";
import { keyOf, step } from "../model/task-life.ts";
import { requestOf } from "../model/task-requests.ts";
import { emailOf, listsOf, NOT_COVERED, nameOf, pagesOf, type Read } from "./views.ts";

const { EJSON } = BSON;

/** The product: its API and its database, with a clock that may be set. */
export type World = Pick<Harness, "as" | "clock" | "database"> & {
  /** Runs the periodic jobs once. */
  runJobs(): Promise<void>;
  /** Finishes what a move of this kind left to the background. */
  settle(kind: Kind): Promise<void>;
};

/** A life so far: its state in the model, its documents in the product, and the moves that led there. */
type Place = { life: Life; id: string; docs: Docs; path: readonly Move[] };
type Docs = Record<Collection, Document[]>;
type Edge = { from: Place; move: Move };
/** A life during a move. */
type Current = Edge & { id: string; docs: Docs; before: Life; after: Life };

/** What a life is stored in; suspensions are shared by all lives at the same time. */
const COLLECTIONS = [
  "tasks",
  "bids",
  "notifications",
  "timeline",
  "reviews",
  "agreements",
  "disputes",
  "operatorQueue",
  "operatorLog",
  "jobs",
  "suspensions",
] as const;
type Collection = (typeof COLLECTIONS)[number];
const noDocs = () => Object.fromEntries(COLLECTIONS.map((name) => [name, []])) as unknown as Docs;
/** The time of every move. */
const NOW = Date.parse("2031-03-10T20:00:00Z");
/** Between any two moves, so that their order is known. */
const PAUSE_MS = 1_000;
const DAY_MS = 86_400_000;
const CONCURRENCY = 12;
/** So many lives are played at the same time. */
const BATCH = 250;

type Written = [by: Person, kind: Kind, how?: object];
type Lives = Record<"operators" | "shared" | "usual" | "bumpy" | "disputed", Written[]> & {
  actions: Record<Kind, object[]>;
};
const LIVES = parse(readFileSync(join(import.meta.dirname, "lives.yaml"), "utf8")) as Lives;

const { deadline: _, ...TERMS } = exampleTask({ budget: 500 });
const moves = (written: Written[]): Move[] =>
  written.map(([by, kind, how]) => ({
    by,
    action: { kind, ...(kind === "post" && TERMS), ...how } as Action,
  }));
const triedBy = (who: Person, most = Infinity): Written[] =>
  Object.entries(LIVES.actions).flatMap(([kind, ways]) =>
    ways.slice(0, most).map((how): Written => [who, kind as Kind, how]),
  );
const MOVES = moves([
  ...["clara", "fred"].flatMap((who) => triedBy(who)),
  ...["fay", "flo", OPERATOR].flatMap((who) => triedBy(who, 1)),
  ...LIVES.operators,
]);
const SHARED = moves(LIVES.shared);
const READ = moves([["clara", "read"]]);
const affectsAll = ({ action }: Move) => ["wait", "suspend", "read"].includes(action.kind);
/** A usual life. */
export const USUAL = moves(LIVES.usual);
const KNOWN = [USUAL, moves(LIVES.bumpy), moves(LIVES.disputed)];
const BEGINNING: Place = {
  life: { now: NOW, notifications: [], suspended: [] },
  ...{ id: "", docs: noDocs(), path: [] },
};

/** The product differs from the model. */
class Contradiction extends Error {
  constructor({ from, move }: Edge, difference: string) {
    const lines = [...from.path, move].map(
      ({ by: who, action: { kind, ...how } }) => `  ${who}: ${kind} ${JSON.stringify(how)}`,
    );
    super(`${lines.join("\n")}\n${difference}`);
  }
}

/** Plays a usual, a bumpy and a disputed life, and reads nothing on the way: what they reach is read when it is left. */
async function playKnown(world: World): Promise<{ places: Place[]; edges: Edge[] }> {
  const places: Place[] = [];
  const edges: Edge[] = [];
  for (const life of KNOWN) {
    let from = BEGINNING;
    for (const move of life) {
      if (!affectsAll(move)) edges.push({ from, move });
      [from = BEGINNING] = await advance(world, [{ from, move }], "unread");
      places.push(from);
    }
  }
  return { places, edges };
}

/**
 * Plays all lives that begin like a usual, a bumpy or a disputed one, however far, and go on with so many other moves: every move is
 * tried in each state that can be reached so, once.
 * @param isSampled leaves out what is refused, or done anywhere, for the same reason in a similar state.
 * @throws {Contradiction}
 */
export async function playAll(
  world: World,
  { depth, isSampled }: { depth: number; isSampled: boolean },
): Promise<{ states: number; moves: number }> {
  const seen = new Set<string>();
  const isFirst = (key: string) => seen.size < seen.add(key).size;
  const isPlayed = (edge: Edge) => !isSampled || isFirst(kindOf(edge));
  const states = new Set<string>();
  const isNewState = (life: Life) => states.size < states.add(stateKey(life)).size;
  const left = new Set<string>();
  const isNotLeft = ({ life }: Place) => left.size < left.add(stateKey(life)).size;
  const known = await playKnown(world);
  let places = known.places.filter(isNotLeft);
  let moves = 0;
  for (let at = 0; at < depth; at++) {
    const next: Place[] = [];
    for (const edges of [...(at === 0 ? [known.edges] : []), ...batchesOf(places, isPlayed)]) {
      const news = new Set<Life>();
      const isNew = (life: Life) => news.has(life) || (isNewState(life) && Boolean(news.add(life)));
      for (const place of await advance(world, edges, isNew))
        if (news.has(place.life) && isNotLeft(place)) next.push(place);
      moves += edges.length;
    }
    places = next;
  }
  return { states: states.size, moves };
}

const ON_ENDING: readonly Kind[] = ["propose-ending", "answer-ending", "state-case", "decide", "appeal"];
/** What these change does not depend on how far the work is. */
const ANYWHERE: readonly Kind[] = [
  "edit",
  "bid",
  "withdraw",
  "triage",
  "hide",
  "suspend",
  "review",
  "propose",
  "propose-ending",
];

/** Refusals for who somebody is, however far the work is. */
const ON_PERSON: readonly unknown[] = [
  ...Object.values(ACCESS).map(({ error }) => error),
  "account-suspended",
  "task-not-found",
];

/** Equal for moves that change nothing for the same reason, or the same anywhere; all others are different. */
function kindOf({ from: { life }, move }: Edge): string {
  const { by: who, action } = move;
  const { life: after, expected } = step(life, move);
  const { task } = life;
  if (!task || (after !== life && !ANYWHERE.includes(action.kind)))
    return `${stateKey(life)} ${JSON.stringify(move)}`;
  const roles = { [task.owner]: "client", [task.award?.to ?? ""]: "hired" };
  const role = roles[who] ?? (isOperator(who) ? "operator" : who in task.bids ? "bidder" : "other");
  const isAboutEnding = role !== "other" && ON_ENDING.includes(action.kind);
  const isAboutPerson = [expected].flat().every((code) => ON_PERSON.includes(code));
  return JSON.stringify([
    ...[after === life ? action.kind : action, role, expected],
    ...[task.deleted, task.hiddenBy, life.suspended.includes(who)],
    ...(isAboutPerson ? [] : [stateOf(task, life), isAboutEnding && task.dispute?.state]),
  ]);
}

/** Both freelancers may do the same, so states that differ only in their names are the same. */
function stateKey(life: Life): string {
  const swapped = JSON.stringify(life).replace(/fred|fay/g, (name) => (name === "fred" ? "fay" : "fred"));
  return [keyOf(life), keyOf(JSON.parse(swapped))].sort()[0] ?? "";
}

/** The moves that are played from these places, those together that can be made at the same time. */
function* batchesOf(places: readonly Place[], isPlayed: (edge: Edge) => boolean): Generator<Edge[]> {
  const suspendedIn = ({ life }: Place) => String(life.suspended);
  for (const suspended of new Set(places.map(suspendedIn))) {
    const group = places.filter((place) => suspendedIn(place) === suspended);
    const edges = group.flatMap((from) => MOVES.map((move) => ({ from, move })));
    for (const all of [edges, ...SHARED.map((move) => group.map((from) => ({ from, move })))]) {
      const played = all.filter(isPlayed);
      for (let from = 0; from < played.length; from += BATCH) yield played.slice(from, from + BATCH);
    }
  }
}

/**
 * Plays random lives at the same time, each of so many moves, most of which change something.
 * @returns the kinds of moves that changed something.
 * @throws {Contradiction}
 */
export async function playRandom(
  world: World,
  { seed, lives, length }: { seed: number; lives: number; length: number },
): Promise<Kind[]> {
  const random = seededRandom(seed);
  const any = (some: readonly Move[]) => anyOf(some, random) as Move;
  const done = new Set<Kind>();
  let places = Array.from({ length: lives }, () => BEGINNING);
  for (let at = 0; at < length; at++) {
    const movesFrom = (from: Place, moves: readonly Move[]) => {
      const useful = random() < 0.8 ? moves.filter((move) => step(from.life, move).expected === true) : [];
      return { from, move: any(useful.length > 0 ? useful : moves) };
    };
    const shared = random() < 0.25 ? movesFrom(places[0] ?? BEGINNING, [...SHARED, ...READ]).move : undefined;
    const common = at === 0 ? USUAL[0] : shared;
    const edges = places.map((from) => (common ? { from, move: common } : movesFrom(from, MOVES)));
    for (const { from, move } of edges)
      if (step(from.life, move).expected === true) done.add(move.action.kind);
    places = await advance(world, edges);
  }
  return [...done].sort();
}

/** @throws {Contradiction} */
export async function playLife(world: World, moves: readonly Move[]): Promise<void> {
  let place = BEGINNING;
  for (const move of moves) [place = BEGINNING] = await advance(world, [{ from: place, move }]);
}

/**
 * Makes moves in the product, each in a copy of its place, and compares responses, documents and what people see with
 * the model. In all places the same people are suspended, and a move that affects everybody is the same for all of them.
 * @param isNew whether the pages of a task in this state are worth looking at; lists always are, unless nothing is read.
 * @throws {Contradiction}
 */
async function advance(
  world: World,
  edges: readonly Edge[],
  isNew: ((life: Life) => boolean) | "unread" = () => true,
): Promise<Place[]> {
  const { database, clock } = world;
  const all = edges.map(({ from, move }): Current => {
    const { life, ...copy } = copyOf(from);
    const before = { ...life, now: NOW + PAUSE_MS };
    return { from, move, before, after: step(before, move).life, ...copy };
  });
  const [first] = all;
  if (!first) return [];
  const { kind } = first.move.action;
  clock.now = new Date(first.after.now);
  await inParallel(COLLECTIONS, async (name) => {
    const docs = name === "suspensions" ? first.docs[name] : all.flatMap((each) => each.docs[name]);
    await database[name].deleteMany({});
    if (docs.length > 0) await database[name].insertMany(docs as never[]);
  });
  const isShared = affectsAll(first.move);
  if (kind === "wait") await world.runJobs();
  else await inParallel(isShared ? [first] : all, (each) => act(world, each));
  await world.settle(kind);
  const stored = await readDocs(world, all);
  for (const each of all)
    if (each.after === each.before && !isShared)
      for (const name of COLLECTIONS) {
        const [now, was] = [stored.get(each.id)?.[name], (name === "suspensions" ? first : each).docs[name]];
        if (!isDeepStrictEqual(now, was))
          throw new Contradiction(each, `the documents have changed: ${EJSON.stringify({ was, now })}`);
      }
  const reached = all.map(({ from, move, id, after: life }) => {
    return { life, id, docs: stored.get(id) ?? noDocs(), path: [...from.path, move] };
  });
  if (isNew === "unread") return reached;
  const shown = all.flatMap(({ id, before, after: life }) =>
    life.task ? [{ id, life, task: life.task, before }] : [],
  );
  const changed = new Set(
    all.filter(({ before, after }) => after !== before && isNew(after)).map(({ id }) => id),
  );
  const pages = shown.filter(({ id }) => changed.has(id)).flatMap(pagesOf);
  await inParallel([...listsOf(shown), ...pages], (read) => compare(world, read, all));
  return reached;
}

/**
 * The same life, whose last move has just been made, so that all lives can be continued at the same time. Ids are new, in
 * the same order, also within texts.
 */
function copyOf({ id, docs, life }: Place): Omit<Place, "path"> {
  const passed = life.now - NOW;
  const days = Math.floor(passed / DAY_MS);
  const text = EJSON.stringify({ id, docs, life: JSON.parse(JSON.stringify(life)) }, { relaxed: false });
  const old = [...new Set(text.match(/[\da-f]{24}/g))].sort();
  const renewed = new Map(old.map((each) => [each, new ObjectId().toHexString()]));
  return EJSON.parse(
    text
      .replace(/[\da-f]{24}/g, (each) => renewed.get(each) ?? "")
      .replace(/\d{4}-\d\d-\d\d/g, (day) => dayIn({ now: Date.parse(day) }, -days))
      .replace(/\b\d{13}\b/g, (at) => String(Number(at) - passed)),
  );
}

/** The documents of these lives, by task. */
async function readDocs({ database }: World, all: readonly Current[]): Promise<Map<string, Docs>> {
  const found = new Map(all.map(({ id }) => [id, noDocs()]));
  // The client is the same in all lives, so a review in one of them may change their rating in all.
  const projection = { clientRating: 0 };
  for (const name of COLLECTIONS)
    for (const doc of (await database[name]
      .find({}, { projection })
      .sort({ _id: 1 })
      .toArray()) as Document[]) {
      // A job's subject begins with the task's id.
      const taskId = name === "tasks" ? doc["_id"] : (doc["taskId"] ?? doc["subject"]?.split(" ")[0]);
      const docs = found.get(String(taskId));
      for (const each of name === "suspensions" ? found.values() : docs ? [docs] : []) each[name].push(doc);
    }
  return found;
}

const personOf = (uid: Person) => ({ uid, name: nameOf(uid), email: emailOf(uid), token: uid });

/** Sends the move's request and checks the response. */
async function act({ as }: World, each: Current): Promise<void> {
  const { move, before, docs, id } = each;
  const { action } = move;
  const { deadline, terms } = before.task ?? {};
  const bid = docs.bids.find(({ bidderId }) => "whose" in action && bidderId === action.whose);
  const proposalId = docs.agreements.at(-1)?.["proposal"]?._id;
  const known = { id, bidId: bid?.["_id"].toString(), proposalId, disputeId: docs.disputes.at(-1)?.["_id"] };
  const draft = { ...terms, ...(deadline && { deadline }) };
  const { task } = before;
  const { method, path, body } = requestOf(action, {
    ...known,
    draft,
    now: before.now,
    ...(task && { task }),
  });
  const verb = method.toLowerCase() as "post" | "put" | "patch" | "delete";
  const response = await as(personOf(move.by))[verb](path, body);
  const { code, modifiedCount, deletedCount, insertedId } = response.body;
  const actual = code ?? (modifiedCount ?? deletedCount ?? Number(insertedId !== undefined)) > 0;
  const expected = [step(before, move).expected].flat();
  // All lives' notifications are read at once.
  if (action.kind !== "read" && !expected.includes(actual))
    throw new Contradiction(each, `expected ${expected.join(" or ")}, got ${actual}`);
  if (each.id === "") each.id = insertedId;
}

/** Reads something, all pages of it. @throws {Contradiction} if it is not as expected. */
async function compare({ as }: World, { who, path, expected }: Read, all: readonly Current[]): Promise<void> {
  const ids = new Set<unknown>(all.map(({ id }) => id));
  const rowsOf = (body: unknown) => [body].flat().map((row) => textOf(row, ids));
  const missing = rowsOf(expected);
  const unexpected: string[] = [];
  for (let next: string | undefined = path; next; ) {
    const { body, headers } = await as(who === VISITOR ? undefined : personOf(who)).get(next);
    for (const row of rowsOf(body.code ?? body))
      if (missing.includes(row)) missing.splice(missing.indexOf(row), 1);
      else unexpected.push(row);
    const { link = "", "x-total-count": count, "x-total-count-is": is } = headers;
    if (count && !is && Number(count) !== expected.length) unexpected.push(`count ${count}`);
    next = /<([^>]+)>; rel="next"/.exec(link)?.[1];
  }
  const wrong = [...missing.map((row) => `missing ${row}`), ...unexpected.map((row) => `unexpected ${row}`)];
  if (wrong.length === 0) return;
  const text = `${who} reads ${path}:\n  ${wrong.slice(0, 4).join("\n  ")}`;
  throw new Contradiction(all.find(({ id }) => text.includes(id)) ?? (all[0] as Current), text);
}

/** A response without what the model does not cover: equal for equal values, in whatever order their fields are. */
function textOf(value: unknown, ids: ReadonlySet<unknown>): string {
  const isCovered = ([name, inner]: [string, unknown]) =>
    !NOT_COVERED.includes(name) && (name !== "_id" || ids.has(inner));
  return JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(isCovered)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

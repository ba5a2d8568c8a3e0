import { isDeepStrictEqual } from "node:util";
import { BSON, type Document, ObjectId } from "mongodb";
import type { Database } from "../../src/db/client.ts";
import type { Harness } from "../../test/harness.ts";
import { seededRandom } from "../../test/many-tasks.ts";
import { exampleTask } from "../lib/example-task.ts";
import {
  type Action,
  dayIn,
  type Kind,
  keyOf,
  type Life,
  type Move,
  OPERATOR,
  type Person,
  PROPOSED_USD,
  REASON,
  REFERENCE,
  step,
  VISITOR,
} from "../lib/task-life.ts";
import { emailOf, listsOf, NOT_COVERED, nameOf, pagesOf, type Read } from "./views.ts";

const { EJSON } = BSON;

/** The product: its API and its database, with a clock that may be set. */
export type World = Pick<Harness, "as" | "clock" | "database"> & {
  /** Runs the periodic jobs once. */
  runJobs(): Promise<void>;
  /** Finishes what a request left to the background. */
  settle(): Promise<void>;
  /** What a planted bug does to the documents after a move. */
  plant?: ((database: Database, kind: Kind) => Promise<unknown>) | undefined;
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
  "operatorLog",
  "jobs",
  "suspensions",
] as const;
type Collection = (typeof COLLECTIONS)[number];
const noDocs = () => Object.fromEntries(COLLECTIONS.map((name) => [name, []])) as unknown as Docs;
/** Between any two moves, so that their order is known. */
const PAUSE_MS = 1_000;
const DAY_MS = 86_400_000;
const CONCURRENCY = 12;
/** So many lives are played at the same time. */
const BATCH = 250;

const by = (who: Person, ...actions: Action[]): Move[] => actions.map((action) => ({ by: who, action }));
const { deadline: _, ...TERMS } = exampleTask({ budget: 500 });
/** What people try in every state. */
const ACTIONS: readonly Action[] = [
  ...([{ budget: 450 }, { deadlineIn: 3 }, { deadlineIn: -1 }, { showEmail: false }] as const).map(
    (change) => ({ kind: "edit", ...change }) as const,
  ),
  ...(["shortlisted", "declined", "placed"] as const).map(
    (state) => ({ kind: "triage", whose: "fred", state }) as const,
  ),
  ...[{ kind: "triage", whose: "fay", state: "declined" } as const],
  ...(["fred", "fay"] as const).map((whose) => ({ kind: "award", whose }) as const),
  ...[{}, { reason: REASON }].map((why) => ({ kind: "cancel", ...why }) as const),
  ...[{}, { deadlineIn: 3 }, { deadlineIn: -1 }].map((change) => ({ kind: "reopen", ...change }) as const),
  ...[{}, { amount: 450, days: 3 }].map((bid) => ({ kind: "bid", ...bid }) as const),
  ...[true, false].map((hidden) => ({ kind: "hide", hidden }) as const),
  { kind: "review", stars: 4 },
  { kind: "propose", dueIn: 10 },
  ...[true, false].map((accepted) => ({ kind: "answer", accepted }) as const),
  ...[true, false].map((received) => ({ kind: "confirm", received }) as const),
  ...(["withdraw", "deliver", "request-changes", "complete", "finish", "pay", "delete"] as const).map(
    (kind) => ({
      kind,
    }),
  ),
];
/** One of each kind, for those who may do little. */
const FEW = ACTIONS.filter(({ kind }, at) => ACTIONS.findIndex((each) => each.kind === kind) === at);
const MOVES = [
  ...["clara", "fred"].flatMap((who) => by(who, ...ACTIONS)),
  ...["fay", "flo", OPERATOR].flatMap((who) => by(who, ...FEW)),
  ...by(OPERATOR, { kind: "hide", hidden: false }),
];
/** Moves that affect all lives. */
const SHARED: readonly Move[] = [
  ...by("clock", ...[1, 4, 14, 30].map((days) => ({ kind: "wait", days }) as const)),
  ...["clara", "fred"].flatMap((whom) =>
    by(OPERATOR, ...[true, false].map((suspended) => ({ kind: "suspend", whom, suspended }) as const)),
  ),
];
const READ = by("clara", { kind: "read" });
/** A usual life. */
export const USUAL: readonly Move[] = [
  ...by("clara", { kind: "post", ...TERMS, deadlineIn: 2 }),
  ...by("fred", { kind: "bid", amount: 450, days: 3 }),
  ...by("fay", { kind: "bid" }),
  ...by("clara", { kind: "award", whose: "fred" }),
  ...by("fred", { kind: "propose", dueIn: 10 }),
  ...by("clara", { kind: "answer", accepted: true }),
  ...by("fred", { kind: "deliver" }),
  ...by("clock", { kind: "wait", days: 14 }),
  ...by("fred", { kind: "finish" }),
  ...by("clara", { kind: "review", stars: 5 }, { kind: "pay" }),
  ...by("fred", { kind: "confirm", received: true }),
];
/** Everything that may go wrong on the way. */
const BUMPY: readonly Move[] = [
  ...by("clara", { kind: "post", ...TERMS, deadlineIn: 2 }),
  ...by("fred", { kind: "bid" }),
  ...by("fay", { kind: "bid", amount: 450, days: 3 }),
  ...by("clara", { kind: "triage", whose: "fred", state: "declined" }),
  ...by("clock", { kind: "wait", days: 4 }, { kind: "wait", days: 14 }),
  ...by("clara", { kind: "cancel" }, { kind: "reopen", deadlineIn: 3 }, { kind: "award", whose: "fay" }),
  ...by("fay", { kind: "deliver" }),
  ...by("clara", { kind: "request-changes" }),
  ...by(OPERATOR, { kind: "hide", hidden: true }),
  ...by("fay", { kind: "deliver" }),
  ...by("clara", { kind: "complete" }),
  ...by("fay", { kind: "review", stars: 4 }),
  ...by("clara", { kind: "pay" }),
  ...by("fay", { kind: "confirm", received: false }),
];
const BEGINNING: Place = {
  life: { now: Date.parse("2031-03-10T20:00:00Z"), notifications: [], suspended: [] },
  ...{ id: "", docs: noDocs(), path: [] },
};

/** The product differs from the model. */
class Contradiction extends Error {
  readonly path: readonly Move[];
  constructor({ from, move }: Edge, difference: string) {
    const path = [...from.path, move];
    const lines = path.map(
      ({ by: who, action: { kind, ...how } }) => `  ${who}: ${kind} ${JSON.stringify(how)}`,
    );
    super(`${lines.join("\n")}\n${difference}`);
    this.path = path;
  }
}

/**
 * Plays all lives that begin like a usual or a bumpy one, however far, and go on with so many other moves: every move is
 * tried in each state that can be reached so, once.
 * @throws {Contradiction}
 */
export async function playAll(world: World, depth: number): Promise<{ states: number; moves: number }> {
  let places: Place[] = [];
  for (const life of [USUAL, BUMPY]) {
    let place = BEGINNING;
    for (const move of life) {
      [place = BEGINNING] = await advance(world, [{ from: place, move }]);
      places.push(place);
    }
  }
  const seen = new Set(places.map(({ life }) => stateKey(life)));
  let moves = places.length;
  for (let at = 0; at < depth; at++) {
    const next: Place[] = [];
    for (const edges of batchesOf(places)) {
      const news = new Set<string>();
      const isNew = (life: Life) => !seen.has(stateKey(life)) && news.size < news.add(stateKey(life)).size;
      for (const place of await advance(world, edges, isNew))
        if (seen.size < seen.add(stateKey(place.life)).size) next.push(place);
      moves += edges.length;
    }
    places = next;
  }
  return { states: seen.size, moves };
}

/** Both freelancers may do the same, so states that differ only in their names are the same. */
function stateKey(life: Life): string {
  const swapped = JSON.stringify(life).replace(/fred|fay/g, (name) => (name === "fred" ? "fay" : "fred"));
  return [keyOf(life), keyOf(JSON.parse(swapped))].sort()[0] ?? "";
}

/** All moves from these places, those together that can be made at the same time. */
function* batchesOf(places: readonly Place[]): Generator<Edge[]> {
  const momentOf = ({ life: { now, suspended } }: Place) => `${now} ${suspended}`;
  for (const moment of new Set(places.map(momentOf))) {
    const group = places.filter((place) => momentOf(place) === moment);
    const edges = group.flatMap((from) => MOVES.map((move) => ({ from, move })));
    for (const all of [edges, ...SHARED.map((move) => group.map((from) => ({ from, move })))])
      for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
  }
}

/**
 * Plays random lives at the same time, each of so many moves, most of which change something.
 * @returns the kinds of moves that changed something.
 * @throws {Contradiction} with the shortest life found that contradicts the model.
 */
export async function playRandom(
  world: World,
  { seed, lives, length }: { seed: number; lives: number; length: number },
): Promise<Kind[]> {
  const random = seededRandom(seed);
  const any = (moves: readonly Move[]) => moves[Math.floor(random() * moves.length)] as Move;
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
    try {
      places = await advance(world, edges);
    } catch (error) {
      throw error instanceof Contradiction ? await shortened(world, error) : error;
    }
  }
  return [...done].sort();
}

/** Leaves out one move after the other, as long as the life still contradicts the model. */
async function shortened(world: World, found: Contradiction): Promise<Contradiction> {
  let shortest = found;
  for (let at = found.path.length - 1; at > 0; at--) {
    const error: unknown = await playLife(world, shortest.path.toSpliced(at, 1)).catch(
      (thrown: unknown) => thrown,
    );
    if (error instanceof Contradiction) shortest = error;
  }
  return shortest;
}

/** @throws {Contradiction} */
export async function playLife(world: World, moves: readonly Move[]): Promise<void> {
  let place = BEGINNING;
  for (const move of moves) [place = BEGINNING] = await advance(world, [{ from: place, move }]);
}

/**
 * Makes moves in the product, each in a copy of its place, and compares responses, documents and what people see with
 * the model. All places have the same time and the same suspended people, and a move that affects everybody is the same
 * for all of them.
 * @param isNew whether the pages of a task in this state are worth looking at; lists always are.
 * @throws {Contradiction}
 */
async function advance(
  world: World,
  edges: readonly Edge[],
  isNew = (_life: Life) => true,
): Promise<Place[]> {
  const { database, clock } = world;
  const all = edges.map(({ from, move }): Current => {
    const before = { ...from.life, now: from.life.now + PAUSE_MS };
    return { from, move, before, after: step(before, move).life, ...copyOf(from) };
  });
  const [first] = all;
  if (!first) return [];
  const { kind } = first.move.action;
  clock.now = new Date(first.after.now);
  for (const name of COLLECTIONS) {
    const docs = name === "suspensions" ? first.docs[name] : all.flatMap((each) => each.docs[name]);
    await database[name].deleteMany({});
    if (docs.length > 0) await database[name].insertMany(docs as never[]);
  }
  const affectsAll = ["wait", "suspend", "read"].includes(kind);
  if (kind === "wait") await world.runJobs();
  else await inParallel(affectsAll ? [first] : all, (each) => act(world, each));
  await world.settle();
  await world.plant?.(database, kind);
  const stored = await readDocs(world, all);
  for (const each of all)
    if (each.after === each.before && !affectsAll)
      if (!isDeepStrictEqual(stored.get(each.id), { ...each.docs, suspensions: first.docs.suspensions }))
        throw new Contradiction(each, "the documents have changed");
  const shown = all.flatMap(({ id, after: life }) => (life.task ? [{ id, life, task: life.task }] : []));
  const changed = new Set(
    all.filter(({ before, after }) => after !== before && isNew(after)).map(({ id }) => id),
  );
  const pages = shown.filter(({ id }) => changed.has(id)).flatMap(pagesOf);
  await inParallel([...listsOf(shown), ...pages], (read) => compare(world, read, all));
  return all.map(({ from, move, id, before, after }) => {
    const docs = stored.get(id) ?? noDocs();
    return earlier({ life: after, id, docs, path: [...from.path, move] }, (after.now - before.now) / DAY_MS);
  });
}

/** The same documents with other ids in the same order, also within texts. */
function copyOf({ id, docs }: Place): Pick<Place, "id" | "docs"> {
  const text = EJSON.stringify({ id, docs });
  const old = [...new Set(text.match(/[\da-f]{24}/g))].sort();
  const renewed = new Map(old.map((each) => [each, new ObjectId().toHexString()]));
  return EJSON.parse(text.replace(/[\da-f]{24}/g, (each) => renewed.get(each) ?? ""));
}

/** The same that many days earlier, so that lives in which time has passed can be continued beside the others. */
function earlier(place: Place, days: number): Place {
  if (days === 0) return place;
  const text = EJSON.stringify({ ...place, life: JSON.parse(JSON.stringify(place.life)), path: [] })
    .replace(/\d{4}-\d\d-\d\d/g, (day) => dayIn({ now: Date.parse(day) }, -days))
    .replace(/\b\d{13}\b/g, (at) => String(Number(at) - days * DAY_MS));
  return { ...EJSON.parse(text), path: place.path };
}

/** The documents of these lives, by task. */
async function readDocs({ database }: World, all: readonly Current[]): Promise<Map<string, Docs>> {
  const found = new Map(all.map(({ id }) => [id, noDocs()]));
  for (const name of COLLECTIONS)
    for (const doc of (await database[name].find({}).sort({ _id: 1 }).toArray()) as Document[]) {
      // A job's subject begins with the task's id.
      const taskId = name === "tasks" ? doc["_id"] : (doc["taskId"] ?? doc["subject"]?.split(" ")[0]);
      const docs = found.get(String(taskId));
      for (const each of name === "suspensions" ? found.values() : docs ? [docs] : []) each[name].push(doc);
    }
  return found;
}

const personOf = (uid: Person) => ({ uid, name: nameOf(uid), email: emailOf(uid), token: uid });

/** Requests without the fields of their action: `:whose` stands for a bid, `:whom` for a person. */
const REQUESTS: Record<
  Exclude<Kind, "wait">,
  [method: "post" | "put" | "patch" | "delete", path: string, body?: object]
> = {
  post: ["post", "/tasks"],
  edit: ["put", "/tasks/:id"],
  delete: ["delete", "/tasks/:id"],
  bid: ["patch", "/tasks/:id/bid"],
  withdraw: ["delete", "/tasks/:id/bid"],
  triage: ["patch", "/tasks/:id/bids/:whose"],
  award: ["post", "/tasks/:id/award"],
  cancel: ["patch", "/tasks/:id/state", { state: "cancelled" }],
  complete: ["patch", "/tasks/:id/state", { state: "completed" }],
  reopen: ["patch", "/tasks/:id/state", { state: "open" }],
  deliver: ["post", "/tasks/:id/deliveries", { note: "All done.", links: [] }],
  "request-changes": ["post", "/tasks/:id/changes", { reason: REASON }],
  finish: ["post", "/tasks/:id/completion"],
  propose: ["put", "/tasks/:id/agreement/proposal", { amount: PROPOSED_USD }],
  answer: ["patch", "/tasks/:id/agreement/proposal"],
  pay: ["put", "/tasks/:id/payment", { reference: REFERENCE }],
  confirm: ["patch", "/tasks/:id/payment", { note: REASON }],
  review: ["post", "/tasks/:id/reviews", { text: "As agreed." }],
  hide: ["patch", "/tasks/:id/visibility", { reason: "other", text: REASON }],
  suspend: ["patch", "/profiles/:whom/suspension", { reason: "other", text: REASON }],
  read: ["post", "/me/notifications/read", {}],
};

/** Sends the move's request and checks the response. */
async function act({ as }: World, each: Current): Promise<void> {
  const { move, before, docs } = each;
  const {
    kind,
    deadlineIn,
    whose,
    whom = "",
    dueIn,
    ...fields
  } = move.action as Partial<Record<string, string>> & {
    kind: Exclude<Kind, "wait">;
    deadlineIn?: number;
    dueIn?: number;
  };
  const [method, path, more] = REQUESTS[kind];
  const bid = docs.bids.find(({ bidderId }) => bidderId === whose)?.["_id"] ?? "0".repeat(24);
  const body = {
    ...(kind === "edit" && { ...before.task?.terms, deadline: before.task?.deadline }),
    ...(kind === "award" && { bidId: bid }),
    ...(kind === "propose" && { due: dayIn(before, dueIn ?? 0) }),
    ...(kind === "answer" && { proposalId: docs.agreements.at(-1)?.["proposal"]?._id ?? "0".repeat(24) }),
    ...{ ...more, ...fields, ...(deadlineIn !== undefined && { deadline: dayIn(before, deadlineIn) }) },
  };
  const url = path.replace(":id", each.id).replace(":whose", String(bid)).replace(":whom", whom);
  const response = await as(personOf(move.by))[method](url, body);
  const { code, modifiedCount, deletedCount, insertedId } = response.body;
  const actual = code ?? (modifiedCount ?? deletedCount ?? Number(insertedId !== undefined)) > 0;
  const expected = [step(before, move).expected].flat();
  // All lives' notifications are read at once.
  if (kind !== "read" && !expected.includes(actual))
    throw new Contradiction(each, `expected ${expected.join(" or ")}, got ${actual}`);
  if (each.id === "") each.id = insertedId;
}

/** Reads something, all pages of it. @throws {Contradiction} if it is not as expected. */
async function compare({ as }: World, { who, path, ...read }: Read, all: readonly Current[]): Promise<void> {
  const expected = all[0]?.after.suspended.includes(who) ? "account-suspended" : read.expected;
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

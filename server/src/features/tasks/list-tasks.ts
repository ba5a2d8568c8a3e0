import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  isCalendarDate,
  mayAct,
  publicTaskSchema,
  type Task,
  type TaskFilters,
  type TaskQuery,
} from "../../contract/index.ts";
import { isTimeLimit } from "../../db/client.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { pick } from "../../domain/present.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { agreedFor, otherSideLeft, shownState } from "../../domain/task-conditions.ts";
import { cutPage, idKey, instantKey, readCursor, writeCursor } from "../../http/pagination.ts";
import type { ListParts, TaskQueries, Total } from "./store.ts";
import {
  type Order,
  orderKey,
  type Place,
  placeOf,
  SEARCH_PARTS,
  type SearchPart,
  type Selection,
  selectTasks,
} from "./task-list-plan.ts";

/** One page of a list: `next` is the cursor of the next page, if there is one; `total` counts all pages. */
type TaskPage = { tasks: Task[]; next?: string; total: Total };

/**
 * Which tasks the visitor may list, in which order and after which place. `name` names the list for its cursors;
 * `selection` is all of its parts.
 */
type Listing = { selection: Selection; list: ListParts; name: string; after?: Place | undefined };

/**
 * Lists one page of at most `limit` tasks in the query's order (default: newest first; of a search, best matches first).
 * @throws {ProblemError} `not-signed-in` or `not-your-list` if `email` is not the visitor's own; `invalid-cursor`;
 *   `search-too-broad`.
 */
export async function listPage(
  queries: TaskQueries,
  query: TaskQuery,
  limit: number,
  visitor: User | undefined,
  now: Date,
): Promise<TaskPage> {
  const { selection, list, name, after } = listingOf(query, visitor, now);
  const found = await withinTimeLimit(query, queries.list(list, limit + 1, after));
  const { page, last } = cutPage(found, limit);
  const total: Total =
    !last && !after
      ? { count: found.length, is: "exact" }
      : selection.isCountable
        ? await countTotal(queries, selection, found.length)
        : { count: found.length, is: "at-least" };
  return {
    tasks: await presentTasks(queries, page, selection, visitor, now),
    ...(last && { next: writeTaskCursor(name, placeOf(last, list.order, last.part)) }),
    total,
  };
}

/**
 * Lists the first `limit` tasks of a list, without a total.
 * @throws {ProblemError} as {@link listPage}.
 */
export async function listFirst(
  queries: TaskQueries,
  query: TaskQuery,
  limit: number,
  visitor: User | undefined,
  now: Date,
): Promise<Task[]> {
  const { selection, list } = listingOf(query, visitor, now);
  const found = await withinTimeLimit(query, queries.list(list, limit));
  return presentTasks(queries, found, selection, visitor, now);
}

const CHUNK = 250;

/**
 * Lists all tasks in chunks, each read when the one before has been sent and starting where that ended. So the database
 * holds no cursor open for a slow client, and each chunk has the time limit of a normal query.
 * @returns resolves once the first chunk is read, so that an early failure still becomes a problem response.
 * @throws {ProblemError} as {@link listPage}.
 */
export async function listAll(
  queries: TaskQueries,
  query: TaskQuery,
  visitor: User | undefined,
  now: Date,
): Promise<AsyncIterable<Task[]>> {
  const { selection, list, after } = listingOf(query, visitor, now);
  const chunkAfter = (place: Place | undefined) => withinTimeLimit(query, queries.list(list, CHUNK, place));

  const present = (rows: TaskDoc[]) => presentTasks(queries, rows, selection, visitor, now);
  const first = await chunkAfter(after);
  const presented = await present(first);

  async function* chunks(): AsyncGenerator<Task[]> {
    yield presented;
    for (let chunk = first, last = chunk[CHUNK - 1]; last; last = chunk[CHUNK - 1]) {
      chunk = await chunkAfter(placeOf(last, list.order, last.part));
      yield present(chunk);
    }
  }
  return chunks();
}

/** Presents the tasks of a list; people's own tasks also show whether a review is due. */
async function presentTasks(
  queries: TaskQueries,
  rows: TaskDoc[],
  { ownerId }: Selection,
  visitor: User | undefined,
  now: Date,
): Promise<Task[]> {
  const tasks = rows.map((task) => presentTask(task, visitor, now));
  if (ownerId === undefined) return tasks;
  const reviewable = rows.filter(
    (row) => mayAct("review", "client", row.state) && !otherSideLeft(row, ownerId),
  );
  const ids = reviewable.map(({ _id }) => _id);
  const reviewed = await queries.reviewedBy(ownerId, ids);
  const due = new Set(ids.map(String).filter((id) => !reviewed.has(id)));
  return tasks.map((task) => (due.has(task._id) ? { ...task, reviewDue: true } : task));
}

/** A task as lists return it. It contains nobody's email address but the visitor's own. */
export function presentTask(task: TaskDoc, visitor: User | undefined, now: Date): Task {
  const isOwner = task.ownerId === visitor?.uid;
  // Undefined fields are left out of the JSON.
  return {
    _id: task._id.toHexString(),
    ...pick(task, publicTaskSchema),
    email: isOwner ? visitor?.email : undefined,
    createdAt: task.createdAt.toISOString(),
    editedAt: task.editedAt?.toISOString(),
    state: shownState(task, visitor?.uid, now),
    clientId: task.ownerId,
    version: task.revision,
    hidden: task.hidden || undefined,
    questionsClosed: task.questionsClosed || undefined,
    otherSideLeft: otherSideLeft(task, visitor?.uid) || undefined,
    agreed: agreedFor(task, visitor?.uid),
    wasAwarded: (isOwner && task.awardCount > 0) || undefined,
  };
}

const FEATURED_COUNT = 6;

/** Lists the tasks for the Home page: open ones, most bids first, then the soonest deadline. */
export async function listFeaturedTasks(
  queries: TaskQueries,
  visitor: User | undefined,
  now: Date,
): Promise<Task[]> {
  const tasks = await queries.featured(calendarDate(now), FEATURED_COUNT);
  return tasks.map((task) => presentTask(task, visitor, now));
}

function listingOf(
  { sort, limit: _, cursor, ...filters }: TaskQuery,
  visitor: User | undefined,
  now: Date,
): Listing {
  const order: Order = sort ?? (filters.search === undefined ? "newest" : "best");
  const ownerId = filters.email === undefined ? undefined : ownerOf(filters.email, visitor);
  const name = listName(order, { ...filters, email: ownerId });
  const place = readCursor<[SearchPart, string | number, string]>(name, cursor, PLACES[orderKey(order)]);
  const context = { ownerId, today: calendarDate(now) };
  const selection = selectTasks(filters, context);
  // A text without words is looked for in titles and skills only.
  const bestParts = () =>
    SEARCH_PARTS.map((part) => ({ part, selection: selectTasks(filters, { ...context, part }) })).filter(
      (each) => each.selection.keys.length > 0,
    );
  const parts = order === "best" ? bestParts() : [{ part: SEARCH_PARTS[0], selection }];
  return {
    selection,
    list: { order, parts },
    name,
    after: place && { part: place[0], key: place[1], id: place[2] },
  };
}

const partKey = z.enum(SEARCH_PARTS);
const PLACES = {
  createdAt: z.tuple([partKey, instantKey, idKey]),
  deadline: z.tuple([partKey, z.string().check(z.refine(isCalendarDate)), idKey]),
  budget: z.tuple([partKey, z.number(), idKey]),
};

function writeTaskCursor(list: string, { part, key, id }: Place): string {
  return writeCursor(list, [part, key, id]);
}

/** The name of a list, which ties cursors to it. */
function listName(order: Order, filters: TaskFilters): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify(["tasks", order, ...named.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

// The email address only has to match the visitor's. Ownership goes by uid, because addresses can change hands.
function ownerOf(email: string, visitor: User | undefined): string {
  if (!visitor) throw new ProblemError("not-signed-in", { headers: { "WWW-Authenticate": "Bearer" } });
  if (email.trim().toLowerCase() !== visitor.email.toLowerCase()) throw new ProblemError("not-your-list");
  return visitor.uid;
}

/** Turns a timeout of a search into `search-too-broad`: the same search would time out again. */
async function withinTimeLimit<T>({ search }: TaskQuery, read: Promise<T>): Promise<T> {
  return read.catch((cause: unknown) => {
    if (search === undefined || !isTimeLimit(cause)) throw cause;
    throw new ProblemError("search-too-broad", {
      detail: "This search takes too long: search for a rarer or longer text, or choose a category.",
      cause,
    });
  });
}

// If counting takes too long, the page is returned anyway, with what was found as the lower bound of its total.
async function countTotal(queries: TaskQueries, selection: Selection, found: number): Promise<Total> {
  return queries.count(selection).catch((error: unknown): Total => {
    if (isTimeLimit(error)) return { count: found, is: "at-least" };
    throw error;
  });
}

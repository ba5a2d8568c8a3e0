import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type Task, type TaskQuery } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { presentTask } from "./present-task.ts";
import { type Filters, type Order, type Place, readCursor, writeCursor } from "./task-cursor.ts";
import { canListTasksOf } from "./task-policy.ts";
import type { TaskChoice } from "./task-query.ts";
import { isTimeLimit, placeOf, type TaskRow, type TaskStore, type Total } from "./task-store.ts";

/** One page of a list: `next` is the cursor of the page after it, if there is one; `total` counts all pages. */
export type TaskPage = { tasks: Task[]; next?: string; total: Total };

/** A list's choice, order and place, checked against who asks. */
type Listing = { choice: TaskChoice; order: Order; filters: Filters; after?: Place | undefined };

/**
 * Lists one page of `limit` tasks (SPEC section 7): newest posted first, or by deadline.
 * @throws {ProblemError} `not-signed-in` or `not-your-list` if `email` is not the visitor's own; `invalid-cursor`;
 *   `search-too-broad`.
 */
export async function listPage(
  store: TaskStore,
  query: TaskQuery,
  limit: number,
  visitor: User | undefined,
  now: Date,
): Promise<TaskPage> {
  const { choice, order, filters, after } = listingOf(query, visitor, now);
  // One more than asked for tells whether there is a next page.
  const found = await inTime(query, store.list({ ...choice, order, after, limit: limit + 1 }));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const isLast = found.length === page.length;
  const total: Total =
    isLast && !after ? { count: found.length, is: "exact" } : await countAtLeast(store, choice, found.length);
  return {
    tasks: page.map((task) => presentTask(task, visitor, now)),
    ...(!isLast && last && { next: writeCursor(placeOf(last, order), filters) }),
    total,
  };
}

const CHUNK = 250;

/**
 * Lists all tasks, in chunks that are read as they are taken: each begins where the one before it ended, so nothing is
 * held in the database while a slow client reads, and a chunk that takes too long is stopped like any other query.
 * @returns when the first chunk is there, so that what fails at once is still answered as a problem.
 * @throws {ProblemError} as {@link listPage}.
 */
export async function listAll(
  store: TaskStore,
  query: TaskQuery,
  visitor: User | undefined,
  now: Date,
): Promise<AsyncIterable<Task[]>> {
  const { choice, order, after } = listingOf(query, visitor, now);
  const chunkAfter = (place: Place | undefined) =>
    inTime(query, store.list({ ...choice, order, after: place, limit: CHUNK }));

  async function* chunks(first: TaskRow[]): AsyncGenerator<Task[]> {
    let chunk = first;
    for (;;) {
      yield chunk.map((task) => presentTask(task, visitor, now));
      const last = chunk.at(-1);
      if (!last || chunk.length < CHUNK) return;
      chunk = await chunkAfter(placeOf(last, order));
    }
  }
  return chunks(await chunkAfter(after));
}

const FEATURED_COUNT = 6;

/** The tasks of Home's grid: open ones, most bids first, then the soonest deadline. */
export async function listFeaturedTasks(
  store: TaskStore,
  visitor: User | undefined,
  now: Date,
): Promise<Task[]> {
  const tasks = await store.featured(calendarDate(now), FEATURED_COUNT);
  return tasks.map((task) => presentTask(task, visitor, now));
}

function listingOf(query: TaskQuery, visitor: User | undefined, now: Date): Listing {
  const order: Order = query.sort ?? "newest";
  const choice: TaskChoice = {
    search: query.search,
    category: query.category,
    ownerId: query.email === undefined ? undefined : ownerOf(query.email, visitor),
    openOn: query.state === "open" ? calendarDate(now) : undefined,
  };
  const filters = filtersOf(choice);
  const after = query.cursor === undefined ? undefined : placeAt(query.cursor, order, filters);
  return { choice, order, filters, after };
}

// Ownership is the uid's: an e-mail address can change hands, and only says whose list was meant.
function ownerOf(email: string, visitor: User | undefined): string {
  if (!visitor) throw new ProblemError("not-signed-in", { headers: { "WWW-Authenticate": "Bearer" } });
  if (!canListTasksOf(email, visitor)) throw new ProblemError("not-your-list");
  return visitor.uid;
}

// A cursor outlives the day it was made on.
function filtersOf({ openOn, ...choice }: TaskChoice): Filters {
  return { ...choice, ...(openOn !== undefined && { state: "open" }) };
}

function placeAt(cursor: string, order: Order, filters: Filters): Place {
  const place = readCursor(cursor, order, filters);
  if (place) return place;
  throw new ProblemError("invalid-cursor", {
    detail: "This cursor is not valid for this list: start again without it.",
  });
}

/** A search that the database had to stop is the search's problem: the same one later would be stopped again. */
async function inTime<T>({ search }: TaskQuery, read: Promise<T>): Promise<T> {
  return read.catch((cause: unknown) => {
    if (search === undefined || !isTimeLimit(cause)) throw cause;
    throw new ProblemError("search-too-broad", {
      detail: "This search takes too long: search for a rarer or longer text, or choose a category.",
      cause,
    });
  });
}

// A page without its total is worth more than none: what was found is the least there is.
async function countAtLeast(store: TaskStore, choice: TaskChoice, found: number): Promise<Total> {
  return store.total(choice).catch((error: unknown): Total => {
    if (isTimeLimit(error)) return { count: found, is: "at-least" };
    throw error;
  });
}

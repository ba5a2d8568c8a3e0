import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import {
  calendarDate,
  isCalendarDate,
  mayAct,
  type Sort,
  type Task,
  type TaskFilters,
  type TaskQuery,
} from "../../contract/index.ts";
import { isTimeLimit } from "../../db/client.ts";
import type { TaskRow } from "../../db/documents/tasks.ts";
import { otherSideLeft } from "../../db/task-conditions.ts";
import { cutPage, idKey, instantKey, readCursor, writeCursor } from "../../http/pagination.ts";
import { ProblemError } from "../../http/problem.ts";
import { orderKey, type Place, placeOf, type Selection, selectTasks } from "./task-list-plan.ts";
import { canListTasksOf } from "./task-policy.ts";
import { presentTask } from "./task-presenter.ts";
import type { TaskQueries, Total } from "./task-queries.ts";

/** One page of a list: `next` is the cursor of the page after it, if there is one; `total` counts all pages. */
type TaskPage = { tasks: Task[]; next?: string; total: Total };

/** Which tasks, in which order and from where, checked against who asks. `list` is what a cursor belongs to. */
type Listing = { selection: Selection; order: Sort; list: string; after?: Place | undefined };

/**
 * Lists one page of `limit` tasks: newest posted first, or in the order that the query names.
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
  const { selection, order, list, after } = listingOf(query, visitor, now);
  const found = await inTime(query, queries.list({ selection, order, after, limit: limit + 1 }));
  const { page, last } = cutPage(found, limit);
  const total: Total =
    !last && !after
      ? { count: found.length, is: "exact" }
      : await countAtLeast(queries, selection, found.length);
  return {
    tasks: await presentList(queries, page, selection, visitor, now),
    ...(last && { next: writeTaskCursor(list, placeOf(last, order)) }),
    total,
  };
}

/**
 * Lists the first tasks of a list, at most `limit`, and not their total.
 * @throws {ProblemError} as {@link listPage}.
 */
export async function listFirst(
  queries: TaskQueries,
  query: TaskQuery,
  limit: number,
  visitor: User | undefined,
  now: Date,
): Promise<Task[]> {
  const { selection, order } = listingOf(query, visitor, now);
  const found = await inTime(query, queries.list({ selection, order, limit }));
  return presentList(queries, found, selection, visitor, now);
}

const CHUNK = 250;

/**
 * Lists all tasks, in chunks that are read as they are taken: each begins where the one before it ended, so nothing is
 * held in the database while a slow client reads, and a chunk that takes too long is stopped like any other query.
 * @returns when the first chunk is there, so that what fails at once is still answered as a problem.
 * @throws {ProblemError} as {@link listPage}.
 */
export async function listAll(
  queries: TaskQueries,
  query: TaskQuery,
  visitor: User | undefined,
  now: Date,
): Promise<AsyncIterable<Task[]>> {
  const { selection, order, after } = listingOf(query, visitor, now);
  const chunkAfter = (place: Place | undefined) =>
    inTime(query, queries.list({ selection, order, after: place, limit: CHUNK }));

  async function* chunks(first: TaskRow[]): AsyncGenerator<Task[]> {
    let chunk = first;
    for (;;) {
      yield presentList(queries, chunk, selection, visitor, now);
      const last = chunk.at(-1);
      if (!last || chunk.length < CHUNK) return;
      chunk = await chunkAfter(placeOf(last, order));
    }
  }
  return chunks(await chunkAfter(after));
}

/** The tasks of a list; one's own also with whether a review is due. */
async function presentList(
  queries: TaskQueries,
  rows: TaskRow[],
  { ownerId }: Selection,
  visitor: User | undefined,
  now: Date,
): Promise<Task[]> {
  const tasks = rows.map((task) => presentTask(task, visitor, now));
  if (ownerId === undefined) return tasks;
  const reviewable = rows.filter(
    (row) => mayAct("review", "client", row.state) && !otherSideLeft(row, ownerId),
  );
  const ids = reviewable.map(({ _id }) => _id.toHexString());
  const reviewed = await queries.reviewedBy(ownerId, ids);
  const due = new Set(ids.filter((id) => !reviewed.has(id)));
  return tasks.map((task) => (due.has(task._id) ? { ...task, reviewDue: true } : task));
}

const FEATURED_COUNT = 6;

/** The tasks of Home's grid: open ones, most bids first, then the soonest deadline. */
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
  const order = sort ?? "newest";
  const ownerId = filters.email === undefined ? undefined : ownerOf(filters.email, visitor);
  const list = listName(order, { ...filters, email: ownerId });
  const place = readCursor<[string | number, string]>(list, cursor, PLACES[orderKey(order)]);
  const selection = selectTasks(filters, { ownerId, today: calendarDate(now) });
  return { selection, order, list, after: place && { key: place[0], id: place[1] } };
}

const PLACES = {
  createdAt: z.tuple([instantKey, idKey]),
  deadline: z.tuple([z.string().check(z.refine(isCalendarDate)), idKey]),
  budget: z.tuple([z.number(), idKey]),
};

export function writeTaskCursor(list: string, { key, id }: Place): string {
  return writeCursor(list, [key, id]);
}

/** Names a list for its cursors. */
export function listName(order: Sort, filters: TaskFilters): string {
  const named = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify(["tasks", order, ...named.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

// Ownership is the uid's: an email address can change hands, and only says whose list was meant.
function ownerOf(email: string, visitor: User | undefined): string {
  if (!visitor) throw new ProblemError("not-signed-in", { headers: { "WWW-Authenticate": "Bearer" } });
  if (!canListTasksOf(email, visitor)) throw new ProblemError("not-your-list");
  return visitor.uid;
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
async function countAtLeast(queries: TaskQueries, selection: Selection, found: number): Promise<Total> {
  return queries.count(selection).catch((error: unknown): Total => {
    if (isTimeLimit(error)) return { count: found, is: "at-least" };
    throw error;
  });
}

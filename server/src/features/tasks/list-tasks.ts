import type { User } from "../../auth/token-verifier.ts";
import { calendarDate, type Task, type TaskQuery } from "../../contract/index.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { presentTask } from "./present-task.ts";
import { type Order, type Place, readCursor, writeCursor } from "./task-cursor.ts";
import { canListTasksOf } from "./task-policy.ts";
import { placeOf, type TaskDoc, type TaskStore } from "./task-store.ts";

/**
 * A list, or one page of it: `next` is the cursor of the page after it, if there is one; `total` is how many tasks
 * there are on all pages, told with pages only (the whole list counts itself).
 */
export type TaskPage = { tasks: Task[]; next?: string; total?: number };

/**
 * Lists tasks (SPEC section 7): newest posted first, or by deadline; without a limit all that match.
 * @throws {ProblemError} `not-signed-in` or `not-your-list` if `email` is not the visitor's own; `invalid-cursor`.
 */
export async function listTasks(
  store: TaskStore,
  query: TaskQuery,
  visitor: User | undefined,
): Promise<TaskPage> {
  const order: Order = query.sort ?? "newest";
  const limit = query.limit === undefined ? undefined : Number(query.limit);
  const choice = {
    search: query.search,
    category: query.category,
    ownerId: query.email === undefined ? undefined : ownerOf(query.email, visitor),
  };
  const after = query.cursor === undefined ? undefined : placeAt(query.cursor, order);
  const [found, total] = await Promise.all([
    // One more than asked for tells whether there is a next page.
    store.list({ ...choice, order, after, limit: limit === undefined ? undefined : limit + 1 }),
    limit === undefined ? undefined : store.count(choice),
  ]);
  const page = found.slice(0, limit);
  return {
    tasks: page.map((task) => presentTask(task, visitor)),
    ...nextCursor(found, page, order),
    ...(total !== undefined && { total }),
  };
}

const FEATURED_COUNT = 6;

/** The tasks of Home's grid: open ones, most bids first, then the soonest deadline. */
export async function listFeaturedTasks(
  store: TaskStore,
  visitor: User | undefined,
  now: Date,
): Promise<Task[]> {
  const tasks = await store.featured(calendarDate(now), FEATURED_COUNT);
  return tasks.map((task) => presentTask(task, visitor));
}

// Ownership is the uid's: an e-mail address can change hands, and only says whose list was meant.
function ownerOf(email: string, visitor: User | undefined): string {
  if (!visitor) throw new ProblemError("not-signed-in", { headers: { "WWW-Authenticate": "Bearer" } });
  if (!canListTasksOf(email, visitor)) throw new ProblemError("not-your-list");
  return visitor.uid;
}

function placeAt(cursor: string, order: Order): Place {
  const place = readCursor(cursor, order);
  if (place) return place;
  throw new ProblemError("invalid-cursor", {
    detail: "This cursor is not valid for this list: start again without it.",
  });
}

function nextCursor(found: TaskDoc[], page: TaskDoc[], order: Order): { next?: string } {
  const last = page.at(-1);
  return found.length > page.length && last ? { next: writeCursor(placeOf(last, order)) } : {};
}

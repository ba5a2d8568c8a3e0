import { type Filter, type Sort as MongoSort, ObjectId } from "mongodb";
import {
  addDays,
  CATEGORIES,
  type CalendarDate,
  type Category,
  type Sort,
  type TaskFilters,
} from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { IndexName } from "../../db/indexes.ts";
import { LISTED, takingBids } from "../../domain/task-conditions.ts";
import { containing, describedBy, MAX_WORDS, searchGrams, searchWords } from "../../domain/text-search.ts";

/** The order of a list; `best` is that of a search: matches in titles and skills first, the newest first in each part. */
export type Order = Sort | "best";

/** The texts that a search looks in. The best matches are a list for each of them, one after the other. */
export const SEARCH_PARTS = ["title", "description"] as const;
export type SearchPart = (typeof SEARCH_PARTS)[number];

/** A task's place in an ordered list: its part, the value it is ordered by, and its id to break ties. */
export type Place = { part: SearchPart; key: string | number; id: string };

/** The place of a task in this part of a list; instants are ISO strings. */
export function placeOf(
  task: Pick<TaskDoc, "_id" | SortKey>,
  order: Order,
  part: SearchPart = "title",
): Place {
  const value = task[ORDERS[order].key];
  const key = value instanceof Date ? value.toISOString() : value;
  return { part, key, id: task._id.toHexString() };
}

/** Selects the tasks of a list: those that match `where`. The other fields decide which index is used. */
export type Selection = {
  where: Filter<TaskDoc>;
  /** Whether there are no filters. */
  isEverything: boolean;
  /** Whether the tasks can be counted in an index; otherwise each would have to be read. */
  isCountable: boolean;
  /** For each part of a search, the keys that every task found there has (see `searchKeysOf`); empty without a search. */
  keys: readonly (readonly string[])[];
  category?: Category | undefined;
  /** The caller, if they list their own tasks. */
  ownerId?: string | undefined;
};

/** The day of the request, the caller's uid if they list their own tasks, and the part if a search looks in one only. */
type Context = { ownerId: string | undefined; today: CalendarDate; part?: SearchPart };

function searchFor(search: string, part?: SearchPart): Filter<TaskDoc> {
  const { $or: titles } = containing(search, ["title", "skills"]);
  const words = searchWords(search);
  if (part === "description") return { $nor: titles, ...describedBy(words) };
  return { $or: part === "title" || words.length === 0 ? titles : [...titles, describedBy(words)] };
}

/** Few of each part, because tasks are counted for every key. */
function keysOf(search: string, part?: SearchPart): string[][] {
  const keys = { title: searchGrams(search), description: searchWords(search).slice(0, MAX_WORDS) };
  return (part ? [part] : SEARCH_PARTS).map((each) => keys[each]).filter(({ length }) => length > 0);
}

const budgetIn = ({ minBudget, maxBudget }: TaskFilters): Filter<TaskDoc> => ({
  budget: { ...(minBudget && { $gte: Number(minBudget) }), ...(maxBudget && { $lte: Number(maxBudget) }) },
});

/** The database condition for each filter of `GET /tasks`. */
const CONDITIONS: {
  [name in keyof TaskFilters]-?: (
    value: NonNullable<TaskFilters[name]>,
    context: Context,
    filters: TaskFilters,
  ) => Filter<TaskDoc>;
} = {
  search: (text, { part }) => searchFor(text, part),
  category: (category) => ({ category }),
  minBudget: (_lowest, _context, filters) => budgetIn(filters),
  maxBudget: (_highest, _context, filters) => budgetIn(filters),
  clientRating: (least) => ({ clientRating: { $gte: Number(least) } }),
  state: (_open, { today }) => takingBids(today),
  posted: (days, { today }) => ({ createdAt: { $gte: new Date(addDays(today, -Number(days))) } }),
  maxBids: (most) => ({ bidsCount: { $lte: Number(most) } }),
  client: (uid) => ({ ownerId: uid }),
  email: (_own, { ownerId }) => ({ ownerId: ownerId as string }),
};

/** The tasks that match these filters. People's own lists include tasks that are hidden from others. */
export function selectTasks(filters: TaskFilters, context: Context): Selection {
  const { ownerId } = context;
  const conditions = Object.entries(filters).flatMap(([name, value]) => {
    const condition = CONDITIONS[name as keyof TaskFilters] as (
      value: string,
      context: Context,
      filters: TaskFilters,
    ) => Filter<TaskDoc>;
    return value === undefined ? [] : condition(value, context, filters);
  });
  const { search, category, maxBids, clientRating } = filters;
  return {
    where: Object.assign({}, ownerId === undefined && LISTED, ...conditions),
    isEverything: conditions.length === 0,
    // No index has the number of bids or the client's rating, which change all the time.
    isCountable: !maxBids && !clientRating,
    keys: search === undefined ? [] : keysOf(search, context.part),
    category,
    ownerId,
  };
}

/** Which part of a selection leaves the fewest tasks to read. */
export type Narrowing = {
  /** A key for each part of the search. */
  keys?: readonly string[] | undefined;
  /** Whether so few tasks have one of those keys, or a budget in the range, that all of them can be read and sorted. */
  few?: "keys" | "budget" | undefined;
};

/** Which tasks, in which order, and after which place. */
type Listing = { selection: Selection; order: Order; after?: Place | undefined };

/** A filter, and the index that serves it. */
type Lookup = { filter: Filter<TaskDoc>; index: IndexName<"tasks"> };

/** Consecutive ranges of an index that together make up the list. */
export type ListPlan = { ranges: Range[]; index: IndexName<"tasks"> };
type Range = { filter: Filter<TaskDoc>; sort: MongoSort };

/** Plans how a list is read: from an index in its order, or sorted by the database if few tasks match. */
export function planList({ selection, order, after }: Listing, narrowing: Narrowing): ListPlan {
  const { key, direction } = ORDERS[order];
  const sort = { [key]: direction, _id: direction };
  const index = chooseIndex(selection, key, narrowing);
  const base = filterFor(selection, index, narrowing);
  if (!after) return { ranges: [{ filter: { ...anyValueOf(key), ...base }, sort }], index };
  const { equal, beyond } = afterPlace(base, key, direction, after);
  // The database merges the two ranges in order, unless each of them is already a merge (of the categories).
  if (!index.startsWith("search-")) return { ranges: [{ filter: { $or: [equal, beyond] }, sort }], index };
  return {
    ranges: [
      { filter: equal, sort: { _id: direction } },
      { filter: beyond, sort },
    ],
    index,
  };
}

/** Plans how tasks are counted, unlisted ones as well: see {@link planUnlistedCount}. */
export function planCount(selection: Selection, narrowing: Narrowing): Lookup {
  const { unlisted: _, ...where } = selection.where;
  const hasKeys = selection.keys.length > 0;
  const key = where.createdAt ? "createdAt" : where.budget && !hasKeys ? "budget" : "deadline";
  const index = chooseIndex(selection, key, narrowing);
  return { filter: { ...anyValueOf(key), ...filterFor({ ...selection, where }, index, narrowing) }, index };
}

/** Plans how those of a selection's tasks are counted that are unlisted. */
export function planUnlistedCount({ where }: Selection): Lookup {
  return { filter: { ...where, unlisted: true }, index: "unlisted" };
}

/** Plans how featured tasks are read: open ones, most bids first, then the soonest deadline. */
export function planFeatured(today: CalendarDate): ListPlan {
  // Every task matches this condition on `bidsCount`, but it lets the index skip to the open tasks of each count.
  const filter = { bidsCount: { $gte: 0 }, ...takingBids(today), ...LISTED };
  return { ranges: [{ filter, sort: { bidsCount: -1, deadline: 1, _id: 1 } }], index: "featured" };
}

/** Plans how the tasks with this key are counted. */
export function planKeyCount(category: Category | undefined, key: string): Lookup {
  return { filter: { ...inCategory(category), searchKeys: key }, index: "search-by-deadline" };
}

/** Plans how the tasks with a budget in the selection's range are counted, whatever its other conditions. */
export function planBudgetCount({ where: { budget = 0 }, category }: Selection): Lookup {
  return category === undefined
    ? { filter: { budget }, index: "by-budget" }
    : { filter: { category, budget }, index: "category-by-budget" };
}

type SortKey = "createdAt" | "deadline" | "budget";

/** The field by which a list of this order is sorted. */
export const orderKey = (order: Order): SortKey => ORDERS[order].key;

const ORDERS: Record<Order, { key: SortKey; direction: 1 | -1 }> = {
  best: { key: "createdAt", direction: -1 },
  newest: { key: "createdAt", direction: -1 },
  oldest: { key: "createdAt", direction: 1 },
  asc: { key: "deadline", direction: 1 },
  desc: { key: "deadline", direction: -1 },
  "budget-asc": { key: "budget", direction: 1 },
  "budget-desc": { key: "budget", direction: -1 },
};

const INDEX_BY_KEY = { createdAt: "newest", deadline: "by-deadline", budget: "by-budget" } as const;

function chooseIndex({ where, ownerId, keys, category }: Selection, key: SortKey, { few }: Narrowing) {
  if (ownerId !== undefined || where.ownerId !== undefined)
    return key === "deadline" ? "owner-by-deadline" : "owner-newest";
  // An index of keys by budget would make every write more expensive. Without one, the database sorts the tasks of a
  // rare key, and soon finds those of a frequent key among all tasks.
  if (keys.length > 0 && few !== "budget" && (key !== "budget" || few === "keys"))
    return key === "createdAt" ? "search-newest" : "search-by-deadline";
  const by = INDEX_BY_KEY[few === "budget" ? "budget" : key];
  return category === undefined ? by : (`category-${by}` as const);
}

function filterFor({ where, category }: Selection, index: IndexName<"tasks">, { keys }: Narrowing) {
  if (!index.startsWith("search-") || keys === undefined) return where;
  return { ...where, ...inCategory(category), searchKeys: { $in: [...keys] } };
}

// Without a category all four are listed. Each key in each category is read in order from its part of the index, and
// these are merged.
function inCategory(category: Category | undefined): Filter<TaskDoc> {
  return { category: category ?? { $in: [...CATEGORIES] } };
}

// Keyset paging: inserts and deletes between two pages neither repeat nor hide a task. The page is read in two ranges,
// first the remaining tasks with the same key, then those beyond it. Both contain the whole filter, so that each starts
// at its place in the index. A filter's own condition on the key (open tasks, a range of budgets) is merged into the
// range, because with two conditions on one field the index would not be read in order.
function afterPlace(
  base: Filter<TaskDoc>,
  key: SortKey,
  direction: 1 | -1,
  place: Place,
): { equal: Filter<TaskDoc>; beyond: Filter<TaskDoc> } {
  const value = key === "createdAt" ? new Date(place.key) : place.key;
  const { $gte, $lte } = (base[key] ?? {}) as { $gte?: typeof value; $lte?: typeof value };
  const isAbove = $gte === undefined || value >= $gte;
  const isBelow = $lte === undefined || value <= $lte;
  const beyond =
    direction === 1
      ? { ...(isAbove ? { $gt: value } : { $gte }), ...($lte !== undefined && { $lte }) }
      : { ...(isBelow ? { $lt: value } : { $lte }), ...($gte !== undefined && { $gte }) };
  return {
    equal: {
      ...base,
      [key]: isAbove && isBelow ? value : { $in: [] },
      _id: { [direction === 1 ? "$gt" : "$lt"]: new ObjectId(place.id) },
    },
    beyond: { ...base, [key]: beyond },
  };
}

/**
 * A condition on the key that every task meets. The database uses an index's later fields only if its first one has a
 * condition.
 */
function anyValueOf(key: SortKey): Filter<TaskDoc> {
  if (key === "budget") return { budget: { $gt: 0 } };
  return key === "createdAt" ? { createdAt: { $gte: new Date(0) } } : { deadline: { $gt: "" } };
}

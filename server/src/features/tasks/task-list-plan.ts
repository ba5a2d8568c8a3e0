import { type Filter, type Sort as MongoSort, ObjectId } from "mongodb";
import {
  CATEGORIES,
  type CalendarDate,
  type Category,
  type Sort,
  type TaskFilters,
} from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import type { IndexName } from "../../db/indexes.ts";
import { takingBids, VISIBLE } from "../../db/task-conditions.ts";
import { titlePattern } from "../../db/task-search.ts";

/** The place in an ordered list after one task: the value it was ordered by, and its id to break ties. */
export type Place = { key: string | number; id: string };

/** Where a task stands in a list of that order; an instant as text. */
export function placeOf(task: Pick<TaskDoc, "_id" | SortKey>, order: Sort): Place {
  const value = task[ORDERS[order].key];
  return { key: value instanceof Date ? value.toISOString() : value, id: task._id.toHexString() };
}

/** Which tasks, wherever in a list they stand: all that match `where`. The rest decides which index is read. */
export type Selection = {
  where: Filter<TaskDoc>;
  /** Is nothing filtered? */
  isEverything: boolean;
  search?: string | undefined;
  category?: Category | undefined;
  ownerId?: string | undefined;
};

/** Who asks, and on which day. `ownerId` is theirs if they ask for their own tasks. */
type Asked = { ownerId: string | undefined; today: CalendarDate };

const budgetIn = ({ minBudget, maxBudget }: TaskFilters): Filter<TaskDoc> => ({
  budget: { ...(minBudget && { $gte: Number(minBudget) }), ...(maxBudget && { $lte: Number(maxBudget) }) },
});

/** What each filter of `GET /tasks` demands of a task. */
const CONDITIONS: {
  [name in keyof TaskFilters]-?: (
    value: NonNullable<TaskFilters[name]>,
    asked: Asked,
    filters: TaskFilters,
  ) => Filter<TaskDoc>;
} = {
  search: (text) => ({ title: { $regex: titlePattern(text), $options: "i" } }),
  category: (category) => ({ category }),
  minBudget: (_lowest, _asked, filters) => budgetIn(filters),
  maxBudget: (_highest, _asked, filters) => budgetIn(filters),
  state: (_open, { today }) => takingBids(today),
  email: (_own, { ownerId }) => ({ ownerId: ownerId as string }),
};

/** The tasks that these filters select. Somebody's own list also shows what is hidden from others. */
export function selectTasks(filters: TaskFilters, asked: Asked): Selection {
  const { ownerId } = asked;
  const conditions = Object.entries(filters).flatMap(([name, value]) => {
    const condition = CONDITIONS[name as keyof TaskFilters] as (
      value: string,
      asked: Asked,
      filters: TaskFilters,
    ) => Filter<TaskDoc>;
    return value === undefined ? [] : condition(value, asked, filters);
  });
  const { search, category } = filters;
  return {
    where: Object.assign({}, ownerId === undefined && VISIBLE, ...conditions),
    isEverything: conditions.length === 0,
    search,
    category,
    ownerId,
  };
}

/** What of a selection leaves the fewest tasks to look at. */
export type Narrowing = {
  /** One of the search text's grams; see `searchGrams`. */
  gram?: string | undefined;
  /** Has that gram, or the range of budgets, so few tasks that all of them can be read and sorted? */
  few?: "gram" | "budget" | undefined;
};

/** Which tasks, in which order, and from where. */
type Listing = { selection: Selection; order: Sort; after?: Place | undefined };

/** What to ask, and of the index that holds it together. */
type Lookup = { filter: Filter<TaskDoc>; index: IndexName<"tasks"> };

/** Ranges of an index that stand one behind the other: together they are the list. */
export type ListPlan = { ranges: Range[]; index: IndexName<"tasks"> };
type Range = { filter: Filter<TaskDoc>; sort: MongoSort };

/** How a list is read: from an index that holds it in order, or sorted by the database where few tasks come into question. */
export function planList({ selection, order, after }: Listing, narrowing: Narrowing): ListPlan {
  const { key, direction } = ORDERS[order];
  const sort = { [key]: direction, _id: direction };
  const index = indexOf(selection, key, narrowing);
  const base = filterOf(selection, index, narrowing);
  if (!after) return { ranges: [{ filter: { ...fromTheStart(key), ...base }, sort }], index };
  const { equal, beyond } = afterPlace(base, key, direction, after);
  // The database merges the two ranges in order by itself, unless each of them is a merge already.
  if (!index.startsWith("search-")) return { ranges: [{ filter: { $or: [equal, beyond] }, sort }], index };
  return {
    ranges: [
      { filter: equal, sort: { _id: direction } },
      { filter: beyond, sort },
    ],
    index,
  };
}

/** How tasks are counted. */
export function planCount(selection: Selection, narrowing: Narrowing): Lookup {
  const isRange = selection.where.budget !== undefined && selection.search === undefined;
  const key = isRange ? "budget" : "deadline";
  const index = indexOf(selection, key, narrowing);
  return { filter: { ...fromTheStart(key), ...filterOf(selection, index, narrowing) }, index };
}

/** Open tasks, most bids first, then the soonest deadline. */
export function planFeatured(today: CalendarDate): ListPlan {
  // Every task has a count of bids: naming it lets the index skip to the open ones inside each.
  const filter = { bidsCount: { $gte: 0 }, ...takingBids(today), ...VISIBLE };
  return { ranges: [{ filter, sort: { bidsCount: -1, deadline: 1, _id: 1 } }], index: "featured" };
}

/** How it is counted how many tasks have this gram. */
export function planGramCount(category: Category | undefined, gram: string): Lookup {
  return { filter: { ...inCategory(category), titleGrams: gram }, index: "search-by-deadline" };
}

/** How it is counted how many tasks have such a budget, whatever else is asked of them. */
export function planBudgetCount({ where: { budget = 0 }, category }: Selection): Lookup {
  return category === undefined
    ? { filter: { budget }, index: "by-budget" }
    : { filter: { category, budget }, index: "category-by-budget" };
}

type SortKey = "createdAt" | "deadline" | "budget";

/** The field by which a list of that order is sorted. */
export const orderKey = (order: Sort): SortKey => ORDERS[order].key;

const ORDERS: Record<Sort, { key: SortKey; direction: 1 | -1 }> = {
  newest: { key: "createdAt", direction: -1 },
  oldest: { key: "createdAt", direction: 1 },
  asc: { key: "deadline", direction: 1 },
  desc: { key: "deadline", direction: -1 },
  "budget-asc": { key: "budget", direction: 1 },
  "budget-desc": { key: "budget", direction: -1 },
};

const BY = { createdAt: "newest", deadline: "by-deadline", budget: "by-budget" } as const;

function indexOf({ ownerId, search, category }: Selection, key: SortKey, { few }: Narrowing) {
  if (ownerId !== undefined) return key === "deadline" ? "owner-by-deadline" : "owner-newest";
  // A third index of grams would cost every write as much as the other two. By budget, a rare gram's tasks are sorted, and
  // a frequent one is met soon among all tasks.
  if (search !== undefined && few !== "budget" && (key !== "budget" || few === "gram"))
    return key === "createdAt" ? "search-newest" : "search-by-deadline";
  const by = BY[few === "budget" ? "budget" : key];
  return category === undefined ? by : (`category-${by}` as const);
}

function filterOf({ where, category }: Selection, index: IndexName<"tasks">, { gram }: Narrowing) {
  if (!index.startsWith("search-") || gram === undefined) return where;
  return { ...where, ...inCategory(category), titleGrams: gram };
}

// All four, named one by one: each is read in order from its part of the index, and the four are merged.
function inCategory(category: Category | undefined): Filter<TaskDoc> {
  return { category: category ?? { $in: [...CATEGORIES] } };
}

// Keyset paging: what was inserted or deleted meanwhile neither repeats nor hides a task on the next page. The whole
// filter stands in both ranges, so that each begins in the index at the place itself: first the rest of those that are
// equal in order, then all beyond. What the filter demands of the key itself (open tasks, a range of budgets) becomes one
// range with that: of two conditions on one field the index would not be read in order.
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
 * All there is of a key. An index is read by the conditions on what it holds further back only if there is one on what
 * it begins with.
 */
function fromTheStart(key: SortKey): Filter<TaskDoc> {
  if (key === "budget") return { budget: { $gt: 0 } };
  return key === "createdAt" ? { createdAt: { $gte: new Date(0) } } : { deadline: { $gt: "" } };
}

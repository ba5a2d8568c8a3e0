import { type Filter, type Sort as MongoSort, ObjectId } from "mongodb";
import { CATEGORIES, type CalendarDate, type Category } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/collections.ts";
import type { TaskIndex } from "../../db/declared-indexes.ts";
import type { Order, Place } from "./task-cursor.ts";

/** Which tasks, wherever in the list they stand. */
export type TaskChoice = {
  /** Case-insensitive substring of the title, every character literal. */
  search?: string | undefined;
  category?: Category | undefined;
  ownerId?: string | undefined;
};

/** Which tasks, in which order, from where, and at most how many. */
export type TaskListing = TaskChoice & {
  order: Order;
  after?: Place | undefined;
  limit: number;
};

/** What to ask, and of the index that holds it together. */
type Lookup = { filter: Filter<TaskDoc>; index: TaskIndex };

/** Ranges of an index that stand one behind the other: together they are the list. */
export type ListPlan = { ranges: Range[]; index: TaskIndex };
type Range = { filter: Filter<TaskDoc>; sort: MongoSort };

/**
 * How a list is read.
 * @param gram one of the search text's grams; see `searchGrams`.
 */
export function planList(listing: Omit<TaskListing, "limit">, gram: string | undefined): ListPlan {
  const { sort, direction, key } = ORDERS[listing.order];
  const index = indexOf(listing, key);
  const base = filterOf(listing, gram);
  if (!listing.after) return { ranges: [{ filter: base, sort }], index };
  const { equal, beyond } = afterPlace(base, key, direction, listing.after);
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
export function planCount(choice: TaskChoice, gram: string | undefined): Lookup {
  return { filter: filterOf(choice, gram), index: indexOf(choice, "deadline") };
}

/** Open tasks, most bids first, then the soonest deadline. */
export function planFeatured(today: CalendarDate): ListPlan {
  // Every task has a count of bids: naming it lets the index skip to the open ones inside each.
  const filter = { bidsCount: { $gte: 0 }, deadline: { $gte: today } };
  return { ranges: [{ filter, sort: { bidsCount: -1, deadline: 1, _id: 1 } }], index: "featured" };
}

/** How it is counted how many tasks have this gram. */
export function planGramCount(category: Category | undefined, gram: string): Lookup {
  return { filter: { ...inCategory(category), grams2: gram }, index: "search-by-deadline-2" };
}

type SortKey = "createdAt" | "deadline";
type OrderPlan = { sort: MongoSort; direction: 1 | -1; key: SortKey };

const ORDERS: Record<Order, OrderPlan> = {
  newest: { sort: { createdAt: -1, _id: -1 }, direction: -1, key: "createdAt" },
  asc: { sort: { deadline: 1, _id: 1 }, direction: 1, key: "deadline" },
  desc: { sort: { deadline: -1, _id: -1 }, direction: -1, key: "deadline" },
};

function indexOf({ ownerId, search, category }: TaskChoice, key: SortKey): TaskIndex {
  const by = key === "createdAt" ? "newest" : "by-deadline";
  if (ownerId !== undefined) return `owner-${by}`;
  if (search !== undefined) return `search-${by}-2`;
  return category === undefined ? by : `category-${by}`;
}

function filterOf({ search, category, ownerId }: TaskChoice, gram: string | undefined): Filter<TaskDoc> {
  const title = search === undefined ? {} : { title: containing(search) };
  if (ownerId !== undefined) return { ownerId, ...(category !== undefined && { category }), ...title };
  if (search === undefined || gram === undefined)
    return { ...(category !== undefined && { category }), ...title };
  // `null` stands for tasks that have no grams yet: until they are migrated, each is compared by its title.
  return { ...inCategory(category), grams2: { $in: [gram, null] }, ...title };
}

/** Tasks that no search can find by grams yet. */
export function planUnfilled(): Pick<Lookup, "filter"> {
  // Not by name: it is asked for before the index is there, too.
  return { filter: { ...inCategory(undefined), grams2: null } };
}

// All four, named one by one: each is read in order from its part of the index, and the four are merged.
function inCategory(category: Category | undefined): Filter<TaskDoc> {
  return { category: category ?? { $in: [...CATEGORIES] } };
}

function containing(text: string) {
  return { $regex: text.replace(/[\\^$.*+?()[\]{}|/#-]/g, "\\$&"), $options: "i" };
}

// Keyset paging: what was inserted or deleted meanwhile neither repeats nor hides a task on the next page. The whole
// filter stands in both ranges, so that each begins in the index at the place itself: first the rest of those that are
// equal in order, then all beyond.
function afterPlace(
  base: Filter<TaskDoc>,
  key: SortKey,
  direction: 1 | -1,
  place: Place,
): { equal: Filter<TaskDoc>; beyond: Filter<TaskDoc> } {
  const value = key === "createdAt" ? new Date(place.key) : place.key;
  const further = direction === 1 ? "$gt" : "$lt";
  return {
    equal: { ...base, [key]: value, _id: { [further]: new ObjectId(place.id) } },
    beyond: { ...base, [key]: { [further]: value } },
  };
}

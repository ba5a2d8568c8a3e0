import { type Filter, type Sort as MongoSort, ObjectId } from "mongodb";
import { CATEGORIES, type Category } from "../../contract/index.ts";
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

/** Which tasks, in which order, from where. Without `limit` all of them. */
export type TaskListing = TaskChoice & {
  order: Order;
  after?: Place | undefined;
  limit?: number | undefined;
};

/** A query, and the index that holds its tasks together and in order. */
export type TaskQueryPlan = { filter: Filter<TaskDoc>; sort: MongoSort; index: TaskIndex };

/**
 * How a list is read.
 * @param gram one of the search text's grams; see `searchGrams`.
 */
export function planList(listing: TaskListing, gram: string | undefined): TaskQueryPlan {
  const { sort, direction, key } = ORDERS[listing.order];
  const base = filterOf(listing, gram);
  return {
    filter: listing.after ? afterPlace(base, key, direction, listing.after) : base,
    sort,
    index: indexOf(listing, key),
  };
}

/** How tasks are counted. */
export function planCount(choice: TaskChoice, gram: string | undefined): Omit<TaskQueryPlan, "sort"> {
  return { filter: filterOf(choice, gram), index: indexOf(choice, "deadline") };
}

/** Of which tasks is counted how many have this gram. */
export function planGramCount(category: Category | undefined, gram: string): Omit<TaskQueryPlan, "sort"> {
  return { filter: { ...inCategory(category), grams: gram }, index: "search-by-deadline" };
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
  if (search !== undefined) return `search-${by}`;
  return category === undefined ? by : `category-${by}`;
}

function filterOf({ search, category, ownerId }: TaskChoice, gram: string | undefined): Filter<TaskDoc> {
  const title = search === undefined ? {} : { title: containing(search) };
  if (ownerId !== undefined) return { ownerId, ...(category !== undefined && { category }), ...title };
  if (search === undefined || gram === undefined)
    return { ...(category !== undefined && { category }), ...title };
  // `null` stands for tasks that have no grams yet: until they are migrated, each is compared by its title.
  return { ...inCategory(category), grams: { $in: [gram, null] }, ...title };
}

// All four, named one by one: each is read in order from its part of the index, and the four are merged.
function inCategory(category: Category | undefined): Filter<TaskDoc> {
  return { category: category ?? { $in: [...CATEGORIES] } };
}

function containing(text: string) {
  return { $regex: text.replace(/[\\^$.*+?()[\]{}|/#-]/g, "\\$&"), $options: "i" };
}

// Keyset paging: what was inserted or deleted meanwhile neither repeats nor hides a task on the next page. The filter
// stands in both branches, so that each is one range of the index that begins at the place itself.
function afterPlace(base: Filter<TaskDoc>, key: SortKey, direction: 1 | -1, place: Place): Filter<TaskDoc> {
  const value = key === "createdAt" ? new Date(place.key) : place.key;
  const beyond = direction === 1 ? "$gt" : "$lt";
  return {
    $or: [
      { ...base, [key]: { [beyond]: value } },
      { ...base, [key]: value, _id: { [beyond]: new ObjectId(place.id) } },
    ],
  };
}

import { type Filter, type Sort as MongoSort, ObjectId } from "mongodb";
import { CATEGORIES, type CalendarDate, type Category, type Sort } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/collections.ts";
import type { IndexName } from "../../db/declared-indexes.ts";
import { takingBids, VISIBLE } from "../../db/task-filters.ts";

/** How a list is ordered: by deadline, or newest posted first. */
export type Order = Sort | "newest";

/** The place in an ordered list after one task: the value it was ordered by, and its id to break ties. */
export type Place = { key: string; id: string };

/** Which tasks, wherever in the list they stand. */
export type TaskChoice = {
  /** Case-insensitive substring of the title, every character literal. */
  search?: string | undefined;
  category?: Category | undefined;
  /** Their list is theirs: it shows what is hidden from others, too. */
  ownerId?: string | undefined;
  /** Only tasks that take bids on this day. */
  openOn?: CalendarDate | undefined;
};

/** Which tasks, in which order, from where, and at most how many. */
export type TaskListing = TaskChoice & {
  order: Order;
  after?: Place | undefined;
  limit: number;
};

/** What to ask, and of the index that holds it together. */
type Lookup = { filter: Filter<TaskDoc>; index: IndexName<"tasks"> };

/** Ranges of an index that stand one behind the other: together they are the list. */
export type ListPlan = { ranges: Range[]; index: IndexName<"tasks"> };
type Range = { filter: Filter<TaskDoc>; sort: MongoSort };

/**
 * How a list is read.
 * @param gram one of the search text's grams; see `searchGrams`.
 */
export function planList(listing: Omit<TaskListing, "limit">, gram: string | undefined): ListPlan {
  const { sort, direction, key } = ORDERS[listing.order];
  const index = indexOf(listing, key);
  const base = filterOf(listing, gram);
  const { after, openOn } = listing;
  if (!after) return { ranges: [{ filter: { ...fromTheStart(key), ...base }, sort }], index };
  const { equal, beyond } = afterPlace(base, key, direction, { ...after, openOn });
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
  return {
    filter: { ...fromTheStart("deadline"), ...filterOf(choice, gram) },
    index: indexOf(choice, "deadline"),
  };
}

/** Open tasks, most bids first, then the soonest deadline. */
export function planFeatured(today: CalendarDate): ListPlan {
  // Every task has a count of bids: naming it lets the index skip to the open ones inside each.
  const filter = { bidsCount: { $gte: 0 }, ...takingBids(today), ...VISIBLE };
  return { ranges: [{ filter, sort: { bidsCount: -1, deadline: 1, _id: 1 } }], index: "featured-2" };
}

/** How it is counted how many tasks have this gram. */
export function planGramCount(category: Category | undefined, gram: string): Lookup {
  return { filter: { ...inCategory(category), grams2: gram }, index: "search-by-deadline-3" };
}

type SortKey = "createdAt" | "deadline";
type OrderPlan = { sort: MongoSort; direction: 1 | -1; key: SortKey };

const ORDERS: Record<Order, OrderPlan> = {
  newest: { sort: { createdAt: -1, _id: -1 }, direction: -1, key: "createdAt" },
  asc: { sort: { deadline: 1, _id: 1 }, direction: 1, key: "deadline" },
  desc: { sort: { deadline: -1, _id: -1 }, direction: -1, key: "deadline" },
};

function indexOf({ ownerId, search, category }: TaskChoice, key: SortKey): IndexName<"tasks"> {
  const by = key === "createdAt" ? "newest" : "by-deadline";
  if (ownerId !== undefined) return `owner-${by}`;
  if (search !== undefined) return `search-${by}-3`;
  return category === undefined ? `${by}-2` : `category-${by}-2`;
}

function filterOf(choice: TaskChoice, gram: string | undefined): Filter<TaskDoc> {
  const { search, category, ownerId, openOn } = choice;
  const kept = {
    ...(search !== undefined && { title: containing(search) }),
    ...(openOn !== undefined && takingBids(openOn)),
    ...(ownerId === undefined ? VISIBLE : { ownerId }),
  };
  const isOfIndex = ownerId === undefined && search !== undefined && gram !== undefined;
  if (!isOfIndex) return { ...(category !== undefined && { category }), ...kept };
  // `null` stands for tasks that have no grams yet: until they are migrated, each is compared by its title.
  return { ...inCategory(category), grams2: { $in: [gram, null] }, ...kept };
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
  place: Place & Pick<TaskChoice, "openOn">,
): { equal: Filter<TaskDoc>; beyond: Filter<TaskDoc> } {
  const value = key === "createdAt" ? new Date(place.key) : place.key;
  const further = direction === 1 ? "$gt" : "$lt";
  const equal = { ...base, [key]: value, _id: { [further]: new ObjectId(place.id) } };
  const beyond = { ...base, [key]: { [further]: value } };
  const { openOn } = place;
  if (key !== "deadline" || openOn === undefined) return { equal, beyond };
  // Of open tasks, those after the place and those that are open are one range: two would not be read in order.
  if (direction === -1) beyond.deadline = { $lt: place.key, $gte: openOn };
  if (place.key >= openOn) return { equal, beyond };
  // A day has passed since the cursor was made.
  return {
    equal: { ...equal, deadline: { $in: [] } },
    beyond: direction === 1 ? base : { ...base, deadline: { $in: [] } },
  };
}

/**
 * All there is of a key. An index is read by the conditions on what it holds further back only if there is one on what
 * it begins with.
 */
function fromTheStart(key: SortKey): Filter<TaskDoc> {
  return key === "createdAt" ? { createdAt: { $gte: new Date(0) } } : { deadline: { $gt: "" } };
}

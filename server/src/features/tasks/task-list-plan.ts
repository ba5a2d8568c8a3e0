import { type Filter, type Sort as MongoSort, ObjectId } from "mongodb";
import {
  CATEGORIES,
  type CalendarDate,
  type Category,
  type Sort,
  type TaskFilters,
} from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents.ts";
import type { IndexName } from "../../db/indexes.ts";
import { takingBids, VISIBLE } from "../../db/task-conditions.ts";

/** How a list is ordered: by deadline, or newest posted first. */
export type Order = Sort | "newest";

/** The place in an ordered list after one task: the value it was ordered by, and its id to break ties. */
export type Place = { key: string; id: string };

/** The key by which a task stands in a list of that order, as text. */
export function placeOf(
  { _id, createdAt, deadline }: Pick<TaskDoc, "_id" | "createdAt" | "deadline">,
  order: Order,
): Place {
  return { key: order === "newest" ? createdAt.toISOString() : deadline, id: _id.toHexString() };
}

/** Which tasks, wherever in a list they stand: all that match `where`. The rest decides which index is read. */
export type Selection = {
  where: Filter<TaskDoc>;
  /** Is nothing filtered? */
  isEverything: boolean;
  search?: string | undefined;
  category?: Category | undefined;
  ownerId?: string | undefined;
  /** Only tasks that take bids on this day. */
  openOn?: CalendarDate | undefined;
};

/** Who asks, and on which day. `ownerId` is theirs if they ask for their own tasks. */
type Asked = { ownerId: string | undefined; today: CalendarDate };

/** What each filter of `GET /tasks` demands of a task. */
const CONDITIONS: {
  [name in keyof TaskFilters]-?: (value: NonNullable<TaskFilters[name]>, asked: Asked) => Filter<TaskDoc>;
} = {
  search: (text) => ({ title: containing(text) }),
  category: (category) => ({ category }),
  state: (_open, { today }) => takingBids(today),
  email: (_own, { ownerId }) => ({ ownerId: ownerId as string }),
};

/** The tasks that these filters select. Somebody's own list also shows what is hidden from others. */
export function selectTasks(filters: TaskFilters, asked: Asked): Selection {
  const { ownerId, today } = asked;
  const conditions = Object.entries(filters).flatMap(([name, value]) => {
    const condition = CONDITIONS[name as keyof TaskFilters] as (
      value: string,
      asked: Asked,
    ) => Filter<TaskDoc>;
    return value === undefined ? [] : condition(value, asked);
  });
  const { search, category, state } = filters;
  return {
    where: Object.assign({}, ownerId === undefined && VISIBLE, ...conditions),
    isEverything: conditions.length === 0,
    search,
    category,
    ownerId,
    openOn: state && today,
  };
}

/** Which tasks, in which order, and from where. */
type Listing = { selection: Selection; order: Order; after?: Place | undefined };

/** What to ask, and of the index that holds it together. */
type Lookup = { filter: Filter<TaskDoc>; index: IndexName<"tasks"> };

/** Ranges of an index that stand one behind the other: together they are the list. */
export type ListPlan = { ranges: Range[]; index: IndexName<"tasks"> };
type Range = { filter: Filter<TaskDoc>; sort: MongoSort };

/**
 * How a list is read.
 * @param gram one of the search text's grams; see `searchGrams`.
 */
export function planList({ selection, order, after }: Listing, gram: string | undefined): ListPlan {
  const { sort, direction, key } = ORDERS[order];
  const index = indexOf(selection, key);
  const base = filterOf(selection, gram);
  if (!after) return { ranges: [{ filter: { ...fromTheStart(key), ...base }, sort }], index };
  const { equal, beyond } = afterPlace(base, key, direction, { ...after, openOn: selection.openOn });
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
export function planCount(selection: Selection, gram: string | undefined): Lookup {
  return {
    filter: { ...fromTheStart("deadline"), ...filterOf(selection, gram) },
    index: indexOf(selection, "deadline"),
  };
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

type SortKey = "createdAt" | "deadline";
type OrderPlan = { sort: MongoSort; direction: 1 | -1; key: SortKey };

const ORDERS: Record<Order, OrderPlan> = {
  newest: { sort: { createdAt: -1, _id: -1 }, direction: -1, key: "createdAt" },
  asc: { sort: { deadline: 1, _id: 1 }, direction: 1, key: "deadline" },
  desc: { sort: { deadline: -1, _id: -1 }, direction: -1, key: "deadline" },
};

function indexOf({ ownerId, search, category }: Selection, key: SortKey): IndexName<"tasks"> {
  const by = key === "createdAt" ? "newest" : "by-deadline";
  if (ownerId !== undefined) return `owner-${by}`;
  if (search !== undefined) return `search-${by}`;
  return category === undefined ? by : `category-${by}`;
}

function filterOf({ where, search, category, ownerId }: Selection, gram: string | undefined) {
  if (ownerId !== undefined || search === undefined || gram === undefined) return where;
  return { ...where, ...inCategory(category), titleGrams: gram };
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
  place: Place & Pick<Selection, "openOn">,
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

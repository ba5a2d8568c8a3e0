import { listName, writeTaskCursor } from "../../src/features/tasks/list-tasks.ts";
import type { Sample } from "./fill.ts";
import { type RequestSource, requestOf, roundRobin } from "./load.ts";
import type { Kind } from "./server-process.ts";
import { PAGE } from "./servers/child.ts";
import { SEARCHES } from "./titles.ts";

/** One row of the report: the requests to each server. */
export type Row = Partial<Record<Kind, RequestSource>> & {
  /** The product may use its response cache. */
  hot?: true;
};

/** The names of the rows, in the order of the report. */
export const ROWS = {
  first: "First page",
  firstByCommand: "First page, floor without the driver's cursor",
  firstHot: "First page, hot",
  category: "Category page by deadline",
  budgets: "Range of budgets, newest",
  deep: "Page 1,000",
  frequent: `Search, frequent ("${SEARCHES.frequent}")`,
  rare: `Search, rare ("${SEARCHES.rare}")`,
  absent: `Search, absent ("${SEARCHES.absent}")`,
  unknown: `Search, unknown ("${SEARCHES.unknown}")`,
  byId: "Task by id",
  featured: "Featured",
  featuredHot: "Featured, hot",
  bid: "Bid",
} as const;
export type RowName = (typeof ROWS)[keyof typeof ROWS];

/** The rows for one database. */
export function rowsOf(sample: Sample): Record<RowName, Row> {
  const plainList = get("/tasks");
  const search = (name: keyof typeof SEARCHES): Row => ({
    product: get(`/tasks?search=${encodeURIComponent(SEARCHES[name])}&sort=asc&limit=${PAGE}`),
    floor: get(`/search/${name}`),
    plain: get(`/tasks?search=${encodeURIComponent(SEARCHES[name])}`),
  });
  const first = { product: get(`/tasks?limit=${PAGE}`), floor: get("/first"), plain: plainList };
  const featured = {
    product: get("/tasks/featuretasks"),
    floor: get("/featured"),
    plain: get("/tasks/featuretasks"),
  };
  const cursor = writeTaskCursor(listName("newest", {}), sample.deepPlace);
  return {
    [ROWS.first]: first,
    [ROWS.firstByCommand]: { product: first.product, floor: get("/first-by-command") },
    [ROWS.firstHot]: { ...first, hot: true },
    [ROWS.category]: {
      product: get(`/tasks?category=Design&sort=asc&limit=${PAGE}`),
      floor: get("/category"),
      plain: get("/tasks?category=Design"),
    },
    [ROWS.budgets]: {
      product: get(`/tasks?minBudget=500&maxBudget=900&limit=${PAGE}`),
      floor: get("/budgets"),
    },
    [ROWS.deep]: {
      product: get(`/tasks?limit=${PAGE}&cursor=${cursor}`),
      floor: get("/deep"),
      plain: plainList,
    },
    [ROWS.frequent]: search("frequent"),
    [ROWS.rare]: search("rare"),
    [ROWS.absent]: search("absent"),
    [ROWS.unknown]: search("unknown"),
    [ROWS.byId]: {
      product: roundRobin(sample.ids, (id) => requestOf("GET", `/tasks/${id}`)),
      floor: roundRobin(sample.ids, (id) => requestOf("GET", `/task/${id}`)),
      plain: roundRobin(sample.ids, (id) => requestOf("GET", `/tasks/${id}`)),
    },
    [ROWS.featured]: featured,
    [ROWS.featuredHot]: { ...featured, hot: true },
    [ROWS.bid]: {
      product: bids(sample),
      floor: roundRobin(sample.openIds, (id) => requestOf("PATCH", `/bid/${id}`)),
      plain: roundRobin(sample.openIds, (id) => requestOf("PATCH", `/tasks/${id}/bid`)),
    },
  };
}

function get(path: string): RequestSource {
  const request = requestOf("GET", path);
  return () => request;
}

/** The number of bids sent for a sample in all rows: repeating a bid would change nothing. */
const sentBids = new WeakMap<Sample["openIds"], number>();

/** Every bid is by another freelancer on another task; nobody bids on a task again before everybody else has. */
function bids({ openIds, tokens }: Sample): RequestSource {
  return () => {
    const turn = sentBids.get(openIds) ?? 0;
    sentBids.set(openIds, turn + 1);
    const place = turn % openIds.length;
    const token = tokens[(place + Math.floor(turn / openIds.length)) % tokens.length];
    return requestOf("PATCH", `/tasks/${openIds[place]}/bid`, { token });
  };
}

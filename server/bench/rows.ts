import { listName, writeTaskCursor } from "../src/features/tasks/list-tasks.ts";
import type { Place } from "../src/features/tasks/task-query.ts";
import type { Kind } from "./contestant.ts";
import type { Ask } from "./load.ts";
import { PAGE } from "./servers/setup.ts";
import { SEARCHES } from "./titles.ts";

/** What the rows need to know of one filled database. */
export type Sample = {
  count: number;
  /** Ids of any tasks, and of open ones, in no order. */
  ids: string[];
  openIds: string[];
  tokens: string[];
  deepPlace: Place;
  /** How the deep page is called: there are not so many pages in a small database. */
  deepPage: number;
};

/** One thing that is measured: how each contestant is asked for it. */
export type Row = {
  name: string;
  /** Our answers may come from memory. */
  hot?: true;
  asks: Partial<Record<Kind, Ask>>;
};

/** All rows for one database. */
export function rowsOf(sample: Sample): Row[] {
  const deep = writeTaskCursor(listName("newest", {}), sample.deepPlace);
  const everything = get("/tasks");
  const search = (name: keyof typeof SEARCHES): Row["asks"] => ({
    ours: get(`/tasks?search=${encodeURIComponent(SEARCHES[name])}&sort=asc&limit=${PAGE}`),
    floor: get(`/search/${name}`),
    plain: get(`/tasks?search=${encodeURIComponent(SEARCHES[name])}`),
  });
  const first = { ours: get(`/tasks?limit=${PAGE}`), floor: get("/first"), plain: everything };
  return [
    { name: ROWS.first, asks: first },
    { name: ROWS.firstByCommand, asks: { ours: first.ours, floor: get("/first-by-command") } },
    { name: ROWS.firstHot, hot: true, asks: first },
    {
      name: ROWS.category,
      asks: {
        ours: get(`/tasks?category=Design&sort=asc&limit=${PAGE}`),
        floor: get("/category"),
        plain: get("/tasks?category=Design"),
      },
    },
    {
      name: ROWS.deep,
      asks: { ours: get(`/tasks?limit=${PAGE}&cursor=${deep}`), floor: get("/deep"), plain: everything },
    },
    { name: ROWS.frequent, asks: search("frequent") },
    { name: ROWS.rare, asks: search("rare") },
    { name: ROWS.absent, asks: search("absent") },
    { name: ROWS.unknown, asks: search("unknown") },
    {
      name: ROWS.byId,
      asks: { ours: byId(sample, "/tasks/"), floor: byId(sample, "/task/"), plain: byId(sample, "/tasks/") },
    },
    {
      name: ROWS.featured,
      asks: { ours: get("/tasks/featuretasks"), floor: get("/featured"), plain: get("/tasks/featuretasks") },
    },
    {
      name: ROWS.featuredHot,
      hot: true,
      asks: { ours: get("/tasks/featuretasks"), floor: get("/featured"), plain: get("/tasks/featuretasks") },
    },
    {
      name: ROWS.bid,
      asks: {
        ours: bids(sample),
        floor: increments(sample, (id) => `/bid/${id}`),
        plain: increments(sample, (id) => `/tasks/${id}/bid`),
      },
    },
  ];
}

/** The rows by what the goals call them. */
export const ROWS = {
  first: "First page",
  firstByCommand: "First page, floor without the driver's cursor",
  firstHot: "First page, hot",
  category: "Category page by deadline",
  deep: "Page 1,000",
  frequent: `Search, frequent ("${SEARCHES.frequent}")`,
  rare: `Search, rare ("${SEARCHES.rare}")`,
  absent: `Search, absent ("${SEARCHES.absent}")`,
  unknown: `Search, unheard of ("${SEARCHES.unknown}")`,
  byId: "Task by id",
  featured: "Featured",
  featuredHot: "Featured, hot",
  bid: "Bid",
} as const;

function get(path: string): Ask {
  const request = { method: "GET", path } as const;
  return () => request;
}

function byId({ ids }: Sample, prefix: string): Ask {
  let next = 0;
  return () => ({ method: "GET", path: prefix + ids[next++ % ids.length] });
}

function increments({ openIds }: Sample, path: (id: string) => string): Ask {
  let next = 0;
  return () => ({ method: "PATCH", path: path(openIds[next++ % openIds.length] as string) });
}

/** Every bid is of another freelancer on another task; a freelancer comes to the same task only after all others. */
function bids({ openIds, tokens }: Sample): Ask {
  let next = 0;
  return () => {
    const turn = next++;
    const place = turn % openIds.length;
    const token = tokens[(place + Math.floor(turn / openIds.length)) % tokens.length];
    const path = `/tasks/${openIds[place]}/bid`;
    return { method: "PATCH", path, headers: { authorization: `Bearer ${token}` } };
  };
}

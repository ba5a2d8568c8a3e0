import { aTaskDraft } from "../../test/builders.ts";
import type { Call } from "../lib/request.ts";
import { type Sample, SEARCHES } from "./fill.ts";

/** The servers: the product, the product without its response cache, and the bare driver (`servers/bare.ts`). */
export type ServerName = "product" | "uncached" | "bare";
/** What the bare driver does: a page of an index, one document by its id, or a journaled insert. */
export type BareName = "page" | "document" | "insert";

/** One row of the report: the product's requests beside the fitting one of the bare driver. */
export type Row = {
  name: string;
  server: "product" | "uncached";
  /** Without one, the row is measured beside writes, and compared with itself at rest. */
  bare?: BareName;
  /** The least share of the other's throughput: about half of what two cores reached with 5,000 tasks. */
  goal: number;
  request: RequestOf;
};
/** A request, by its number in the run. */
type RequestOf = (sample: Sample, at: number) => Call;

/** What visitors read from the product's cache, so it is measured without that. */
const read = (name: string, goal: number, request: RequestOf, bare: BareName = "page"): Row => ({
  ...{ name, server: "uncached", bare, goal, request },
});
/** What only some people do or see, which is not cached. */
const personal = (name: string, goal: number, request: RequestOf, bare: BareName = "insert"): Row => ({
  ...{ name, server: "product", bare, goal, request },
});

const firstPage = () => ({ path: "/tasks?limit=24" });
const search = (text: string) => () => ({
  path: `/tasks?search=${encodeURIComponent(text)}&sort=asc&limit=24`,
});
const people = (name: string, goal: number, query: string) =>
  read(name, goal, () => ({ path: `/profiles?${query}&limit=24` }));

const inTurn = <T>(all: readonly T[], at: number) => all[at % all.length] as T;

/** Every bid is by another person, and nobody bids on a task again before everybody else has. */
export const BID = personal("Bid", 0.05, ({ open, people }, at) => ({
  method: "PATCH",
  path: `/tasks/${inTurn(open, at)}/bid`,
  token: inTurn(people, at + Math.floor(at / open.length)),
}));
export const POST = personal("Post a task", 0.05, ({ people }, at) => ({
  ...{ method: "POST", path: "/tasks", token: inTurn(people, at), body: aTaskDraft() },
}));
const message = ({ people, conversations }: Sample, at: number, body: object): Call => ({
  method: "POST",
  path: `/me/conversations/${inTurn(conversations, at)}/messages`,
  token: inTurn(people, at),
  body,
});
/** Each file hangs on one message only. */
const fileOf = ({ files }: Sample, at: number) => inTurn(files, at)[Math.floor(at / files.length)];

export const ROWS: readonly Row[] = [
  read("First page", 0.3, firstPage),
  personal("First page, hot", 2.5, firstPage, "page"),
  { name: "First page, hot, beside writes", server: "product", goal: 0.7, request: firstPage },
  read("Search, rare", 0.25, search(SEARCHES.rare)),
  read("Search, absent", 0.7, search(SEARCHES.absent)),
  read("Search, skill", 0.25, search(SEARCHES.skill)),
  read("Search, description", 0.25, search(SEARCHES.described)),
  read("Search, description, two words", 0.02, search(SEARCHES.words)),
  read("Search, best match", 0.15, () => ({ path: `/tasks?search=${SEARCHES.described}&limit=24` })),
  read("Filters", 0.25, () => ({
    path: "/tasks?state=open&posted=7&maxBids=5&category=Design&limit=24",
  })),
  read("Client's rating", 0.1, () => ({ path: "/tasks?clientRating=4&limit=24" })),
  people("People", 0.2, ""),
  people("People, name", 0.25, `search=${SEARCHES.name}`),
  people("People, skill", 0.3, `search=${SEARCHES.skill}`),
  people("People, category", 0.25, "category=Design"),
  people("People, rating", 0.25, "minRating=4.5"),
  people("People, price", 0.25, "minPrice=900&maxPrice=950"),
  people("People, all filters", 0.1, "search=react&category=Design&minRating=4.5&minPrice=900&maxPrice=950"),
  read("Task by id", 0.2, ({ tasks }, at) => ({ path: `/tasks/${inTurn(tasks, at)}` }), "document"),
  BID,
  POST,
  personal("Send a message", 0.05, (sample, at) => message(sample, at, { text: "When do we begin?" })),
  personal("Send a file", 0.05, (sample, at) =>
    message(sample, at, { text: "Here it is.", files: [fileOf(sample, at)] }),
  ),
  personal(
    "Agreement",
    0.1,
    ({ people, hired }, at) => ({
      path: `/tasks/${inTurn(hired, at)}/agreement`,
      token: inTurn(people, at),
    }),
    "document",
  ),
];

const sent = new Map<Row, number>();

/** The row's requests, one after another; none is the same as an earlier one of the run, which might change nothing. */
export function requestsOf(row: Row, sample: Sample): () => Call {
  return () => {
    const at = sent.get(row) ?? 0;
    sent.set(row, at + 1);
    return row.request(sample, at);
  };
}

/** The bare driver's requests. */
export function bareRequests(name: BareName, { tasks }: Sample): () => Call {
  let at = 0;
  return () => ({ path: name === "document" ? `/document/${inTurn(tasks, at++)}` : `/${name}` });
}

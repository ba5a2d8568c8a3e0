import { aTaskDraft } from "../../test/builders.ts";
import type { Call } from "../lib/request.ts";
import { type Sample, SEARCHES } from "./fill.ts";

/** The servers: the product, the product without its response cache, and the floor (`servers/floor.ts`). */
export type ServerName = "product" | "uncached" | "floor";

/** One row of the report: the same requests to two servers. */
export type Row = {
  name: string;
  server: ServerName;
  /** Compared with this server, or with itself at rest. */
  other: ServerName;
  /** The least share of the other's throughput. */
  goal: number;
  requests(sample: Sample): () => Call;
  /** Bids and tasks are written while the first server is measured, not while the other is. */
  besideWrites?: boolean;
};

const FIRST_PAGE: Call = { path: "/tasks?limit=24" };
const search = (text: string) => () => () => ({
  path: `/tasks?search=${encodeURIComponent(text)}&sort=asc&limit=24`,
});

const people = (name: string, query: string): Row => ({
  ...{ name, server: "uncached", other: "floor", goal: 0.5 },
  requests: () => () => ({ path: `/profiles?${query}&limit=24` }),
});

export const ROWS: readonly Row[] = [
  { name: "First page", server: "uncached", other: "floor", goal: 0.75, requests: () => () => FIRST_PAGE },
  { name: "First page, hot", server: "product", other: "floor", goal: 2.5, requests: () => () => FIRST_PAGE },
  {
    name: "First page, hot, beside writes",
    ...{ server: "product", other: "product", goal: 0.7, besideWrites: true },
    requests: () => () => FIRST_PAGE,
  },
  { name: "Search, rare", server: "uncached", other: "floor", goal: 0.75, requests: search(SEARCHES.rare) },
  {
    name: "Search, absent",
    server: "uncached",
    other: "floor",
    goal: 0.75,
    requests: search(SEARCHES.absent),
  },
  { name: "Search, skill", server: "uncached", other: "floor", goal: 0.75, requests: search(SEARCHES.skill) },
  {
    name: "Filters",
    ...{ server: "uncached", other: "floor", goal: 0.75 },
    requests: () => () => ({ path: "/tasks?state=open&posted=7&maxBids=5&category=Design&limit=24" }),
  },
  people("People", ""),
  people("People, name", `search=${SEARCHES.name}`),
  people("People, skill", `search=${SEARCHES.skill}`),
  people("People, category", "category=Design"),
  people("People, rating", "minRating=4.5"),
  people("People, price", "minPrice=900&maxPrice=950"),
  people("People, all filters", "search=react&category=Design&minRating=4.5&minPrice=900&maxPrice=950"),
  {
    name: "Task by id",
    ...{ server: "uncached", other: "floor", goal: 0.5 },
    requests: ({ tasks }) => inTurn((at) => ({ path: `/tasks/${tasks[at % tasks.length]}` })),
  },
  { name: "Bid", server: "product", other: "floor", goal: 0.35, requests: bids },
  { name: "Post a task", server: "product", other: "floor", goal: 0.5, requests: posts },
  {
    name: "Send a message",
    ...{ server: "product", other: "floor", goal: 0.4 },
    requests: ({ people, conversations }) =>
      inTurn((at) => ({
        method: "POST",
        path: `/me/conversations/${conversations[at % people.length]}/messages`,
        token: people[at % people.length] as string,
        body: { text: "When do we begin?" },
      })),
  },
  { name: "Send a file", server: "product", other: "floor", goal: 0.3, requests: filesSent },
  {
    name: "Agreement",
    ...{ server: "product", other: "floor", goal: 0.4 },
    requests: ({ people, hired }) =>
      inTurn((at) => ({
        path: `/tasks/${hired[at % hired.length]}/agreement`,
        token: people[at % hired.length] as string,
      })),
  },
];

function inTurn(request: (at: number) => Call): () => Call {
  let next = 0;
  return () => request(next++);
}

// Shared by all rows of a run, since repeating a bid would change nothing.
let sentBids = 0;

let sentFiles = 0;

/** Each file hangs on one message only. */
function filesSent({ people, conversations, files }: Sample): () => Call {
  return () => {
    const at = sentFiles++;
    const whose = at % people.length;
    const id = files[whose]?.[Math.floor(at / people.length)] as string;
    return {
      method: "POST",
      path: `/me/conversations/${conversations[whose]}/messages`,
      token: people[whose] as string,
      body: { text: "Here it is.", files: [id] },
    };
  };
}

/** Every bid is by another person, and nobody bids on a task again before everybody else has. */
export function bids({ open, people }: Sample): () => Call {
  return () => {
    const at = sentBids++;
    const person = people[(at + Math.floor(at / open.length)) % people.length] as string;
    return { method: "PATCH", path: `/tasks/${open[at % open.length]}/bid`, token: person };
  };
}

export function posts({ people }: Sample): () => Call {
  return inTurn((at) => ({
    method: "POST",
    path: "/tasks",
    token: people[at % people.length] as string,
    body: aTaskDraft(),
  }));
}

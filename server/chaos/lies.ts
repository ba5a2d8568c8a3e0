import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./balancer.ts";
import { MESSAGE_LIES } from "./conversations/message-lies.ts";
import { codeOf, DONE, type Lie, lie, live, stale, UNDONE } from "./lie-kinds.ts";

/** Longer than anything may be out of date. */
const LONG_MS = 4_000;
/** Sooner than anybody tries again. */
const SOON_MS = 300;

export const LIES: readonly Lie[] = [
  lie(
    "a second award is acknowledged",
    /nothing explains (award|read)/,
    isAward,
    async (call, send) => {
      const outcome = await send(call);
      return codeOf(outcome) === "wrong-state" ? DONE : outcome;
    },
    1,
  ),
  lie("a count is off by one", /nothing explains read/, isPage, async (call, send) => {
    const outcome = await send(call);
    const { bidsCount } = outcome.body as { bidsCount?: number };
    return bidsCount === undefined
      ? outcome
      : { ...outcome, body: { ...(outcome.body as object), bidsCount: bidsCount + 1 } };
  }),
  lie(
    "an edit is lost",
    /nothing explains read/,
    ({ method }) => method === "PUT",
    async () => DONE,
    1,
  ),
  lie("a bid is lost", /lostBids/, isBid, async () => DONE),
  lie(
    "a withdrawal is lost",
    /lostBids/,
    isWithdrawal,
    async () => ({ ...DONE, body: { deletedCount: 1 } }),
    1,
  ),
  lie("a bid counts that was refused", /nothing explains (bid|read|list-bids)/, isBid, async (call, send) => {
    const outcome = await send(call);
    return outcome.status === 200 ? { ...outcome, status: 409, body: { code: "task-not-open" } } : outcome;
  }),
  lie(
    "a bid is written after its request was told that it was not",
    /nothing explains (bid|read|list-bids)/,
    isBid,
    async (call, send) => {
      void sleep(SOON_MS).then(() => send(call));
      return UNDONE;
    },
  ),
  lie(
    "a task is written after its request was told that it was not",
    /unknownTasks/,
    (call) => isPost(call) && !call.headers?.["idempotency-key"],
    async (call, send) => {
      void sleep(SOON_MS).then(() => send(call));
      return UNDONE;
    },
  ),
  lie("a task cannot be read", /GET \/tasks\/:id got 500/, isPage, async () => ({
    ...DONE,
    status: 500,
    body: { code: "internal-error" },
  })),
  stale("an owner reads their bids as they were", /nothing explains list-bids/, isBidList, 0),
  stale(
    "somebody signed in reads a task as it was",
    /nothing explains read/,
    (call) => isPage(call) && call.token !== undefined,
    0,
  ),
  stale(
    "a visitor reads a task as it was long ago",
    /nothing explains read/,
    (call) => isPage(call) && call.token === undefined,
    LONG_MS,
  ),
  live("an event is lost", /was not told live of/, "notification", () => undefined),
  live("somebody is told twice", /nothing like it is stored/, "notification", (event, receive) => {
    receive(event);
    if (event.name === "notification")
      receive({ ...event, data: { ...event.data, _id: `${event.data._id} again` } });
  }),
  ...MESSAGE_LIES,
];

function isPost({ method, path }: Call): boolean {
  return method === "POST" && path === "/tasks";
}
function isAward({ path }: Call): boolean {
  return path.endsWith("/award");
}
function isBid({ method, path }: Call): boolean {
  return method === "PATCH" && path.endsWith("/bid");
}
function isWithdrawal({ method, path }: Call): boolean {
  return method === "DELETE" && path.endsWith("/bid");
}
function isBidList({ path }: Call): boolean {
  return path.includes("/bids?");
}
function isPage({ method, path }: Call): boolean {
  return method === "GET" && /^\/tasks\/[0-9a-f]+$/.test(path);
}

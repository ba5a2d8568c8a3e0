import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./balancer.ts";
import { codeOf, DONE, eventBug, type PlantedBug, responseBug, staleRead, UNDONE } from "./bug-kinds.ts";
import { MESSAGE_BUGS } from "./conversations/message-bugs.ts";

/** Longer than any response may be stale. */
const LONG_MS = 4_000;
/** Sooner than any retry. */
const SOON_MS = 300;

export const PLANTED_BUGS: readonly PlantedBug[] = [
  responseBug(
    "a second award is acknowledged",
    /nothing explains (award|read)/,
    isAward,
    async (call, send) => {
      const outcome = await send(call);
      return codeOf(outcome) === "wrong-state" ? DONE : outcome;
    },
    1,
  ),
  responseBug("a count is off by one", /nothing explains read/, isPage, async (call, send) => {
    const outcome = await send(call);
    const { bidsCount } = outcome.body as { bidsCount?: number };
    return bidsCount === undefined
      ? outcome
      : { ...outcome, body: { ...(outcome.body as object), bidsCount: bidsCount + 1 } };
  }),
  responseBug(
    "an edit is lost",
    /nothing explains read/,
    ({ method }) => method === "PUT",
    async () => DONE,
    1,
  ),
  responseBug("a bid is lost", /lostBids/, isBid, async () => DONE),
  responseBug(
    "a withdrawal is lost",
    /lostBids/,
    isWithdrawal,
    async () => ({ ...DONE, body: { deletedCount: 1 } }),
    1,
  ),
  responseBug(
    "a bid is reported as refused, but counts",
    /nothing explains (bid|read|list-bids)/,
    isBid,
    async (call, send) => {
      const outcome = await send(call);
      return outcome.status === 200 ? { ...outcome, status: 409, body: { code: "task-not-open" } } : outcome;
    },
  ),
  responseBug(
    "a bid is written after its response said that it was not",
    /nothing explains (bid|read|list-bids)/,
    isBid,
    async (call, send) => {
      void sleep(SOON_MS).then(() => send(call));
      return UNDONE;
    },
  ),
  responseBug(
    "a task is written after its response said that it was not",
    /unknownTasks/,
    (call) => isPost(call) && !call.headers?.["idempotency-key"],
    async (call, send) => {
      void sleep(SOON_MS).then(() => send(call));
      return UNDONE;
    },
  ),
  responseBug("a task cannot be read", /GET \/tasks\/:id got 500/, isPage, async () => ({
    ...DONE,
    status: 500,
    body: { code: "internal-error" },
  })),
  staleRead("an owner reads a stale list of bids", /nothing explains list-bids/, isBidList, 0),
  staleRead(
    "a signed-in person reads a stale task",
    /nothing explains read/,
    (call) => isPage(call) && call.token !== undefined,
    0,
  ),
  staleRead(
    "a visitor reads a task that is too stale",
    /nothing explains read/,
    (call) => isPage(call) && call.token === undefined,
    LONG_MS,
  ),
  eventBug("an event is lost", /was not notified live of/, "notification", () => undefined),
  eventBug("somebody is notified twice", /is not stored/, "notification", (event, receive) => {
    receive(event);
    if (event.name === "notification")
      receive({ ...event, data: { ...event.data, _id: `${event.data._id} again` } });
  }),
  ...MESSAGE_BUGS,
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

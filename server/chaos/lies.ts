import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./balancer.ts";
import { MESSAGE_LIES } from "./conversations/message-lies.ts";
import { codeOf, DONE, type Lie, lie, live, stale } from "./lie-kinds.ts";

/** Longer than anything may be out of date. */
const LONG_MS = 4_000;

export const LIES: readonly Lie[] = [
  lie(
    "a second award is acknowledged",
    isAward,
    async (call, send) => {
      const outcome = await send(call);
      return codeOf(outcome) === "wrong-state" ? DONE : outcome;
    },
    1,
  ),
  lie("a count is off by one", isPage, async (call, send) => {
    const outcome = await send(call);
    const { bidsCount } = outcome.body as { bidsCount?: number };
    return bidsCount === undefined
      ? outcome
      : { ...outcome, body: { ...(outcome.body as object), bidsCount: bidsCount + 1 } };
  }),
  lie(
    "an edit is lost",
    ({ method }) => method === "PUT",
    async () => DONE,
  ),
  lie("a bid is lost", isBid, async () => DONE),
  lie("a withdrawal is lost", isWithdrawal, async () => ({ ...DONE, body: { deletedCount: 1 } }), 1),
  lie("a bid counts that was refused", isBid, async (call, send) => {
    const outcome = await send(call);
    return outcome.status === 200 ? { ...outcome, status: 409, body: { code: "task-not-open" } } : outcome;
  }),
  lie("a bid is written after its request was told that it was not", isBid, async (call, send) => {
    void sleep(1_500).then(() => send(call));
    return { ...DONE, status: 503, body: { code: "unavailable" } };
  }),
  stale("an owner reads their bids as they were", (call) => call.path.includes("/bids?"), 0),
  stale("somebody signed in reads a task as it was", (call) => isPage(call) && call.token !== undefined, 0),
  stale(
    "a visitor reads a task as it was long ago",
    (call) => isPage(call) && call.token === undefined,
    LONG_MS,
  ),
  live("an event is lost", "notification", () => undefined),
  live("somebody is told twice", "notification", (event, receive) => {
    receive(event);
    if (event.name === "notification")
      receive({ ...event, data: { ...event.data, _id: `${event.data._id} again` } });
  }),
  ...MESSAGE_LIES,
];

function isAward({ path }: Call): boolean {
  return path.endsWith("/award");
}
function isBid({ method, path }: Call): boolean {
  return method === "PATCH" && path.endsWith("/bid");
}
function isWithdrawal({ method, path }: Call): boolean {
  return method === "DELETE" && path.endsWith("/bid");
}
function isPage({ method, path }: Call): boolean {
  return method === "GET" && /^\/tasks\/[0-9a-f]+$/.test(path);
}

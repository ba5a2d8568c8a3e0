import { setTimeout as sleep } from "node:timers/promises";
import type { Balancer, Call, Outcome } from "./balancer.ts";
import type { Deliver } from "./listeners.ts";

/**
 * A bug that a product like this could have, played by whoever passes requests on: so the judgement is tested, and the
 * product has no code for it.
 */
export type Lie = { name: string; between(balancer: Balancer): Balancer; deliver: Deliver };

type Send = Balancer["send"];

const NOTHING: Deliver = (notification, receive) => receive(notification);
export const TRUTH: Lie = { name: "nothing", between: (balancer) => balancer, deliver: NOTHING };

const DONE: Outcome = { status: 200, body: { modifiedCount: 1 }, retryAfterS: 0, ms: 1 };
/** Longer than anything may be out of date. */
const LONG_MS = 4_000;

/** One in so many requests that it concerns, unless said otherwise. */
const RATE = 4;

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
  {
    ...TRUTH,
    name: "an event is lost",
    deliver: sometimes((_notification, _receive) => undefined),
  },
  {
    ...TRUTH,
    name: "somebody is told twice",
    deliver: sometimes((notification, receive) => {
      receive(notification);
      receive({ ...notification, _id: `${notification._id} again` });
    }),
  },
];

function lie(
  name: string,
  concerns: (call: Call) => boolean,
  distort: (call: Call, send: Send) => Promise<Outcome>,
  rate = RATE,
): Lie {
  let met = 0;
  const between = ({ send }: Balancer): Balancer => ({
    send: (call) => {
      if (!concerns(call)) return send(call);
      met += 1;
      return met % rate === 0 ? distort(call, send) : send(call);
    },
  });
  return { ...TRUTH, name, between };
}

/** Some reads get what somebody was told before, at least so many milliseconds ago. */
function stale(name: string, concerns: (call: Call) => boolean, ageMs: number): Lie {
  const before = new Map<string, { at: number; outcome: Outcome }>();
  const between = ({ send }: Balancer): Balancer => ({
    async send(call) {
      if (!concerns(call)) return send(call);
      const kept = before.get(call.path);
      if (kept && performance.now() - kept.at >= ageMs) {
        before.delete(call.path);
        return kept.outcome;
      }
      const outcome = await send(call);
      if (!kept) before.set(call.path, { at: performance.now(), outcome });
      return outcome;
    },
  });
  return { ...TRUTH, name, between };
}

function sometimes(deliver: Deliver): Deliver {
  let met = 0;
  return (notification, receive) => {
    met += 1;
    if (met % RATE === 0) deliver(notification, receive);
    else receive(notification);
  };
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
function isPage({ method, path }: Call): boolean {
  return method === "GET" && /^\/tasks\/[0-9a-f]+$/.test(path);
}
function codeOf({ body }: Outcome): unknown {
  return (body as { code?: unknown }).code;
}

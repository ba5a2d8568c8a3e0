import type { Call } from "../lib/request.ts";
import type { Outcome, Send } from "./balancer.ts";

/*
 * Bugs that a product like this could have, planted where requests are passed on: a run with one of them must fail, or
 * the histories would find nothing.
 */

/** One in so many matching requests gets a wrong response. */
const RATE = 4;

const isBid = ({ method, path }: Call) => method === "PATCH" && path.endsWith("/bid");
const isMessages = ({ method, path }: Call) => method === "GET" && path.includes("/messages?");
const DONE: Outcome = { status: 200, body: { modifiedCount: 1 }, retryAfterS: 0, ms: 1 };

type Bug = [matches: (call: Call) => boolean, distort: (call: Call, send: Send) => Promise<Outcome>];
const BUGS: Record<string, Bug> = {
  /** An acknowledged bid is lost. */
  "lost-bid": [isBid, async () => DONE],
  /** A page of messages lacks the newest one. */
  "short-page": [
    isMessages,
    async (call, send) => {
      const outcome = await send(call);
      return outcome.status === 200 ? { ...outcome, body: (outcome.body as unknown[]).slice(1) } : outcome;
    },
  ],
};

/** Passes requests on, with a bug of this name. */
export function withBug(name: string, send: Send): Send {
  const [matches, distort] = BUGS[name] ?? [];
  if (!matches || !distort) throw new Error(`Use one of these bugs: ${Object.keys(BUGS).join(", ")}.`);
  let matched = 0;
  return (call) => (matches(call) && ++matched % RATE === 0 ? distort(call, send) : send(call));
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Balancer, Call, Outcome } from "./balancer.ts";

/**
 * A bug that a product like this could have. It is planted where requests are passed on, so that the histories are tested
 * without any code in the product.
 */
export type PlantedBug = {
  name: string;
  /** How often it has occurred so far. */
  occurrences(): number;
  intercept(balancer: Balancer): Balancer;
};

type Send = Balancer["send"];
/** One in so many matching requests is affected. */
const RATE = 4;
/** Sooner than any retry. */
const SOON_MS = 300;

/** Some of the matching requests get a wrong response. */
function bug(
  name: string,
  matches: (call: Call) => boolean,
  distort: (call: Call, send: Send) => Promise<Outcome>,
): PlantedBug {
  let matched = 0;
  let occurred = 0;
  const intercept = ({ send }: Balancer): Balancer => ({
    send(call) {
      if (!matches(call) || ++matched % RATE !== 0) return send(call);
      occurred += 1;
      return distort(call, send);
    },
  });
  return { name, occurrences: () => occurred, intercept };
}

const isBid = ({ method, path }: Call) => method === "PATCH" && path.endsWith("/bid");
const isMessages = ({ method, path }: Call) => method === "GET" && path.includes("/messages?");

export const PLANTED_BUGS: readonly PlantedBug[] = [
  bug("an acknowledged bid is lost", isBid, async () => ({
    ...{ status: 200, body: { modifiedCount: 1 }, retryAfterS: 0, ms: 1 },
  })),
  bug("a bid is written after its response said that it was not", isBid, async (call, send) => {
    void sleep(SOON_MS).then(() => send(call));
    return { status: 503, body: { code: "unavailable" }, retryAfterS: 0, ms: 1 };
  }),
  bug("a page of messages lacks the newest one", isMessages, async (call, send) => {
    const outcome = await send(call);
    return outcome.status === 200 ? { ...outcome, body: (outcome.body as unknown[]).slice(1) } : outcome;
  }),
];

import type { Balancer, Call, Outcome } from "./balancer.ts";
import type { DeliverMail } from "./conversations/mailbox.ts";
import type { CrowdSize } from "./crowd.ts";
import type { Deliver, LiveEvent } from "./listeners.ts";

/**
 * A bug that a product like this could have. It is planted where requests, events and emails are passed on, so that the
 * checks are tested without any code in the product.
 */
export type PlantedBug = {
  name: string;
  /** The problem it must be reported as; a slow machine may cause others. */
  expectedProblem: RegExp;
  /** How often it has occurred so far. */
  occurrences(): number;
  intercept(balancer: Balancer): Balancer;
  deliver: Deliver;
  deliverMail: DeliverMail;
  /** How many people it takes to find it, if not the usual crowd. */
  crowd?: Partial<CrowdSize>;
};

type Send = Balancer["send"];

export const NO_BUG: PlantedBug = {
  name: "no bug",
  expectedProblem: /./,
  occurrences: () => Number.POSITIVE_INFINITY,
  intercept: (balancer) => balancer,
  deliver: (event, receive) => receive(event),
  deliverMail: (email) => [email],
};

export const DONE: Outcome = { status: 200, body: { modifiedCount: 1 }, retryAfterS: 0, ms: 1 };
export const UNDONE: Outcome = { status: 503, body: { code: "unavailable" }, retryAfterS: 0, ms: 1 };

/** By default one in so many matching requests, events or emails is affected. */
const RATE = 4;

/** Some of the matching requests get a wrong response. */
export function responseBug(
  name: string,
  expectedProblem: RegExp,
  matches: (call: Call) => boolean,
  distort: (call: Call, send: Send) => Promise<Outcome>,
  rate = RATE,
): PlantedBug {
  let matched = 0;
  let occurred = 0;
  const intercept = ({ send }: Balancer): Balancer => ({
    async send(call) {
      if (!matches(call)) return send(call);
      matched += 1;
      if (matched % rate !== 0) return send(call);
      const real: Outcome[] = [];
      const outcome = await distort(call, async (each) => {
        const one = await send(each);
        real.push(one);
        return one;
      });
      if (real.length !== 1 || real[0] !== outcome) occurred += 1;
      return outcome;
    },
  });
  return { ...NO_BUG, name, expectedProblem, occurrences: () => occurred, intercept };
}

/**
 * Some reads get an earlier response that is at least `ageMs` old.
 * @param keyOf groups the calls that would have got the same response.
 */
export function staleRead(
  name: string,
  expectedProblem: RegExp,
  matches: (call: Call) => boolean,
  ageMs: number,
  keyOf: (call: Call) => string = ({ path }) => path,
): PlantedBug {
  const before = new Map<string, { at: number; outcome: Outcome }>();
  let occurred = 0;
  const intercept = ({ send }: Balancer): Balancer => ({
    async send(call) {
      if (!matches(call)) return send(call);
      const key = keyOf(call);
      const kept = before.get(key);
      if (kept && performance.now() - kept.at >= ageMs) {
        before.delete(key);
        occurred += 1;
        return kept.outcome;
      }
      const outcome = await send(call);
      if (!kept) before.set(key, { at: performance.now(), outcome });
      return outcome;
    },
  });
  return { ...NO_BUG, name, expectedProblem, occurrences: () => occurred, intercept };
}

/** Some events of this name are delivered wrongly. */
export function eventBug(
  name: string,
  expectedProblem: RegExp,
  matches: LiveEvent["name"],
  deliver: Deliver,
  rate = RATE,
): PlantedBug {
  let matched = 0;
  return {
    ...NO_BUG,
    name,
    expectedProblem,
    occurrences: () => Math.floor(matched / rate),
    deliver(event, receive) {
      if (event.name !== matches) return receive(event);
      matched += 1;
      if (matched % rate === 0) deliver(event, receive);
      else receive(event);
    },
  };
}

/** Some emails are delivered `times` times. */
export function emailBug(name: string, expectedProblem: RegExp, times: number): PlantedBug {
  const deliverMail: DeliverMail = (email, index) =>
    index % RATE === 0 ? Array(times).fill(email) : [email];
  return { ...NO_BUG, name, expectedProblem, deliverMail };
}

export function codeOf({ body }: Outcome): unknown {
  return (body as { code?: unknown } | undefined)?.code;
}

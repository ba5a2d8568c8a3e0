import type { Balancer, Call, Outcome } from "./balancer.ts";
import type { HandOut } from "./conversations/mailbox.ts";
import type { CrowdSize } from "./crowd.ts";
import type { Deliver, LiveEvent } from "./listeners.ts";

/**
 * A bug that a product like this could have, played by whoever passes requests, events and emails on: so the judgement is
 * tested, and the product has no code for it.
 */
export type Lie = {
  name: string;
  /** The problem that it must lead to: others may come of a slow machine. */
  noticed: RegExp;
  /** How often it was told so far. */
  told(): number;
  between(balancer: Balancer): Balancer;
  deliver: Deliver;
  handOut: HandOut;
  /** How many people it takes to be found, if not as many as a run has. */
  crowd?: Partial<CrowdSize>;
};

type Send = Balancer["send"];

export const TRUTH: Lie = {
  name: "nothing",
  noticed: /./,
  told: () => Number.POSITIVE_INFINITY,
  between: (balancer) => balancer,
  deliver: (event, receive) => receive(event),
  handOut: (letter) => [letter],
};

export const DONE: Outcome = { status: 200, body: { modifiedCount: 1 }, retryAfterS: 0, ms: 1 };
export const UNDONE: Outcome = { status: 503, body: { code: "unavailable" }, retryAfterS: 0, ms: 1 };

/** One in so many that it concerns, unless said otherwise. */
const RATE = 4;

/** Some of the requests that it concerns get another response. */
export function lie(
  name: string,
  noticed: RegExp,
  concerns: (call: Call) => boolean,
  distort: (call: Call, send: Send) => Promise<Outcome>,
  rate = RATE,
): Lie {
  let met = 0;
  let told = 0;
  const between = ({ send }: Balancer): Balancer => ({
    async send(call) {
      if (!concerns(call)) return send(call);
      met += 1;
      if (met % rate !== 0) return send(call);
      const real: Outcome[] = [];
      const outcome = await distort(call, async (each) => {
        const one = await send(each);
        real.push(one);
        return one;
      });
      if (real.length !== 1 || real[0] !== outcome) told += 1;
      return outcome;
    },
  });
  return { ...TRUTH, name, noticed, told: () => told, between };
}

/**
 * Some reads get what somebody was told before, at least so many milliseconds ago.
 * @param keyOf the same for all who would have got the same.
 */
export function stale(
  name: string,
  noticed: RegExp,
  concerns: (call: Call) => boolean,
  ageMs: number,
  keyOf: (call: Call) => string = ({ path }) => path,
): Lie {
  const before = new Map<string, { at: number; outcome: Outcome }>();
  let told = 0;
  const between = ({ send }: Balancer): Balancer => ({
    async send(call) {
      if (!concerns(call)) return send(call);
      const key = keyOf(call);
      const kept = before.get(key);
      if (kept && performance.now() - kept.at >= ageMs) {
        before.delete(key);
        told += 1;
        return kept.outcome;
      }
      const outcome = await send(call);
      if (!kept) before.set(key, { at: performance.now(), outcome });
      return outcome;
    },
  });
  return { ...TRUTH, name, noticed, told: () => told, between };
}

/** Some events of this name are delivered in another way. */
export function live(
  name: string,
  noticed: RegExp,
  concerns: LiveEvent["name"],
  deliver: Deliver,
  rate = RATE,
): Lie {
  let met = 0;
  return {
    ...TRUTH,
    name,
    noticed,
    told: () => Math.floor(met / rate),
    deliver(event, receive) {
      if (event.name !== concerns) return receive(event);
      met += 1;
      if (met % rate === 0) deliver(event, receive);
      else receive(event);
    },
  };
}

/** Some emails are handed out so many times. */
export function mailed(name: string, noticed: RegExp, times: number): Lie {
  const handOut: HandOut = (letter, index) => (index % RATE === 0 ? Array(times).fill(letter) : [letter]);
  return { ...TRUTH, name, noticed, handOut };
}

export function codeOf({ body }: Outcome): unknown {
  return (body as { code?: unknown } | undefined)?.code;
}

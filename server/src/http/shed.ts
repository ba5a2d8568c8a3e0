import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { RequestHandler } from "express";
import { turnAway } from "./turn-away.ts";

/** Turns requests away while there are more than can be served. */
export type Shedder = {
  handler: RequestHandler;
  /** Requests that are being answered now. */
  inFlight(): number;
  /** Those that are exempt and open: event streams, but for a probe now and then. */
  exempt(): number;
  /** How many were turned away. */
  shed(): number;
  /** Would a request be turned away now, or was one within the last second? */
  overloaded(): boolean;
  close(): void;
};

type Limits = {
  /** More requests than this are never answered at the same time: each holds memory until it is done. */
  mostInFlight: number;
  /** With more than this many requests, a slow event loop sheds too. */
  manyInFlight: number;
  /** Mean delay of the event loop from which it counts as slow, in milliseconds. */
  slowLoopMs: number;
};

/**
 * What one process on one core serves within about half a second: pages of tasks come at some 1,500 a second, bids at 300.
 * Those who come later would wait for longer than they want to, and so would everybody after them.
 */
const LIMITS: Limits = { mostInFlight: 300, manyInFlight: 50, slowLoopMs: 400 };
const LOOK_EVERY_MS = 500;
const OVERLOADED = {
  code: "unavailable",
  detail: "There are too many requests at the moment, please try again shortly.",
  retryAfterS: 2,
} as const;
/** A balancer asks now and then: what happened since it asked last counts, too. */
const REMEMBER_MS = 1_000;
const RESOLUTION_MS = 20;

/**
 * Sheds load with 503 and `Retry-After` before anything is done for a request. Two signs: too many requests in flight, or many of them and an event loop that comes round late. A slow
 * machine alone sheds nothing: who is alone with it gets their answer.
 * @param options.exempt requests that are always let in, such as health checks, and those that are none but stay open.
 */
export function shedder(options: {
  exempt: (path: string) => boolean;
  onShed?: (count: number) => void;
  limits?: Partial<Limits>;
}): Shedder {
  const { exempt, onShed } = options;
  const { mostInFlight, manyInFlight, slowLoopMs } = { ...LIMITS, ...options.limits };
  const delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let lateMs = 0;
  let inFlight = 0;
  let exempted = 0;
  let shed = 0;
  let told = 0;
  let shedAt = Number.NEGATIVE_INFINITY;
  const isFull = () => inFlight >= mostInFlight || (inFlight >= manyInFlight && lateMs >= slowLoopMs);
  const look = setInterval(() => {
    // Nanoseconds, with the timer's own pause in them; NaN while nothing was measured.
    lateMs = Math.max(0, (delay.mean || 0) / 1e6 - RESOLUTION_MS);
    delay.reset();
    if (shed > told) onShed?.(shed - told);
    told = shed;
  }, LOOK_EVERY_MS).unref();

  return {
    handler: (request, response, next) => {
      if (exempt(request.path)) {
        exempted++;
        response.once("close", () => exempted--);
        return next();
      }
      if (isFull()) {
        shed++;
        shedAt = performance.now();
        turnAway(request, response, OVERLOADED);
        return;
      }
      inFlight++;
      response.once("close", () => inFlight--);
      next();
    },
    inFlight: () => inFlight,
    exempt: () => exempted,
    shed: () => shed,
    overloaded: () => isFull() || performance.now() - shedAt < REMEMBER_MS,
    close() {
      clearInterval(look);
      delay.disable();
    },
  };
}

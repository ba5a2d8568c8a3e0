import { randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request, RequestHandler, Response } from "express";
import { ProblemError, sendProblem } from "./problem.ts";
import { rateLimit } from "./rate-limit.ts";
import { declaresBody } from "./request-input.ts";
import { addressKey, costOf } from "./request-limits.ts";

/** Turns requests away while there are more than can be served. */
export type LoadShedder = {
  handler: RequestHandler;
  /** Requests under way. */
  inFlight(): number;
  /** Those of them that are whole lists. */
  lists(): number;
  /** Those that are exempt and open: event streams, but for a probe now and then. */
  exempt(): number;
  /** How many were turned away since the start. */
  shed(): number;
  /** Would a request be turned away now, or was one within the last second? */
  overloaded(): boolean;
  close(): void;
};

type Limits = {
  /** More requests than this are never under way at the same time: each holds memory until it is done. */
  maxInFlight: number;
  /** With more than this many requests, a slow event loop sheds too. */
  manyInFlight: number;
  /** Mean delay of the event loop from which it counts as slow, in milliseconds. */
  slowLoopMs: number;
  /** One address has at most so many requests in flight, so that it leaves some to others. */
  perAddress: number;
  /** Whole lists take as long as their readers like, and a megabyte each: at most so many at the same time, */
  lists: number;
  /** and so many of one address. */
  listsPerAddress: number;
};

/** What one process serves in a third of a second at some 1,000 uncached pages of tasks a second, or in a second and a half at 220 bids. */
const LIMITS: Limits = {
  maxInFlight: 300,
  manyInFlight: 50,
  slowLoopMs: 400,
  perAddress: 100,
  lists: 24,
  listsPerAddress: 8,
};
const CHECK_MS = 500;
const RETRY_AFTER = { "Retry-After": "2" };
const REFUSALS = {
  overload: new ProblemError("unavailable", {
    detail: "There are too many requests at the moment, please try again shortly.",
    headers: RETRY_AFTER,
  }),
  lists: new ProblemError("unavailable", {
    detail: "Too many whole lists are being read at the moment: ask for pages (limit), or try again shortly.",
    headers: RETRY_AFTER,
  }),
  address: new ProblemError("too-many-requests", {
    detail: "Your network has too many requests under way at the same time, please try again shortly.",
    headers: RETRY_AFTER,
  }),
};
type Refusal = keyof typeof REFUSALS;
/** A balancer asks now and then: overload since its last check counts, too. */
const OVERLOADED_MS = 1_000;
const RESOLUTION_MS = 20;

/**
 * Sheds load with 503 and `Retry-After` before anything is done for a request. Two signs: too many requests in flight, or
 * many of them and a slow event loop. A slow machine alone sheds nothing. Whole lists, and the requests of one address, have
 * limits of their own within that; behind a proxy the address is the one that `trust proxy` leads to.
 */
export function createLoadShedder(options: {
  onShed?: (count: number) => void;
  limits?: Partial<Limits>;
}): LoadShedder {
  const { onShed } = options;
  const { maxInFlight, manyInFlight, slowLoopMs, ...most } = { ...LIMITS, ...options.limits };
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let lateMs = 0;
  const all = places();
  const lists = places();
  let exempted = 0;
  let shed = 0;
  let told = 0;
  let shedAt = Number.NEGATIVE_INFINITY;
  const isFull = () => all.total() >= maxInFlight || (all.total() >= manyInFlight && lateMs >= slowLoopMs);

  function refusalOf(address: string, isList: boolean): Refusal | undefined {
    if (isFull()) return "overload";
    if (all.of(address) >= most.perAddress) return "address";
    if (!isList) return undefined;
    if (lists.of(address) >= most.listsPerAddress) return "address";
    return lists.total() >= most.lists ? "lists" : undefined;
  }

  const check = setInterval(() => {
    // Nanoseconds, with the timer's own pause in them; NaN while nothing was measured.
    lateMs = Math.max(0, (delay.mean || 0) / 1e6 - RESOLUTION_MS);
    delay.reset();
    if (shed > told) onShed?.(shed - told);
    told = shed;
  }, CHECK_MS).unref();

  return {
    handler: (request, response, next) => {
      if (PROBE.test(request.path) || EVENT_STREAM.test(request.path)) {
        exempted++;
        response.on("close", () => exempted--);
        return next();
      }
      const address = addressKey(request.ip);
      const isList = costOf(request) === "list";
      const refusal = refusalOf(address, isList);
      if (refusal) {
        if (refusal !== "address") shed++;
        if (refusal === "overload") shedAt = performance.now();
        turnAway(request, response, REFUSALS[refusal]);
        return;
      }
      const taken = isList ? [all, lists] : [all];
      for (const each of taken) each.take(address);
      response.on("close", () => {
        for (const each of taken) each.free(address);
      });
      next();
    },
    inFlight: all.total,
    lists: lists.total,
    exempt: () => exempted,
    shed: () => shed,
    overloaded: () => isFull() || performance.now() - shedAt < OVERLOADED_MS,
    close() {
      clearInterval(check);
      delay.disable();
    },
  };
}

/** Counts who holds how many places. */
function places() {
  const held = new Map<string, number>();
  let total = 0;
  const of = (key: string) => held.get(key) ?? 0;
  return {
    total: () => total,
    of,
    take(key: string): void {
      total++;
      held.set(key, of(key) + 1);
    },
    free(key: string): void {
      total--;
      if (of(key) > 1) held.set(key, of(key) - 1);
      else held.delete(key);
    },
  };
}

/** Refuses a request before anything is done for it: no token is looked at, no body read, no line logged. */
function turnAway(request: Request, response: Response, problem: ProblemError): void {
  const requestId = randomUUID();
  response.setHeader("X-Request-Id", requestId);
  // A body that is on its way is not read: then the connection ends with this response.
  if (declaresBody(request)) response.setHeader("Connection", "close");
  sendProblem(response, problem, requestId);
}

const PROBE = /^\/(?:health|ready)\/?$/i;
// Event streams stay open and do nothing.
const EVENT_STREAM = /^\/me\/events\/?$/i;

/** A balancer asks every second or so; many of them may share an address. */
const PROBES = { name: "probes", points: 300, windowS: 60 } as const;
const REFUSED_AFTER_MS = 1_000;

/**
 * Limits health checks for each address, in memory. They are exempt from load shedding, so a loop of them would take time
 * from everybody: whoever is over the limit waits a second for the refusal.
 */
export function probeLimit({ points = PROBES.points }: { points?: number } = {}): RequestHandler {
  const limit = rateLimit({ ...PROBES, points });
  const handle: RequestHandler = async (request, response, next) => {
    const { allowed, msLeft } = await limit.consume(addressKey(request.ip));
    if (allowed) return next();
    await sleep(REFUSED_AFTER_MS);
    const retryAfterS = Math.max(1, Math.ceil(msLeft / 1_000));
    const detail = `These are too many health checks, please try again in ${retryAfterS} s.`;
    const headers = { "Retry-After": String(retryAfterS) };
    turnAway(request, response, new ProblemError("too-many-requests", { detail, headers }));
  };
  return (request, response, next) => (PROBE.test(request.path) ? handle(request, response, next) : next());
}

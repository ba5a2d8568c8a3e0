import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Request, RequestHandler, Response } from "express";
import { ProblemError } from "../domain/problem-error.ts";
import { addressKey } from "./connections.ts";
import { sendProblem } from "./problem.ts";
import { costOf, localLimit } from "./rate-limit.ts";
import { declaresBody } from "./request-input.ts";

/** Rejects requests while there are more than can be served. */
export type LoadShedder = {
  handler: RequestHandler;
  /** The number of requests in flight, without exempt ones. */
  inFlight(): number;
  /** The number of requests in flight for whole lists. */
  lists(): number;
  /** The number of open requests that are exempt: event streams and the occasional health check. */
  exempt(): number;
  /** How many requests were rejected since the start. */
  shed(): number;
  /** Whether a request would be rejected now, or was within the last second. */
  overloaded(): boolean;
  close(): void;
};

type Limits = {
  /** The maximum number of requests being worked on, and of responses waiting for their readers: both hold memory. */
  maxInFlight: number;
  /** The maximum number of requests in flight for one address, so that others can be served. */
  perAddress: number;
  /** The maximum number of whole lists in flight: each takes a megabyte, for as long as its client reads. */
  lists: number;
  /** The maximum number of whole lists in flight for one address. */
  listsPerAddress: number;
};

/** 300 requests take a third of a second at 1,000 uncached pages of tasks a second, or 0.6 s at 480 bids a second. */
const LIMITS: Limits = {
  maxInFlight: 300,
  perAddress: 100,
  lists: 24,
  listsPerAddress: 4,
};

/** `stalled` counts the checks since the client last took a part of the response; `sent` is what it had taken then. */
type InFlight = {
  response: Response;
  address: string;
  isList: boolean;
  sent: number;
  stalled: number;
};

/** A client that takes no part of its response for this many checks, half a second to a second, makes way for others. */
const STALLED_CHECKS = 2;
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
    detail: "Your network has too many requests in progress, please try again shortly.",
    headers: RETRY_AFTER,
  }),
};
type Refusal = keyof typeof REFUSALS;
/** A load balancer polls rarely, so overload within the last second counts too. */
const OVERLOADED_MS = 1_000;

/**
 * Sheds load with 503 and `Retry-After` before any work is done for a request: when too many requests are being worked
 * on. A response that waits for its client to read is no work: when there are too many, one of the address that has most
 * is cut off. Whole lists and the requests of
 * one address have lower limits, within which a client that has stopped reading makes way for the next request, and an
 * address that reads several whole lists for one that reads fewer. Behind a proxy the address is determined by `trust proxy`.
 */
export function createLoadShedder(options: {
  onShed?: (count: number) => void;
  limits?: Partial<Limits>;
  /** Origins whose pages may call the API: they have to be able to read the refusal. */
  corsOrigins?: readonly string[];
}): LoadShedder {
  const { onShed, corsOrigins = [] } = options;
  const { maxInFlight, ...max } = { ...LIMITS, ...options.limits };
  const inFlight = new Set<InFlight>();
  let exempted = 0;
  let shed = 0;
  let reported = 0;
  let shedAt = Number.NEGATIVE_INFINITY;

  const countOf = (has: (each: InFlight) => boolean) => {
    let count = 0;
    for (const each of inFlight) if (has(each)) count++;
    return count;
  };
  const isFull = () => countOf((each) => !isUnread(each)) >= maxInFlight;

  function refusalFor({ address, isList }: InFlight): Refusal | undefined {
    const own = (each: InFlight) => each.address === address;
    const list = (each: InFlight) => each.isList;
    const ownList = (each: InFlight) => own(each) && list(each);
    if (isFull()) return "overload";
    if (countOf(own) >= max.perAddress && !cutStalled(own)) return "address";
    if (isList && countOf(ownList) >= max.listsPerAddress && !cutStalled(ownList)) return "address";
    if (isList && countOf(list) >= max.lists && !cutStalled(list) && !cutMost(list, countOf(ownList) + 1))
      return "lists";
    if (countOf(isUnread) >= maxInFlight) cutMost(isUnread);
    return undefined;
  }

  /** Cuts off the client that has stopped reading for longest. @returns false if there is none. */
  function cutStalled(has: (each: InFlight) => boolean): boolean {
    const stalled = [...inFlight].filter(
      (each) => each.stalled >= STALLED_CHECKS && isUnread(each) && has(each),
    );
    return cut(stalled.sort((a, b) => b.stalled - a.stalled)[0]);
  }

  /** Cuts off one of the address that has most of these, if it has more than `share`. @returns whether it has. */
  function cutMost(has: (each: InFlight) => boolean, share = 0): boolean {
    const found = [...inFlight].filter(has);
    const counts = new Map<string, number>();
    for (const { address } of found) counts.set(address, (counts.get(address) ?? 0) + 1);
    const countFor = ({ address }: InFlight) => counts.get(address) ?? 0;
    return cut(
      found
        .filter((each) => countFor(each) > share)
        .sort((a, b) => countFor(b) - countFor(a) || b.stalled - a.stalled)[0],
    );
  }

  function cut(found: InFlight | undefined): boolean {
    if (!found) return false;
    inFlight.delete(found);
    found.response.destroy();
    return true;
  }

  const check = setInterval(() => {
    for (const each of inFlight) {
      const sent = bytesTaken(each);
      each.stalled = sent === each.sent && isUnread(each) ? each.stalled + 1 : 0;
      each.sent = sent;
    }
    if (shed > reported) onShed?.(shed - reported);
    reported = shed;
  }, CHECK_MS).unref();

  return {
    handler: (request, response, next) => {
      if (PROBE.test(request.path) || EVENT_STREAM.test(request.path)) {
        exempted++;
        response.on("close", () => exempted--);
        return next();
      }
      // A preflight costs nothing, and a refused one would look like a lost connection.
      if (request.method === "OPTIONS") return next();
      const isList = costOf(request) === "list";
      const arriving: InFlight = { response, address: addressKey(request.ip), isList, sent: -1, stalled: 0 };
      const refusal = refusalFor(arriving);
      if (refusal) {
        if (refusal !== "address") shed++;
        if (refusal === "overload") shedAt = performance.now();
        allowToRead(request, response, corsOrigins);
        refuse(request, response, REFUSALS[refusal]);
        return;
      }
      inFlight.add(arriving);
      let isClosed = false;
      const leave = () => {
        if (isClosed && !WORKING.has(response)) inFlight.delete(arriving);
      };
      response.on(WORK_ENDED, leave).on("close", () => {
        isClosed = true;
        leave();
      });
      next();
    },
    inFlight: () => inFlight.size,
    lists: () => countOf(({ isList }) => isList),
    exempt: () => exempted,
    shed: () => shed,
    overloaded: () => isFull() || performance.now() - shedAt < OVERLOADED_MS,
    close: () => clearInterval(check),
  };
}

const WORKING = new WeakSet<Response>();
const WORK_ENDED = "work ended";

/** Counts a request as in flight until its work has ended, even if its client has disconnected before. */
export async function countWork(response: Response, work: () => Promise<void>): Promise<void> {
  WORKING.add(response);
  try {
    await work();
  } finally {
    WORKING.delete(response);
    response.emit(WORK_ENDED);
  }
}

/** Whether the response waits for its client to read what has been sent so far. */
function isUnread({ response }: InFlight): boolean {
  return response.writableLength > 0;
}

/** Node counts whole chunks only. */
function bytesTaken({ response: { socket } }: InFlight): number {
  return socket ? socket.bytesWritten - socket.writableLength : 0;
}

/** Refuses a request without spending work on it: the token is not checked, the body not read, nothing logged. */
function refuse(request: Request, response: Response, problem: ProblemError): void {
  const requestId = randomUUID();
  response.setHeader("X-Request-Id", requestId);
  // The rest of the body will not be read, so the connection has to end with this response.
  if (declaresBody(request)) response.setHeader("Connection", "close");
  sendProblem(response, problem, requestId);
}

/** Sets the CORS headers of a refusal, which is sent before `responseHeaders` runs. */
function allowToRead({ headers: { origin } }: Request, response: Response, origins: readonly string[]): void {
  response.setHeader("Vary", "Origin");
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
}

const PROBE = /^\/(?:health|ready)\/?$/i;
// Event streams stay open but cost next to nothing.
const EVENT_STREAM = /^\/me\/events\/?$/i;

/** Per minute: a load balancer polls about once a second, and several of them may share an address. */
const PROBES = 300;
const REFUSAL_DELAY_MS = 1_000;

/**
 * Limits health checks per address, in memory. They are exempt from load shedding, so a client that loops could slow
 * down everybody else; above the limit it waits a second for each 429.
 */
export function probeLimit({ points = PROBES }: { points?: number } = {}): RequestHandler {
  const limit = localLimit("probes", points);
  const handle: RequestHandler = async (request, response, next) => {
    const { allowed, msLeft } = await limit.consume(addressKey(request.ip));
    if (allowed) return next();
    await sleep(REFUSAL_DELAY_MS);
    const retryAfterS = Math.max(1, Math.ceil(msLeft / 1_000));
    const detail = `There were too many health checks, please try again in ${retryAfterS} s.`;
    const headers = { "Retry-After": String(retryAfterS) };
    refuse(request, response, new ProblemError("too-many-requests", { detail, headers }));
  };
  return (request, response, next) => (PROBE.test(request.path) ? handle(request, response, next) : next());
}

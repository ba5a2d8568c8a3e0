import { setTimeout as sleep } from "node:timers/promises";
import { type RequestHandler, Router } from "express";
import type { Health, Readiness } from "../contract/index.ts";
import { addressKey } from "./limits/address-key.ts";
import { rateLimit } from "./limits/rate-limit.ts";
import { turnAway } from "./turn-away.ts";

/** A reason for which requests would be refused at the moment; `name` stands in the response of `/ready`. */
export type ReadinessCheck = { name: string; isReady: () => boolean };

const PING_TIMEOUT_MS = 2_000;
const PING_CACHED_MS = 500;

/**
 * `GET /health`: the process lives; nothing else is asked, so that no supervisor restarts instances because their database
 * is away. `GET /ready`: 200 while requests can be served, 503 otherwise, in about two seconds at most, and from the first
 * moment of stopping on; it names what fails.
 * @param options.ping resolves if the database can be written to.
 * @param options.checks what else has to be in order.
 * @param options.isStopping true once this process is on its way out.
 */
export function healthRoutes({
  ping,
  checks = [],
  isStopping,
}: {
  ping: () => Promise<void>;
  checks?: readonly ReadinessCheck[] | undefined;
  isStopping: () => boolean;
}): RequestHandler {
  const router = Router();
  const databaseIsUp = cachedFor(PING_CACHED_MS, () => succeeds(ping));

  router.get("/health", (_request, response) => {
    const health: Health = { status: "ok" };
    response.set("Cache-Control", "no-store").json(health);
  });

  router.get("/ready", async (_request, response) => {
    const isUp = await databaseIsUp();
    const failing = checks.flatMap(({ name, isReady }) => (isReady() ? [] : [name]));
    if (!isUp) failing.unshift("database");
    const status = isStopping() ? "stopping" : failing.length === 0 ? "ready" : "not-ready";
    const readiness: Readiness = { status, failing };
    response.status(status === "ready" ? 200 : 503).set("Cache-Control", "no-store");
    if (status !== "ready") response.set("Retry-After", "2");
    response.json(readiness);
  });

  return router;
}

/** Shares one result among all who ask while it is found out and for `ms` after that. */
function cachedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (last && performance.now() < last.until) return last.value;
    const asked = { value: ask(), until: Number.POSITIVE_INFINITY };
    last = asked;
    void asked.value.finally(() => {
      asked.until = performance.now() + ms;
    });
    return asked.value;
  };
}

async function succeeds(work: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PING_TIMEOUT_MS, false);
  });
  const result = work().then(
    () => true,
    () => false,
  );
  const succeeded = await Promise.race([result, timeout]);
  clearTimeout(timer);
  return succeeded;
}

/** A balancer asks every second or so; many of them may share an address. */
const PROBES = { name: "probes", points: 300, windowS: 60 } as const;
const REFUSED_AFTER_MS = 1_000;

/**
 * Limits health checks for each address, in memory. They are exempt from load shedding, so a loop of them would take time
 * from everybody: whoever is over the limit waits a second for the refusal.
 */
export function probeLimit({ points = PROBES.points }: { points?: number } = {}): RequestHandler {
  const limit = rateLimit({ ...PROBES, points });
  return async (request, response, next) => {
    if (!isProbe(request.path)) return next();
    const { allowed, msLeft } = await limit.take(addressKey(request.ip));
    if (allowed) return next();
    await sleep(REFUSED_AFTER_MS);
    const retryAfterS = Math.max(1, Math.ceil(msLeft / 1_000));
    const detail = `These are too many health checks, please try again in ${retryAfterS} s.`;
    turnAway(request, response, { code: "too-many-requests", detail, retryAfterS });
  };
}

/** Is this path a health check? */
export function isProbe(path: string): boolean {
  return /^\/(?:health|ready)\/?$/i.test(path);
}

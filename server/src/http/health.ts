import { setTimeout as sleep } from "node:timers/promises";
import { serviceEndpoints } from "../contract/endpoints/service.ts";
import type { Readiness } from "../contract/index.ts";
import type { Api } from "./mount.ts";

/** A reason for which requests would be refused at the moment; `name` stands in the response of `/ready`. */
export type ReadinessCheck = { name: string; isReady: () => boolean };

const PING_TIMEOUT_MS = 2_000;
const PING_CACHED_MS = 500;

type Options = {
  /** Resolves if the database can be written to. */
  ping: () => Promise<void>;
  /** What else has to be in order. */
  checks?: readonly ReadinessCheck[] | undefined;
  isStopping: () => boolean;
};

/**
 * `GET /health`: the process lives; nothing else is checked, so that no supervisor restarts instances because their
 * database is away. `GET /ready`: 200 while requests can be served, 503 otherwise and as soon as this process begins to
 * stop, in about two seconds at most; it names what fails.
 */
export function mountHealth(api: Api, { ping, checks = [], isStopping }: Options): void {
  const databaseIsUp = cachedFor(PING_CACHED_MS, () => succeeds(ping));

  api.mount(serviceEndpoints.health, ({ response }) => {
    response.set("Cache-Control", "no-store");
    return { status: "ok" } as const;
  });

  api.mount(serviceEndpoints.readiness, async ({ response }) => {
    const isUp = await databaseIsUp();
    const failing = checks.flatMap(({ name, isReady }) => (isReady() ? [] : [name]));
    if (!isUp) failing.unshift("database");
    const status = isStopping() ? "stopping" : failing.length === 0 ? "ready" : "not-ready";
    response.set("Cache-Control", "no-store");
    if (status !== "ready") response.status(503).set("Retry-After", "2");
    return { status, failing } satisfies Readiness;
  });
}

/** Shares one result among all callers while it is on its way and for `ms` after that. */
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

function succeeds(work: () => Promise<void>): Promise<boolean> {
  const result = work().then(
    () => true,
    () => false,
  );
  return Promise.race([result, sleep(PING_TIMEOUT_MS, false, { ref: false })]);
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Readiness } from "../contract/index.ts";
import { serviceEndpoints } from "../contract/service.ts";
import type { Api } from "./mount.ts";

/** A condition for serving requests; `/ready` lists the `name` of each that fails. */
export type ReadinessCheck = { name: string; isReady: () => boolean };

const PING_TIMEOUT_MS = 2_000;
const PING_CACHED_MS = 500;
// Reads go on without the provider, so it does not decide whether an instance is ready.
const PROVIDER_CACHED_MS = 30_000;

type Options = {
  /** Resolves if the database is writable. */
  ping: () => Promise<void>;
  checks?: readonly ReadinessCheck[] | undefined;
  /** Resolves if the identity provider tells which sessions were revoked. Without it, it is not asked. */
  pingProvider?: (() => Promise<unknown>) | undefined;
  isStopping: () => boolean;
};

/**
 * `GET /health`: the process is alive. Nothing else is checked, so that supervisors do not restart instances because
 * the database is down. `GET /ready`: 200 while requests can be served, otherwise 503 with the checks that fail; also
 * 503 as soon as this process starts to shut down. It responds within about two seconds.
 */
export function mountHealth(api: Api, { ping, pingProvider, checks = [], isStopping }: Options): void {
  const databaseIsUp = cachedFor(PING_CACHED_MS, () => succeeds(ping));
  const writesAre = cachedFor(PROVIDER_CACHED_MS, async () =>
    pingProvider ? ((await succeeds(pingProvider)) ? "checked" : "unavailable") : "unchecked",
  );

  api.mount(serviceEndpoints.health, ({ response }) => {
    response.set("Cache-Control", "no-store");
    return { status: "ok" } as const;
  });

  api.mount(serviceEndpoints.readiness, async ({ response }) => {
    const [isUp, checked] = await Promise.all([databaseIsUp(), writesAre()]);
    const failing = checks.flatMap(({ name, isReady }) => (isReady() ? [] : [name]));
    if (!isUp) failing.unshift("database");
    const status = isStopping() ? "stopping" : failing.length === 0 ? "ready" : "not-ready";
    response.set("Cache-Control", "no-store");
    if (status !== "ready") response.status(503).set("Retry-After", "2");
    return { status, failing, writes: checked } satisfies Readiness;
  });
}

/** Shares one result among all callers while it is pending and for `ms` afterwards. */
function cachedFor<T>(ms: number, load: () => Promise<T>): () => Promise<T> {
  let last: { value: Promise<T>; until: number } | undefined;
  return () => {
    if (last && performance.now() < last.until) return last.value;
    const entry = { value: load(), until: Number.POSITIVE_INFINITY };
    last = entry;
    void entry.value.finally(() => {
      entry.until = performance.now() + ms;
    });
    return entry.value;
  };
}

function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  const result = work().then(
    () => true,
    () => false,
  );
  return Promise.race([result, sleep(PING_TIMEOUT_MS, false, { ref: false })]);
}

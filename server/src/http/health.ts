import { setTimeout as sleep } from "node:timers/promises";
import type { Readiness } from "../contract/index.ts";
import { serviceEndpoints } from "../contract/service.ts";
import { createReadCache } from "../db/read-cache.ts";
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
  const recentPing = createReadCache(PING_CACHED_MS);
  const recentProviderPing = createReadCache(PROVIDER_CACHED_MS);

  api.mount(serviceEndpoints, {
    health: ({ response }) => {
      response.set("Cache-Control", "no-store");
      return { status: "ok" } as const;
    },

    readiness: async ({ response }) => {
      const [isUp, isChecked] = await Promise.all([
        recentPing("database", () => succeeds(ping)),
        pingProvider && recentProviderPing("provider", () => succeeds(pingProvider)),
      ]);
      const failing = checks.flatMap(({ name, isReady }) => (isReady() ? [] : [name]));
      if (!isUp) failing.unshift("database");
      const status = isStopping() ? "stopping" : failing.length === 0 ? "ready" : "not-ready";
      response.set("Cache-Control", "no-store");
      if (status !== "ready") response.status(503).set("Retry-After", "2");
      const writes = pingProvider ? (isChecked ? "checked" : "unavailable") : "unchecked";
      return { status, failing, writes } satisfies Readiness;
    },
  });
}

function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  const result = work().then(
    () => true,
    () => false,
  );
  return Promise.race([result, sleep(PING_TIMEOUT_MS, false, { ref: false })]);
}

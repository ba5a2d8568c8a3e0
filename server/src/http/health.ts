import { serviceEndpoints } from "../contract/endpoints/service.ts";
import type { Readiness } from "../contract/index.ts";
import type { Api } from "./mount.ts";

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
export function mountHealth(
  api: Api,
  {
    ping,
    checks = [],
    isStopping,
  }: {
    ping: () => Promise<void>;
    checks?: readonly ReadinessCheck[] | undefined;
    isStopping: () => boolean;
  },
): void {
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

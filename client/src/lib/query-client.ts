import { QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import {
  type Api,
  type ApiResponse,
  type CallOptions,
  type EndpointKey,
  newIdempotencyKey,
  requestOf,
} from "./api.ts";
import { apiStatus } from "./api-status.ts";
import type { PageData } from "./page-data.ts";
import {
  type ApiProblem,
  isApiDown,
  isOutcomeUnknown,
  isOutdated,
  isPersonMissing,
  isRejected,
  isSessionOver,
  otherPersonProblem,
} from "./problem.ts";

/** How long cached data counts as fresh, in ms. */
const STALE_MS = 2_000;
/** How long the server keeps copies for visitors, with a second to spare, in ms. */
const COPY_MS = 2_000;
/** Waits before the second and third attempts, in ms. A longer `Retry-After` is respected up to `MAX_RETRY_WAIT_MS`. */
const RETRY_WAITS_MS = [300, 1_200];
const MAX_RETRY_WAIT_MS = 4_000;

/**
 * The query cache. Reads and writes (see {@link withMutations}) are retried if the API is down; once an outage is known
 * they fail at the first attempt, and {@link apiStatus} takes over.
 */
export function createQueryClient({ retryWaits = RETRY_WAITS_MS } = {}): QueryClient {
  const waitBefore = (failures: number, { retryAfter = 0 }: ApiProblem) =>
    Math.max(retryWaits[failures] ?? Number.POSITIVE_INFINITY, retryAfter * 1_000);
  const retryPolicy = {
    // Run calls even if the browser reports offline: they fail by themselves without a network.
    networkMode: "always",
    retry: (failures: number, error: Error) =>
      isOutcomeUnknown(error) &&
      !error.timedOut &&
      !apiStatus.outage() &&
      navigator.onLine &&
      waitBefore(failures, error) <= MAX_RETRY_WAIT_MS,
    // Jitter, so that rejected clients do not all retry at the same time.
    retryDelay: (failures: number, error: Error) =>
      waitBefore(failures, error as ApiProblem) * (1 + Math.random() / 4),
  } as const;
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: markUp,
      onError: (error) => isApiDown(error) && markDown(error),
    }),
    defaultOptions: {
      queries: {
        ...retryPolicy,
        staleTime: STALE_MS,
        // A failure stays on the page until the person retries or the API is back.
        retryOnMount: false,
        refetchOnReconnect: true,
        // Live events report changes, and refetching a long list would load it page by page.
        refetchOnWindowFocus: false,
      },
      mutations: { ...retryPolicy, gcTime: 0 },
    },
  });
  return queryClient;
}

/** The response may have been on its way when the browser went offline; then only a readiness check counts. */
function markUp(): void {
  if (navigator.onLine) apiStatus.markUp();
}

function markDown({ code, retryAfter }: ApiProblem): void {
  apiStatus.markDown(code === "offline" ? "connection" : "server", retryAfter);
}

/**
 * The API with writes run as mutations: retried with the same `Idempotency-Key`, so that they are carried out once,
 * even if somebody presses the button again after an unknown outcome. A write then invalidates what it may have changed:
 * visible queries are refetched, others when they are shown again.
 * @param uidNow who is signed in, if anybody.
 */
export function withMutations(
  api: Api,
  queryClient: QueryClient,
  uidNow: () => string | undefined = () => undefined,
): Api {
  /**
   * The last write to each path, until it succeeds or is rejected. After a different write, such as "resume" after
   * "pause", the first one needs a new key: with its old key the server would not carry it out again.
   */
  const pending = new Map<string, { request: string; key: string }>();
  /** Until then this person's writes are not in the copies that the server sends to visitors. */
  let freshUntil = 0;
  const call = api.call as (endpoint: EndpointKey, options: CallOptions) => Promise<ApiResponse<never>>;

  /** Reads what visitors read, but with the person's token. */
  const readFresh = (endpoint: EndpointKey, options: CallOptions) =>
    call(endpoint, { ...options, asVisitor: false }).catch((error: unknown) => {
      // They have logged out since.
      if (isSessionOver(error)) return call(endpoint, options);
      throw error;
    });

  return {
    async call(endpoint: EndpointKey, options: CallOptions) {
      const { method, path } = requestOf(endpoint, options);
      if (method === "GET") {
        if (!options.asVisitor) return call(endpoint, options);
        if (Date.now() < freshUntil) return readFresh(endpoint, options);
        return call(endpoint, options).catch((error: unknown) => {
          // Operators see suspended people, whom visitors do not.
          if (uidNow() && isPersonMissing(error)) return readFresh(endpoint, options);
          throw error;
        });
      }
      const { body, version, isRepeatable } = options;
      const request = JSON.stringify([method, path, version, body]);
      const last = pending.get(path);
      const pendingKey = last?.request === request ? last.key : undefined;
      const sameKey = isRepeatable ? undefined : (options.idempotencyKey ?? pendingKey);
      const key = sameKey ?? newIdempotencyKey();
      pending.set(path, { request, key });
      const forget = () => pending.get(path)?.key === key && pending.delete(path);
      const uid = uidNow();
      const mutationFn = async () => {
        // The retries of a hidden tab wait until it is shown, when somebody else may be signed in.
        if (uid && uid !== uidNow()) throw otherPersonProblem();
        return call(endpoint, { ...options, idempotencyKey: key });
      };
      try {
        const response = await queryClient
          .getMutationCache()
          .build(queryClient, { mutationFn })
          .execute(undefined);
        forget();
        markUp();
        if (options.keepsCache) return response;
        freshUntil = Date.now() + COPY_MS;
        await invalidate(queryClient, path);
        return response;
      } catch (error) {
        if (isRejected(error)) forget();
        // If the server responded, the form shows its message, and the connection is fine.
        else if (isApiDown(error) && error.code === "offline") markDown(error);
        // If the page is out of date, it is refreshed. Otherwise it stays as it is, since a refetch would most likely fail
        // the same way; but what is shown next is read again, as the write was perhaps carried out.
        await invalidate(queryClient, path, isOutdated(error) ? {} : { refetchType: "none" });
        throw error;
      }
    },
  };
}

/** What a write to a path may change, by the first part of the queries' keys; by default everything about tasks. */
const CHANGES: readonly (readonly [path: RegExp, keys: readonly string[]])[] = [
  [/^\/me\/searches/, ["saved-searches"]],
  [/^\/me\/conversations/, ["conversations", "messages", "me"]],
  [/^\/me\/notifications/, ["me"]],
  [/^\/me$|^\/me\/profile/, ["me", "people", "tasks"]],
  [/^\/(?:reports|operators|profiles)/, ["reports", "operators", "me", "people", "tasks"]],
];
const ABOUT_TASKS = [
  "tasks",
  "bids",
  "questions",
  "saved-tasks",
  "conversations",
  "people",
  "reports",
  "operators",
  "me",
];

async function invalidate(
  queryClient: QueryClient,
  path: string,
  options: { refetchType?: "none" } = {},
): Promise<void> {
  const keys = CHANGES.find(([pattern]) => pattern.test(path))?.[1] ?? ABOUT_TASKS;
  const isChanged = ({ queryKey: [first] }: { queryKey: QueryKey }) => keys.includes(String(first));
  // A read in progress must not bring back data from before the write.
  await queryClient.cancelQueries({ predicate: (query) => isChanged(query) && !query.isActive() });
  void queryClient.invalidateQueries({ predicate: isChanged, ...options });
}

/**
 * Marks queries as stale after an event, and refetches the visible ones. TanStack Query does not restart a query's first
 * fetch, and would drop the next page that is being fetched; either may have read before the event, so a refetch follows.
 */
export async function markStale(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  const running = queryClient
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: "fetching" })
    .filter(({ state }) => state.data === undefined || state.fetchMeta?.fetchMore);
  const settled = Promise.allSettled(running.map(({ promise }) => promise));
  await queryClient.invalidateQueries({ queryKey, predicate: (query) => !running.includes(query) });
  if (running.length === 0) return;
  await settled;
  await queryClient.invalidateQueries({ queryKey });
}

/**
 * Fills the cache with the data that the server embedded in the page. After a back/forward navigation the page may come
 * from the browser's cache, so its data counts as stale.
 */
export function fillCache(queryClient: QueryClient, queries: PageData["queries"]): void {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const updatedAt = visit?.type === "back_forward" ? 1 : Date.now();
  for (const [key, data] of queries) queryClient.setQueryData(key, data, { updatedAt });
}

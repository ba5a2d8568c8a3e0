import { QueryCache, QueryClient, type QueryKey } from "@tanstack/react-query";
import { type Api, type CallOptions, newIdempotencyKey } from "./api.ts";
import { apiStatus } from "./api-status.ts";
import { type ApiProblem, isAway, isOutcomeUnknown, isRefused } from "./problem.ts";

/** For so long what was read is shown again without asking what has changed, in ms. */
const STALE_MS = 2_000;
/** Waits before a second and a third try, in ms. A server that names a longer time is given it, up to a point. */
const RETRY_WAITS_MS = [300, 1_200];
const MAX_RETRY_WAIT_MS = 4_000;

/**
 * The cache of what was read from the API. Reads, and writes (see {@link withMutations}), are tried again where nothing
 * was served; once the API is known to be away they fail at the first try, and {@link apiStatus} sees to the rest.
 */
export function createQueryClient({ retryWaits = RETRY_WAITS_MS } = {}): QueryClient {
  const waitBefore = (failures: number, { retryAfter = 0 }: ApiProblem) =>
    Math.max(retryWaits[failures] ?? Number.POSITIVE_INFINITY, retryAfter * 1_000);
  const retryPolicy = {
    // Calls fail by themselves where there is no network.
    networkMode: "always",
    retry: (failures: number, error: Error) =>
      isOutcomeUnknown(error) &&
      !error.timedOut &&
      !apiStatus.outage() &&
      navigator.onLine &&
      waitBefore(failures, error) <= MAX_RETRY_WAIT_MS,
    // Spread out, so that not everybody who was turned away comes back at once.
    retryDelay: (failures: number, error: Error) =>
      waitBefore(failures, error as ApiProblem) * (1 + Math.random() / 4),
  } as const;
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onSuccess: apiStatus.markUp,
      onError: (error) => isAway(error) && markDown(error),
    }),
    defaultOptions: {
      queries: {
        ...retryPolicy,
        staleTime: STALE_MS,
        // A failure stays on the page until somebody tries again, or the API is back.
        retryOnMount: false,
        refetchOnReconnect: true,
        // Live events tell what changes meanwhile; a long list would be read page by page.
        refetchOnWindowFocus: false,
      },
      mutations: { ...retryPolicy, gcTime: 0 },
    },
  });
  return queryClient;
}

function markDown({ code, retryAfter }: ApiProblem): void {
  apiStatus.markDown(code === "offline" ? "connection" : "server", retryAfter);
}

/**
 * The API, its writes run as mutations: repeated with one `Idempotency-Key`, so that they happen once, also when
 * somebody presses the button again after a write that nobody knows the outcome of. Then the cache is out of date:
 * what is on the screen is read again, the rest is forgotten.
 */
export function withMutations(api: Api, queryClient: QueryClient): Api {
  /**
   * The last write to each path, until it is done or refused. After another one, such as "resume" after "pause", the first
   * is a new one again: with its old key the server would take it as done.
   */
  const pending = new Map<string, { request: string; key: string }>();

  return {
    async call<T>(path: string, options: CallOptions<T>) {
      const { method = "GET", body, headers } = options;
      if (method === "GET") return api.call(path, options);
      const request = JSON.stringify([method, path, headers, body]);
      const last = pending.get(path);
      const known = last?.request === request ? last.key : undefined;
      const key = headers?.["Idempotency-Key"] ?? known ?? newIdempotencyKey();
      pending.set(path, { request, key });
      const forget = () => pending.get(path)?.key === key && pending.delete(path);
      const mutationFn = () =>
        api.call(path, { ...options, headers: { ...headers, "Idempotency-Key": key } });
      try {
        const response = await queryClient
          .getMutationCache()
          .build(queryClient, { mutationFn })
          .execute(undefined);
        forget();
        apiStatus.markUp();
        if (!options.keepsCache) expire(queryClient);
        return response;
      } catch (error) {
        if (isRefused(error)) forget();
        // A form tells what the server said; the connection has carried it there and back.
        else if (isAway(error) && error.code === "offline") markDown(error);
        // The page stays as it is: reading again would most likely fail the same way.
        expire(queryClient, { refetchType: "none" });
        throw error;
      }
    },
  };
}

function expire(queryClient: QueryClient, options: { refetchType?: "none" } = {}): void {
  // Removed, and not only marked: a read on its way must not bring back what was before the write.
  // What somebody shows without reading it itself, such as the account menu, stays.
  queryClient.removeQueries({ predicate: (query) => query.getObserversCount() === 0 });
  void queryClient.invalidateQueries(options);
}

/**
 * Puts what the server has sent with the page (see src/prerender-html.ts) into the cache, as if it had just been read.
 * What comes out of the browser's own cache with the back button may be old: it is shown, and read again.
 */
export function takePageData(queryClient: QueryClient): void {
  const text = document.getElementById("page-data")?.textContent;
  if (!text) return;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const updatedAt = visit?.type === "back_forward" ? 1 : Date.now();
  for (const [key, data] of JSON.parse(text) as [QueryKey, unknown][])
    queryClient.setQueryData(key, data, { updatedAt });
}

import {
  CancelledError,
  type FetchQueryOptions,
  InfiniteQueryObserver,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  queryOptions,
  type UseSuspenseQueryOptions,
  useQueryClient,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { useEffect } from "react";
import { createContext, type RouterContextProvider, useRevalidator } from "react-router-dom";
import type { Api, ApiResponse, CallOptions, DataOf, EndpointKey, OptionsOf } from "./api.ts";
import { type Page, pageOf, shownCount } from "./pages.ts";
import { ApiProblem, isTemporary, isThrottled } from "./problem.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** What the queries of a client call; see {@link provideApi}. */
    queryMeta: { api: Api };
  }
}

/** Lets the queries of this client call the API. */
export function provideApi(queryClient: QueryClient, api: Api): void {
  const { queries, ...others } = queryClient.getDefaultOptions();
  queryClient.setDefaultOptions({ ...others, queries: { ...queries, meta: { api } } });
}

/** The API that the queries of this client call. */
export function apiOf(queryClient: QueryClient): Api {
  const { meta } = queryClient.getDefaultOptions().queries ?? {};
  if (!meta) throw new Error("No API is provided.");
  return meta.api;
}

/** The API, for a component. */
export function useApi(): Api {
  return apiOf(useQueryClient());
}

/** The query whose data is the body of an endpoint's response. */
export function endpointQuery<E extends EndpointKey, const K extends QueryKey>(
  queryKey: K,
  endpoint: E,
  options: OptionsOf<E>,
) {
  return queryOptions({
    queryKey,
    queryFn: async ({ client }) => (await apiOf(client).call(endpoint, options)).data,
  });
}

type ItemOf<E extends EndpointKey> = DataOf<E> extends (infer T)[] ? T : never;

/**
 * The query of the list that an endpoint returns, which grows by `pageSize` items.
 * @param onPage reads what comes with a page.
 */
export function listQuery<E extends EndpointKey, T = ItemOf<E>>(
  queryKey: QueryKey,
  pageSize: number,
  endpoint: E,
  options: OptionsOf<E>,
  onPage?: (headers: Headers, client: QueryClient) => void,
) {
  const list = infiniteQueryOptions({
    queryKey,
    queryFn: async ({ client, pageParam: cursor, signal }) => {
      const query = { ...(options as CallOptions).query, limit: String(pageSize), cursor };
      const response = await apiOf(client).call(endpoint, { ...options, query, signal });
      onPage?.(response.headers, client);
      return pageOf(response as ApiResponse<unknown> as ApiResponse<T[]>);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Page<T>) => last.next,
  });
  return { ...list, pageSize };
}

export type ListQuery<T> = ReturnType<typeof listQuery<EndpointKey, T>>;

/** GET /me: the signed-in person's permissions and settings. */
export const meQuery = endpointQuery(["me"], "GET /me", {});

/** The signed-in person's own profile. */
export const ownProfileQuery = endpointQuery(["me", "profile"], "GET /me/profile", {});

/** Provides the query client to route loaders. */
export const queryContext = createContext<QueryClient>();

type RouteArgs = { context: Readonly<RouterContextProvider> };

/** For loaders: `const queryClient = queryClientOf(args)`. */
export function queryClientOf({ context }: RouteArgs): QueryClient {
  return context.get(queryContext);
}

/** The result of `queryOptions`. */
type Query<T, K extends QueryKey> = UseSuspenseQueryOptions<T, Error, T, K> &
  FetchQueryOptions<T, Error, T, K>;

/**
 * For loaders: resolves when a query's data is in the cache. Cached data is used immediately, and the page refreshes it
 * if stale; data invalidated by a write is refetched first, but stays if the API cannot answer just now. With `fresh`,
 * data is always fetched.
 */
export function loadQuery<T, K extends QueryKey>(
  args: RouteArgs,
  query: Query<T, K>,
  { fresh = false } = {},
): Promise<T> {
  const queryClient = queryClientOf(args);
  const invalidated = queryClient.getQueryState(query.queryKey)?.isInvalidated;
  return retryIfCancelled(() =>
    fresh || invalidated
      ? queryClient.fetchQuery({ ...query, staleTime: 0 })
      : queryClient.ensureQueryData(query),
  ).catch((error: unknown) => {
    const data = queryClient.getQueryData<T>(query.queryKey);
    if (!fresh && data !== undefined && isTemporary(error)) return data;
    throw error;
  });
}

/** Why the rest of a list did not load, if it did not. */
export type ListLoad = { failure?: string };

/**
 * The same for the first `shown` items of a list, by default as many as the URL says. Only missing pages are fetched; the
 * page refreshes cached ones, even if a write has invalidated them, since that reads one after the other. If the API
 * cannot answer just now, the cached items stay and the failure is returned. A list is given up if it is no longer wanted,
 * as when other filters are chosen meanwhile.
 */
export function loadList<T>(
  args: RouteArgs & { request: Request },
  query: ListQuery<T>,
  shown = shownCount(new URL(args.request.url).searchParams, query.pageSize),
): Promise<ListLoad> {
  const queryClient = queryClientOf(args);
  const pageCount = Math.ceil(shown / query.pageSize);
  const { signal } = args.request;
  const giveUp = () =>
    void queryClient.cancelQueries({ queryKey: query.queryKey, exact: true, type: "inactive" });
  signal.addEventListener("abort", giveUp, { once: true });
  return retryIfCancelled(async () => {
    const state = queryClient.getQueryState(query.queryKey);
    try {
      if (!state?.data) {
        await queryClient.fetchInfiniteQuery({ ...query, pages: pageCount, staleTime: 0 });
        return {};
      }
      const list = new InfiniteQueryObserver(queryClient, query);
      for (;;) {
        const pages = queryClient.getQueryData(query.queryKey)?.pages ?? [];
        if (pages.length >= pageCount || !pages.at(-1)?.next) return {};
        // Waits for a page that is already being fetched.
        await list.fetchNextPage({ cancelRefetch: false, throwOnError: true });
      }
    } catch (error) {
      if (state?.data && isTemporary(error)) return { failure: error.message };
      throw error;
    }
  }, signal);
}

/** Repeats a read that was cancelled by a write or by another person's login, unless it is no longer wanted. */
async function retryIfCancelled<T>(read: () => Promise<T>, wanted?: AbortSignal): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CancelledError && !wanted?.aborted) return retryIfCancelled(read, wanted);
    throw error;
  }
}

/** A refetch waits at least this long after too many requests, in seconds. */
const MIN_WAIT_S = 30;

/**
 * The data that the loader has put into the cache. It stays while the API is down or receives too many requests; when a
 * refetch is rejected (the resource was deleted, or the session has expired) the page is loaded again, which shows its
 * error boundary.
 */
export function useLoadedQuery<T, K extends QueryKey>(query: Query<T, K>): T {
  const { data, error } = useSuspenseQuery({
    ...query,
    // After an outage everything is refetched, but nothing tells when requests are allowed again.
    refetchInterval: ({ state }) =>
      isThrottled(state.error) && Math.max(MIN_WAIT_S, state.error.retryAfter ?? 0) * 1_000,
  });
  const { revalidate } = useRevalidator();
  const isRefetchRejected = error instanceof ApiProblem && error.status < 500 && !isTemporary(error);
  useEffect(() => {
    if (isRefetchRejected) void revalidate();
  }, [isRefetchRejected, revalidate]);
  return data;
}

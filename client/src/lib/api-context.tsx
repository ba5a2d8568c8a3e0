import {
  CancelledError,
  type FetchQueryOptions,
  InfiniteQueryObserver,
  type QueryClient,
  QueryClientProvider,
  type QueryKey,
  type UseSuspenseQueryOptions,
} from "@tanstack/react-query";
import { createContext, type ReactNode, use } from "react";
import { createContext as createRouterContext, type RouterContextProvider } from "react-router-dom";
import type { Api } from "./api.ts";
import { shownCount } from "./pages.ts";
import { isTemporary } from "./problem.ts";
import type { ListQuery } from "./queries.ts";

/** The API client and its query cache. */
export type ApiServices = { api: Api; queryClient: QueryClient };

/** Provides the services to route loaders and actions. */
export const apiContext = createRouterContext<ApiServices>();

type RouteArgs = { context: Readonly<RouterContextProvider> };

/** For loaders and actions: `const { api, queryClient } = servicesOf(args)`. */
export function servicesOf({ context }: RouteArgs): ApiServices {
  return context.get(apiContext);
}

/** The result of `queryOptions`. */
export type Query<T, K extends QueryKey> = UseSuspenseQueryOptions<T, Error, T, K> &
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
  const { queryClient } = servicesOf(args);
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
 * The same for the first `shown` items of a list, by default as many as the URL says. Only missing pages are fetched; the page refreshes cached ones, even if
 * a write has invalidated them, since that reads one after the other. If the API cannot answer just now, the cached items
 * stay and the failure is returned.
 */
export function loadList<T>(
  args: RouteArgs & { request: Request },
  query: ListQuery<T>,
  shown = shownCount(new URL(args.request.url).searchParams, query.pageSize),
): Promise<ListLoad> {
  const { queryClient } = servicesOf(args);
  const pageCount = Math.ceil(shown / query.pageSize);
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
  });
}

/** Repeats a read that was cancelled by a write or by another person's login. */
async function retryIfCancelled<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CancelledError) return retryIfCancelled(read);
    throw error;
  }
}

/** After a write, waits until what is visible has been read again, so that the result can take the place of the form. */
export async function refetchActive(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  // The write has already started the refetch; the page shows its errors.
  await queryClient.refetchQueries({ queryKey, type: "active", stale: true }, { cancelRefetch: false });
}

const ApiContext = createContext<Api | null>(null);

/** Provides the API and its query cache to the components below. */
export function ApiProvider({ api, queryClient, children }: ApiServices & { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ApiContext value={api}>{children}</ApiContext>
    </QueryClientProvider>
  );
}

/** The API, for a component. */
export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error("useApi needs an ApiProvider above it.");
  return api;
}

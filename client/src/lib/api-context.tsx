import {
  CancelledError,
  type FetchQueryOptions,
  InfiniteQueryObserver,
  type QueryClient,
  QueryClientProvider,
  type QueryKey,
  type UseSuspenseQueryOptions,
  useSuspenseQuery,
} from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect } from "react";
import {
  createContext as createRouterContext,
  type RouterContextProvider,
  useRevalidator,
} from "react-router-dom";
import type { Api } from "./api.ts";
import type { ListQuery } from "./pages.ts";
import { ApiProblem, isAway } from "./problem.ts";

/** The API, and the cache of what was read from it. */
export type ApiServices = { api: Api; queryClient: QueryClient };

/** Carries them to route loaders and actions. */
export const apiContext = createRouterContext<ApiServices>();

type RouteArgs = { context: Readonly<RouterContextProvider> };

/** For loaders and actions: `const { api, queryClient } = servicesOf(args)`. */
export function servicesOf({ context }: RouteArgs): ApiServices {
  return context.get(apiContext);
}

/** The API for a loader or action: `const api = apiOf(args)`. */
export function apiOf(args: RouteArgs): Api {
  return servicesOf(args).api;
}

/** What `queryOptions` makes. */
type Query<T, K extends QueryKey> = UseSuspenseQueryOptions<T, Error, T, K> &
  FetchQueryOptions<T, Error, T, K>;

/**
 * For loaders: sees to it that the data of a query is in the cache. What is there already will do, and the page asks
 * what has changed since; what a write has made out of date is waited for, and so is everything if it must be `fresh`.
 */
export function loadQuery<T, K extends QueryKey>(
  args: RouteArgs,
  query: Query<T, K>,
  { fresh = false } = {},
): Promise<T> {
  const { queryClient } = servicesOf(args);
  const outdated = queryClient.getQueryState(query.queryKey)?.isInvalidated;
  return untilSettled(() =>
    fresh || outdated
      ? queryClient.fetchQuery({ ...query, staleTime: 0 })
      : queryClient.ensureQueryData(query),
  );
}

/** Why the rest of a list did not load, if it did not. */
export type ListLoad = { failure?: string };

/**
 * The same for the first `shown` items of a list. Of a list that grows only what is missing is read. Without a connection
 * what is there stays.
 */
export function loadList<T>(args: RouteArgs, query: ListQuery<T>, shown: number): Promise<ListLoad> {
  const { queryClient } = servicesOf(args);
  const wanted = Math.ceil(shown / query.pageSize);
  return untilSettled(async () => {
    const state = queryClient.getQueryState(query.queryKey);
    try {
      if (!state?.data || state.isInvalidated) {
        await queryClient.fetchInfiniteQuery({ ...query, pages: wanted, staleTime: 0 });
        return {};
      }
      const list = new InfiniteQueryObserver(queryClient, query);
      for (;;) {
        const pages = queryClient.getQueryData(query.queryKey)?.pages ?? [];
        if (pages.length >= wanted || !pages.at(-1)?.next) return {};
        // A page that is on its way already is waited for.
        await list.fetchNextPage({ cancelRefetch: false, throwOnError: true });
      }
    } catch (error) {
      if (state?.data && isAway(error)) return { failure: error.message };
      throw error;
    }
  });
}

/** A read that a write or another person's login has overtaken begins anew. */
async function untilSettled<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CancelledError) return untilSettled(read);
    throw error;
  }
}

/**
 * For actions, after a write: waits until what the page shows of a query that no loader reads was read again. Told before
 * that, the page would once more show what was.
 */
export async function rereadShown({ queryClient }: ApiServices, queryKey: QueryKey): Promise<void> {
  // The write has begun it already; what fails is for the query to show.
  await queryClient.refetchQueries({ queryKey, type: "active", stale: true }, { cancelRefetch: false });
}

/**
 * What the loader has put into the cache. Without a connection it stays; after a refusal (it was deleted, or the session
 * is over) the page is loaded again, which leads to its error boundary.
 */
export function useLoaded<T, K extends QueryKey>(query: Query<T, K>): T {
  const { data, error } = useSuspenseQuery(query);
  const { revalidate } = useRevalidator();
  const isRefused = error instanceof ApiProblem && error.status < 500 && !isAway(error);
  useEffect(() => {
    if (isRefused) void revalidate();
  }, [isRefused, revalidate]);
  return data;
}

const ApiContext = createContext<Api | null>(null);

/** Makes the API and its cache available to components below. */
export function ApiProvider({ api, queryClient, children }: ApiServices & { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ApiContext value={api}>{children}</ApiContext>
    </QueryClientProvider>
  );
}

/** The API for a component. */
export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error("useApi needs an ApiProvider above it.");
  return api;
}

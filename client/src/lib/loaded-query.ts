import { type QueryKey, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useRevalidator } from "react-router-dom";
import type { Query } from "./api-context.tsx";
import { ApiProblem, isTemporary, isThrottled } from "./problem.ts";

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

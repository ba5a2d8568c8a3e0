import { useIsFetching, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

/** What one part of a page sends: one at a time, with the input and result of the last one. */
export type Submission<Input, Result> = {
  send: (input: Input) => Promise<Result>;
  /** `loading`: there is a result, and what it has changed on the page is being read again. */
  state: "idle" | "submitting" | "loading";
  input: Input | undefined;
  data: Result | undefined;
  /** Forgets the result. */
  reset: () => void;
};

/**
 * Sends what a form or button submits, as a mutation.
 * @param send reports errors in its result and does not reject.
 * @param key shares the state with other components of the same key, such as a form that was left while it was being
 *   sent and is opened again, so that it is not sent twice; by default it belongs to this component alone.
 */
export function useSubmission<Result, Input = void>(
  send: (input: Input) => Promise<Result>,
  key?: string,
): Submission<Input, Result> {
  const id = useId();
  const cache = useQueryClient().getMutationCache();
  const filters = { mutationKey: ["submission", key ?? id], exact: true };
  const { mutationKey } = filters;
  const { mutateAsync } = useMutation({ mutationKey, mutationFn: send, retry: false, gcTime: KEPT_MS });
  const last = useMutationState({
    filters,
    select: ({ state: { status, data, variables } }) => ({ status, data, variables }),
  }).at(-1);
  const isRefreshing =
    useIsFetching({ predicate: (query) => query.state.isInvalidated && query.isActive() }) > 0;
  const isLoading = isRefreshing && last?.data !== undefined;
  return {
    send: mutateAsync,
    state: last?.status === "pending" ? "submitting" : isLoading ? "loading" : "idle",
    input: last?.variables as Input | undefined,
    data: last?.data as Result | undefined,
    reset: () => {
      for (const mutation of cache.findAll(filters)) cache.remove(mutation);
    },
  };
}

/** The keys with this prefix whose submissions are being sent, without the prefix. */
export function useSubmitting(prefix: string): string[] {
  const keyOf = (mutationKey: readonly unknown[] | undefined) => String(mutationKey?.[1]);
  return useMutationState({
    filters: { status: "pending", predicate: ({ options }) => keyOf(options.mutationKey).startsWith(prefix) },
    select: ({ options }) => keyOf(options.mutationKey).slice(prefix.length),
  });
}

/** How long the result is kept for a form that is opened again, in ms. */
const KEPT_MS = 60_000;

import {
  type QueryClient,
  useIsFetching,
  useMutation,
  useMutationState,
  useQueryClient,
} from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Api } from "./api.ts";
import { type FormResult, toFormError } from "./forms.ts";
import { useApi } from "./queries.tsx";

/** What one part of a page sends: one at a time, with the input and result of the last one. */
export type Submission<Input, Result> = {
  send: (input: Input) => Promise<Result>;
  /** `loading`: there is a result, and what it has changed on the page is being read again. */
  state: "idle" | "submitting" | "loading";
  input: Input | undefined;
  data: Result | undefined;
  /** Why the last one failed, until the next one is sent. */
  error: Extract<Result, { ok: false }> | undefined;
  /** Whether nothing can be sent now. After an error it can, even if the page is still being read again. */
  busy: boolean;
  /** Forgets the result. */
  reset: () => void;
};

/**
 * Sends what a form or button submits, as a mutation.
 * @param send reports errors in its result and does not reject.
 * @param key shares the state with other components of the same key, such as a form that was left while it was being
 *   sent and is opened again, so that it is not sent twice; by default it belongs to this component alone.
 */
export function useSubmission<Result extends { ok: boolean }, Input = void>(
  send: (input: Input) => Promise<Result>,
  key?: string,
): Submission<Input, Result> {
  const id = useId();
  const cache = useQueryClient().getMutationCache();
  const filters = { mutationKey: ["submission", key ?? id], exact: true };
  const { mutationKey } = filters;
  const { mutateAsync } = useMutation({ mutationKey, mutationFn: send, retry: false, gcTime: KEPT_MS });
  // The data is read from the mutation itself: of plain objects, the hook shares copies, and an older result would look
  // new once an earlier one is collected.
  const last = useMutationState({
    filters,
    select: (mutation) => ({ mutation, status: mutation.state.status }),
  }).at(-1);
  const isRefreshing =
    useIsFetching({ predicate: (query) => query.state.isInvalidated && query.isActive() }) > 0;
  const data = last?.mutation.state.data as Result | undefined;
  const isPending = last?.status === "pending";
  // What the page reads again later has other causes.
  const [shown, setShown] = useState<unknown>();
  const isLoading = data !== undefined && !isPending && last?.mutation !== shown;
  if (isLoading && !isRefreshing) setShown(last?.mutation);
  const state = isPending ? "submitting" : isLoading && isRefreshing ? "loading" : "idle";
  const error = !isPending && data?.ok === false ? (data as Extract<Result, { ok: false }>) : undefined;
  return {
    send: mutateAsync,
    state,
    input: last?.mutation.state.variables as Input | undefined,
    data,
    error,
    busy: state !== "idle" && !error,
    reset: () => {
      for (const mutation of cache.findAll(filters)) cache.remove(mutation);
    },
  };
}

/** Sends something that has no fields, as a button does; `value` is what that resolves to. */
export function useAction<T, Input = void>(send: (call: Api["call"], input: Input) => Promise<T>) {
  const { call } = useApi();
  return useSubmission<FormResult<T>, Input>(async (input) => {
    try {
      return { ok: true, value: await send(call, input) };
    } catch (error) {
      return toFormError(error);
    }
  });
}

/** How long the result is kept for a form that is opened again, in ms. */
const KEPT_MS = 60_000;

/** After a write, waits until what is visible has been read again, so that the result can take the place of the form. */
export async function refetchActive(queryClient: QueryClient): Promise<void> {
  // The write has already started the refetch; the page shows its errors.
  await queryClient.refetchQueries(
    { type: "active", predicate: ({ state }) => state.isInvalidated },
    { cancelRefetch: false },
  );
}

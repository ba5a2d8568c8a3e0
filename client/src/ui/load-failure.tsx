import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { problemText } from "../lib/problem.ts";
import { FormAlert } from "./form-alert.tsx";

type FailureProps = {
  list: Pick<UseInfiniteQueryResult, "error" | "isFetching" | "refetch">;
  /** The classes of the button to try again. */
  look?: string;
};

/** Why a list, or more of it, did not load. */
export function LoadFailure({ list: { error, isFetching, refetch }, look }: FailureProps) {
  return (
    <FormAlert takesFocus={false}>
      {error && !isFetching && (
        <>
          {problemText(error)} <RefetchButton refetch={refetch} look={look} />
        </>
      )}
    </FormAlert>
  );
}

type RefetchProps = { refetch: () => unknown; look?: string | undefined };

/** Loads something again that did not load. */
export function RefetchButton({ refetch, look = "btn btn-outline btn-sm" }: RefetchProps) {
  return (
    <button type="button" className={look} onClick={() => void refetch()}>
      Try again
    </button>
  );
}

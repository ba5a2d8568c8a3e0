import type { UseInfiniteQueryResult, UseQueryResult } from "@tanstack/react-query";
import { problemText } from "../lib/problem.ts";
import { BusyButton } from "./busy-button.tsx";
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

type PartProps = {
  what: string;
  part: Pick<UseQueryResult, "data" | "errorUpdateCount" | "isFetching" | "refetch">;
};

/**
 * Says that a part of a page could not be loaded, and nothing once there is any data. It stays while the part is loaded
 * again, when the query has already cleared its error.
 */
export function PartFailure({ what, part: { data, errorUpdateCount, isFetching, refetch } }: PartProps) {
  if (data || errorUpdateCount === 0) return null;
  return (
    <p role="alert" className="text-sm">
      {what} could not be loaded.{" "}
      <BusyButton className="link link-primary" busy={isFetching} busyText="Trying…" onClick={refetch}>
        Try again
      </BusyButton>
    </p>
  );
}

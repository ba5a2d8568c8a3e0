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
  part: { hasFailed: boolean } & Pick<UseQueryResult, "isFetching" | "refetch">;
};

/** Says that a part of a page could not be loaded, also while it is loaded again. */
export function PartFailure({ what, part: { hasFailed, isFetching, refetch } }: PartProps) {
  if (!hasFailed) return null;
  return (
    <p role="alert" className="text-sm">
      {what} could not be loaded.{" "}
      <BusyButton className="link link-primary" busy={isFetching} busyText="Trying…" onClick={refetch}>
        Try again
      </BusyButton>
    </p>
  );
}

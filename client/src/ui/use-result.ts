import { useEffect, useEffectEvent, useRef } from "react";

/**
 * Calls back once with each result of a fetcher. React Router gives the data to renders that do not know the new state yet:
 * told then, a person would meet buttons that are still busy.
 */
export function useResult<R extends object>(
  { state, data }: { state: string; data: R | undefined },
  onResult: (result: R) => void,
): void {
  const told = useRef<R>(undefined);
  const tell = useEffectEvent(onResult);
  useEffect(() => {
    // A fetcher that was reset has null.
    if (state === "submitting" || !data || told.current === data) return;
    told.current = data;
    tell(data);
  }, [state, data]);
}

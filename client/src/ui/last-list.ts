import { useEffect } from "react";
import { useLocation } from "react-router-dom";

let last: { name: string; to: string } | undefined;

/** Remembers this page, with its filters, as the list that a task was opened from. */
export function useAsList(name: string): void {
  const { pathname, search } = useLocation();
  useEffect(() => {
    last = { name, to: pathname + search };
  }, [name, pathname, search]);
}

/** The list that was shown last since the app has started. */
export const lastList = (): typeof last => last;

/** As if no list had been shown. */
export function forgetList(): void {
  last = undefined;
}

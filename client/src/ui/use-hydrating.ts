import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/** True while a page from the server is hydrated, when it must look as it was rendered: without this browser's storage. */
export function useHydrating(): boolean {
  return useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
}

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

/** Calls `retry` when the connection is back: the browser says so, or the API answers again (lib/reach.ts). */
export function useWhenBack(retry: () => void): void {
  const onBack = useEffectEvent(retry);
  useEffect(() => {
    const listen = () => onBack();
    window.addEventListener("online", listen);
    window.addEventListener("reachable", listen);
    return () => {
      window.removeEventListener("online", listen);
      window.removeEventListener("reachable", listen);
    };
  }, []);
}

/** What the browser says of the connection. A hint only, to be asked where something has failed already. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

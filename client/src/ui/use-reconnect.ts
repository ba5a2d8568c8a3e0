import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { apiStatus } from "../lib/api-status.ts";

/** Calls `retry` when the connection is back: the browser says so, or the API responds again. */
export function useOnReconnect(retry: () => void): void {
  const onReconnect = useEffectEvent(retry);
  useEffect(() => {
    const listen = () => onReconnect();
    const unsubscribe = apiStatus.subscribe(() => apiStatus.outage() || listen());
    window.addEventListener("online", listen);
    return () => {
      unsubscribe();
      window.removeEventListener("online", listen);
    };
  }, []);
}

/** What the browser says of the connection. A hint only, to be used where something has failed already. */
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

import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { apiStatus } from "../lib/api-status.ts";

/** Calls `retry` when the browser reports that it is online, or the API responds again. */
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

/** Whether the browser reports that it is online. Only a hint, for explaining a failure. */
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

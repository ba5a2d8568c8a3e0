import { useSyncExternalStore } from "react";

const MINUTE_MS = 60_000;

function everyMinute(listener: () => void): () => void {
  const timer = setInterval(listener, MINUTE_MS);
  return () => clearInterval(timer);
}

const minute = () => Math.floor(Date.now() / MINUTE_MS);

/** Renders the component again every minute. */
export function useMinute(): void {
  useSyncExternalStore(everyMinute, minute, minute);
}

import { useEffect } from "react";

/** Runs a check each time the user returns to this tab while waiting. If it fails, as when offline, the next return retries. */
export function useOnReturn(isWaiting: boolean, check: () => Promise<unknown>): void {
  useEffect(() => {
    if (!isWaiting) return;
    const onVisibility = () => void (document.hidden || check().catch(() => undefined));
    document.addEventListener("visibilitychange", onVisibility);
    return () => document.removeEventListener("visibilitychange", onVisibility);
  }, [isWaiting, check]);
}

import { useRevalidator } from "react-router-dom";
import { useOnReconnect } from "./use-reconnect.ts";

/** Loads the page's data again; says so while it does. By itself once the connection is back. */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
  const busy = state === "loading";
  const retry = () => void (busy || revalidate());
  useOnReconnect(retry);
  return (
    <button type="button" className="btn btn-primary" aria-disabled={busy || undefined} onClick={retry}>
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {busy ? "Trying…" : "Try again"}
    </button>
  );
}

import { useEffect } from "react";
import { useRevalidator } from "react-router-dom";

/** Loads the page's data again; says so while it does. By itself once the API can be reached again (lib/reach.ts). */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
  const busy = state === "loading";
  useEffect(() => {
    const retry = () => void revalidate();
    window.addEventListener("reachable", retry);
    return () => window.removeEventListener("reachable", retry);
  }, [revalidate]);
  return (
    <button
      type="button"
      className="btn btn-primary"
      aria-disabled={busy || undefined}
      onClick={() => void revalidate()}
    >
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {busy ? "Trying…" : "Try again"}
    </button>
  );
}

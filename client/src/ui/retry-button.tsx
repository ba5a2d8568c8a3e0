import { useRevalidator } from "react-router-dom";

/** Loads the page's data again; says so while it does. */
export function RetryButton() {
  const { revalidate, state } = useRevalidator();
  const busy = state === "loading";
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

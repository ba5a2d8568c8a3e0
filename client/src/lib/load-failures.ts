const failures = new WeakSet<object>();

/** Notes which errors are parts of the app that did not arrive: Vite tells the window of each failed import. */
export function noteLoadFailures(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => failures.add(payload));
}

/** A part of the app did not arrive: a request was lost, or a release has taken the file away. */
export function isLoadFailure(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  return failures.has(error) || (error instanceof Error && isLoadFailure(error.cause));
}

const KEY = "tasklane.reloaded";
/** A second failure within this time is not met by another reload: it would go round in a circle. In ms. */
const AGAIN_MS = 30_000;

/**
 * Reloads the page unless it cannot be had now; true if it does. Most browsers remember a failed import for as long as
 * the page lives, so a reload is the only way to try again.
 */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    // Any status will do: without a response the browser would put its own error page here.
    await fetch(window.location.href, { method: "HEAD", cache: "no-store" });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Reloads quietly, at most once in a while. False if it was just tried, or cannot be. */
export async function reloadOnce(): Promise<boolean> {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < AGAIN_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without a storage nobody would know how often it was tried.
    return false;
  }
  return reloadIfReachable();
}

const failures = new WeakSet<object>();

/** Records failed dynamic imports, which Vite reports with a window event. */
export function trackLoadFailures(): void {
  window.addEventListener("vite:preloadError", ({ payload }) => failures.add(payload));
}

/** Whether part of the app failed to load: a request failed, or a new release has removed the file. */
export function isLoadFailure(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  return failures.has(error) || (error instanceof Error && isLoadFailure(error.cause));
}

const KEY = "tasklane.reloaded";
/** The minimum time between automatic reloads, to prevent a reload loop, in ms. */
const MIN_RELOAD_INTERVAL_MS = 30_000;

/**
 * Reloads the page if it can be fetched; resolves to whether it does. Most browsers cache a failed import for the
 * lifetime of the page, so only a reload can retry it.
 */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    // Any status will do: without a response, a reload would end on the browser's own error page.
    await fetch(window.location.href, { method: "HEAD", cache: "no-store" });
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}

/** Reloads automatically, at most every 30 seconds. Resolves to false if it was just tried or is not possible. */
export async function reloadOnce(): Promise<boolean> {
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY)) < MIN_RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // Without storage, reload loops could not be detected.
    return false;
  }
  return reloadIfReachable();
}

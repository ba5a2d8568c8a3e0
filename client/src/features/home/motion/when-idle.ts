/** At the latest then, even on a busy page. */
const PATIENCE_MS = 2000;

/**
 * Runs `work` once the page is loaded, painted and has nothing better to do: what is fetched here never competes with
 * what the person came for. Answers how to call it off.
 */
export function whenIdle(work: () => void): () => void {
  let cancelIdle = () => {};
  const wait = () => {
    // Safari has no idle callback.
    if (typeof window.requestIdleCallback !== "function") {
      const timer = setTimeout(work, 200);
      cancelIdle = () => clearTimeout(timer);
      return;
    }
    const handle = window.requestIdleCallback(work, { timeout: PATIENCE_MS });
    cancelIdle = () => window.cancelIdleCallback(handle);
  };
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
  return () => {
    window.removeEventListener("load", wait);
    cancelIdle();
  };
}

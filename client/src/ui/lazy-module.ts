import { useEffect, useState } from "react";

/**
 * Returns a hook that loads a module once its component is mounted, or with `idle` once the browser is idle: undefined
 * while it loads, null if it fails. Meanwhile the page stays as it is, unlike with `React.lazy`, which needs Suspense
 * and error boundaries.
 */
export function lazyModule<T extends object>(
  load: () => Promise<T>,
  { idle = false } = {},
): () => T | null | undefined {
  let loaded: T | null | undefined;
  return function useLazyModule() {
    const [module, setModule] = useState(loaded);
    useEffect(() => {
      if (module !== undefined) return;
      let unmounted = false;
      const start = () =>
        void load()
          .catch(() => null)
          .then((result) => {
            loaded = result;
            if (!unmounted) setModule(result);
          });
      const cancel = idle ? whenIdle(start) : start();
      return () => {
        unmounted = true;
        cancel?.();
      };
    }, [module]);
    return module;
  };
}

/** Idle work starts after this time even on a busy page, in ms. */
const IDLE_TIMEOUT_MS = 2000;

/** Runs `work` once the page has loaded and the browser is idle. Returns a function that cancels it. */
export function whenIdle(work: () => void): () => void {
  let cancelIdle = () => {};
  const wait = () => {
    // Safari has no requestIdleCallback.
    if (typeof window.requestIdleCallback !== "function") {
      const timer = setTimeout(work, 200);
      cancelIdle = () => clearTimeout(timer);
      return;
    }
    const handle = window.requestIdleCallback(work, { timeout: IDLE_TIMEOUT_MS });
    cancelIdle = () => window.cancelIdleCallback(handle);
  };
  if (document.readyState === "complete") wait();
  else window.addEventListener("load", wait, { once: true });
  return () => {
    window.removeEventListener("load", wait);
    cancelIdle();
  };
}

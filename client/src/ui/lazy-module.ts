import { useEffect, useState } from "react";

/**
 * Returns a hook that loads a module once its component is on the page: undefined while it loads, null if it did not
 * arrive. The page stays as it is in either case, which `React.lazy` with its Suspense and error boundaries does not allow.
 */
export function lazyModule<T extends object>(load: () => Promise<T>): () => T | null | undefined {
  let loaded: T | null | undefined;
  return function useLazyModule() {
    const [module, setModule] = useState(loaded);
    useEffect(() => {
      if (module !== undefined) return;
      let unmounted = false;
      void load()
        .catch(() => null)
        .then((result) => {
          loaded = result;
          if (!unmounted) setModule(result);
        });
      return () => {
        unmounted = true;
      };
    }, [module]);
    return module;
  };
}

import { useEffect, useState } from "react";

/**
 * Makes the hook of a part whose code is loaded by itself once it is on the page: undefined on the way, null if it did
 * not arrive. The page around it stays in either case.
 */
export function latePart<T extends object>(load: () => Promise<T>): () => T | null | undefined {
  let known: T | null | undefined;
  return function useLatePart() {
    const [part, setPart] = useState(known);
    useEffect(() => {
      if (part !== undefined) return;
      let left = false;
      void load()
        .catch(() => null)
        .then((loaded) => {
          known = loaded;
          if (!left) setPart(loaded);
        });
      return () => {
        left = true;
      };
    }, [part]);
    return part;
  };
}

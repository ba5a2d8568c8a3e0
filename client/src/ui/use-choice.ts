import { startTransition, useRef, useState } from "react";

/**
 * A choice that is stored as soon as it is made. If it changes while it is being stored, the newest choice is stored
 * next, so that the last one wins.
 * @param store writes one choice and reports its own errors.
 * @returns `chosen`: the choice to show until it is stored, or undefined to show the stored one, as after an error.
 */
export function useChoice<T>(store: (choice: T) => Promise<void>): {
  chosen: T | undefined;
  choose: (choice: T) => Promise<void>;
} {
  const [chosen, setChosen] = useState<T>();
  const newest = useRef<T>(undefined);
  const isStoring = useRef(false);

  const choose = async (choice: T) => {
    newest.current = choice;
    setChosen(choice);
    if (isStoring.current) return;
    isStoring.current = true;
    try {
      for (let next = choice, last: T | undefined; next !== last; next = newest.current as T) {
        last = next;
        await store(next);
      }
    } finally {
      isStoring.current = false;
      // In a transition, like the router's update after the write, so that the old choice does not flash in between.
      startTransition(() => setChosen(undefined));
    }
  };
  return { chosen, choose };
}

import { startTransition, useRef, useState } from "react";

/**
 * A choice that is stored as soon as it is made. Who chooses again meanwhile is followed, one write after the other, so
 * that what stays is what was chosen last.
 * @param store writes one choice; what fails is for it to tell.
 * @returns `chosen` is what is to be shown until it is stored; undefined: what is stored. An error is to be shown with
 *   what is stored.
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
      // Together with what the router shows after the write, so that the old choice does not flash up in between.
      startTransition(() => setChosen(undefined));
    }
  };
  return { chosen, choose };
}

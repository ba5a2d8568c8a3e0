import { startTransition, useRef, useState } from "react";
import { useAction } from "../lib/submission.ts";
import { FormAlert } from "./form-alert.tsx";

/**
 * A setting that is saved as soon as it is chosen. Shows the new value at once, and the `stored` one again if it could not
 * be saved. `feedback` says which.
 */
export function useSavedChoice<T>(stored: T, save: Parameters<typeof useAction<unknown, T>>[0]) {
  const saving = useAction(save);
  const { chosen, choose } = useChoice(async (value: T) => void (await saving.send(value)));
  const { error } = saving;
  // What is stored is read again after it was saved: until then it is the old value.
  const shown = chosen ?? (saving.state === "loading" ? saving.input : undefined);
  const feedback = (
    <>
      <p role="status" className="sr-only">
        {saving.data?.ok && shown === undefined && "Saved."}
      </p>
      <FormAlert error={error}>{error && `Not saved. ${error.message}`}</FormAlert>
    </>
  );
  return { value: error ? stored : (shown ?? stored), choose, feedback };
}

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

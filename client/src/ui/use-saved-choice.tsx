import { useAction } from "../lib/submission.ts";
import { FormAlert } from "./form-alert.tsx";
import { useChoice } from "./use-choice.ts";

/**
 * A setting that is saved as soon as it is chosen. Shows the new value at once, and the `stored` one again if it could not
 * be saved. `feedback` says which.
 */
export function useSavedChoice<T>(stored: T, save: (value: T) => Promise<unknown>) {
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

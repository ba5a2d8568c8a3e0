import { useEffect } from "react";
import { removeDraft, renewIdempotencyKey } from "../../lib/drafts.ts";
import { useDraft } from "../../ui/action-form.tsx";

/**
 * The draft of a step that a task can take more than once. A step that is taken has no draft any more, also if its form
 * was never told; and what was sent in an earlier round is not what is sent in this one.
 * @param isNext may the step be taken now?
 */
export function useStepDraft(form: string, isNext: boolean): string {
  const draft = useDraft(form);
  useEffect(() => {
    if (isNext) renewIdempotencyKey(draft);
    else removeDraft(draft);
  }, [draft, isNext]);
  return draft;
}

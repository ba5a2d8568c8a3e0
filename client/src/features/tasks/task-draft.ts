import type { RouterContextProvider } from "react-router-dom";
import { sessionOf } from "../../auth/session.ts";
import { draftKeyOf, removeDraft } from "../../lib/drafts.ts";

/** The storage key of a task form: a new task, or the update of one. */
export function draftKey(uid: string, taskId: string | undefined): string {
  return draftKeyOf(uid, taskId ?? "new");
}

/** Removes the signed-in person's draft of a form whose task was saved; for route actions. */
export async function forgetDraft(
  args: { context: Readonly<RouterContextProvider> },
  taskId: string | undefined,
): Promise<void> {
  const user = await sessionOf(args).ready();
  removeDraft(draftKey(user?.uid ?? "", taskId));
}

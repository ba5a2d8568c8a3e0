import type { RouterContextProvider } from "react-router-dom";
import { sessionOf } from "../../auth/session.ts";
import type { TaskFormValues } from "./task-form-data.ts";

/**
 * Unsent task forms, kept in this browser so that a reload or an expired session loses nothing. One for each person
 * and form; removed when the task is saved or the draft discarded.
 */
const PREFIX = "tasklane.draft";

/** The storage key of a form: a new task, or the update of one. */
export function draftKey(uid: string, taskId: string | undefined): string {
  return `${PREFIX}.${uid}.${taskId ?? "new"}`;
}

/** What was typed before, or null. Whatever else stands in the storage counts as nothing. */
export function readDraft(key: string): Partial<TaskFormValues> | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const texts = Object.entries(stored).filter(([, value]) => typeof value === "string");
    return texts.length > 0 ? Object.fromEntries(texts) : null;
  } catch {
    return null;
  }
}

/** Keeps what is typed. A full or forbidden storage is no reason to disturb the typing. */
export function writeDraft(key: string, values: TaskFormValues): void {
  try {
    localStorage.setItem(key, JSON.stringify(values));
  } catch {
    // The form itself still holds everything.
  }
}

/** Removes the signed-in person's draft of a form whose task was saved; for route actions. */
export async function forgetDraft(
  args: { context: Readonly<RouterContextProvider> },
  taskId: string | undefined,
): Promise<void> {
  const user = await sessionOf(args).ready();
  removeDraft(draftKey(user?.uid ?? "", taskId));
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored either.
  }
}

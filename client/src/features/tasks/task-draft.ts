import type { RouterContextProvider } from "react-router-dom";
import { sessionOf } from "../../auth/session.ts";
import { draftKeyOf, readDraft, removeDraft, writeDraft } from "../../lib/drafts.ts";
import { claimTabDraft, tabDraftKey } from "../../lib/tab-drafts.ts";
import { EMPTY_TASK, pickFields, sameFields, TASK_FIELDS, type TaskFormValues } from "./task-form-data.ts";

/** The stored task that a form was filled in over: what was typed is a change of this and of nothing later. */
export type Base = { version: number; values: TaskFormValues };

/**
 * An unsent task form: its fields as they stand and, for an update, what they were before, and the version saved in
 * between that the person was shown.
 */
type TaskDraftKept = { typed: TaskFormValues; base: Base | undefined; seen: Base | undefined };

/** The storage key of this tab's task form: a new task, or the update of one. */
export function draftKey(uid: string, taskId: string | undefined): string {
  return tabDraftKey(draftKeyOf(uid, taskId ?? "new"));
}

/** The storage key of the signed-in person's form; for route actions. */
export async function ownDraftKey(
  args: { context: Readonly<RouterContextProvider> },
  taskId: string | undefined,
): Promise<string> {
  const user = await sessionOf(args).ready();
  return draftKey(user?.uid ?? "", taskId);
}

/** Finds the draft that the signed-in person's form begins with; for route loaders. */
export async function findTaskDraft(
  args: { context: Readonly<RouterContextProvider> },
  taskId: string | undefined,
): Promise<void> {
  const user = await sessionOf(args).ready();
  if (user) await claimTabDraft(draftKeyOf(user.uid, taskId ?? "new"));
}

export function readTaskDraft(key: string): TaskDraftKept | null {
  const kept = readDraft(key);
  return kept && { typed: pickFields(kept), base: parseBase(kept["base"]), seen: parseBase(kept["seen"]) };
}

/** Keeps what is typed, or forgets the draft if that is what is stored anyway. Answers whether it is kept. */
export function keepTaskDraft(key: string, typed: TaskFormValues, base?: Base, seen?: Base): boolean {
  const changed = !sameFields(typed, (seen ?? base)?.values ?? EMPTY_TASK);
  if (changed)
    writeDraft(key, {
      ...typed,
      ...(base && { base: JSON.stringify(base) }),
      ...(seen && { seen: JSON.stringify(seen) }),
    });
  else removeDraft(key);
  return changed;
}

/** After a post: what was sent goes, also if the form was left meanwhile; what was typed since stays. */
export function forgetPosted(key: string, sent: TaskFormValues): void {
  const kept = readTaskDraft(key);
  removeDraft(key);
  if (kept) keepTaskDraft(key, withoutSent(kept.typed, sent));
}

/** After an update: what was typed since is a change of the version that was saved. */
export function forgetUpdated(key: string, saved: Base): void {
  const kept = readTaskDraft(key);
  if (kept) keepTaskDraft(key, kept.typed, saved);
}

/** The fields that are not as they were sent; the others empty. */
export function withoutSent(now: TaskFormValues, sent: TaskFormValues): TaskFormValues {
  const since = TASK_FIELDS.filter((field) => now[field] !== sent[field]);
  return { ...EMPTY_TASK, ...Object.fromEntries(since.map((field) => [field, now[field]])) };
}

function parseBase(text: string | undefined): Base | undefined {
  if (text === undefined) return undefined;
  try {
    const { version, values } = JSON.parse(text) as Base;
    return typeof version === "number" ? { version, values: pickFields(values) } : undefined;
  } catch {
    return undefined;
  }
}

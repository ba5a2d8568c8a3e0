import { ApiProblem } from "./problem.ts";

/**
 * Unsent forms, kept in this browser so that a reload or an expired session loses nothing. The key names the person and
 * the form; removed when what was typed is saved or the draft discarded.
 */
const PREFIX = "tasklane.draft";

/** The storage key of a person's form. */
export function draftKeyOf(uid: string, form: string): string {
  return `${PREFIX}.${uid}.${form}`;
}

/** What was typed before, by field, or null. Whatever else stands in the storage counts as nothing. */
export function readDraft(key: string): Record<string, string> | null {
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
export function writeDraft(key: string, values: Record<string, string>): void {
  try {
    localStorage.setItem(key, JSON.stringify(values));
  } catch {
    // The form itself still holds everything.
  }
}

/** Forgets what was typed, and the key that went with it. */
export function removeDraft(key: string): void {
  onceKeys.delete(key);
  try {
    localStorage.removeItem(key);
    localStorage.removeItem(key + ONCE);
  } catch {
    // Nothing was stored either.
  }
}

/** Forgets everything that a person left unsent in this browser. */
export function removeDraftsOf(uid: string): void {
  const start = draftKeyOf(uid, "");
  for (const key of onceKeys.keys()) if (key.startsWith(start)) onceKeys.delete(key);
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(start)) localStorage.removeItem(key);
  } catch {
    // Nothing was stored either.
  }
}

const ONCE = ".once";
// For where nothing can be stored.
const onceKeys = new Map<string, string>();

/**
 * The `Idempotency-Key` of a draft: made when it is first sent, and the same until the draft is removed, so that sending
 * it again after a lost answer or a reload creates nothing twice.
 */
function onceKeyOf(key: string): string {
  try {
    const once = localStorage.getItem(key + ONCE) ?? newOnceKey();
    localStorage.setItem(key + ONCE, once);
    return once;
  } catch {
    const once = onceKeys.get(key) ?? newOnceKey();
    onceKeys.set(key, once);
    return once;
  }
}

/**
 * Sends a draft with its key. A refusal settles the key: nothing was made, and the corrected draft is another request.
 * Without a response, or with a 5xx, it may have been done: then the same key tells.
 */
export async function sendOnce<T>(key: string, send: (onceKey: string) => Promise<T>): Promise<T> {
  try {
    return await send(onceKeyOf(key));
  } catch (error) {
    if (isRefused(error)) renewOnceKey(key);
    throw error;
  }
}

/** Was the request refused for good, so that nothing came of it? That a key was used is said of an earlier request. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.code === "key-reused") return false;
  return error.status >= 400 && error.status < 500;
}

/** What is sent next counts as something new. */
export function renewOnceKey(key: string): void {
  onceKeys.delete(key);
  try {
    localStorage.removeItem(key + ONCE);
  } catch {
    // Nothing was stored either.
  }
}

/** An `Idempotency-Key` that nobody has used. (`randomUUID` is missing where the page came over plain HTTP.) */
export function newOnceKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

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

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored either.
  }
}

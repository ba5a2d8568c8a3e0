import { newIdempotencyKey } from "./api.ts";
import { isRejected } from "./problem.ts";

/**
 * Unsent forms, stored in this browser so that nothing is lost on a reload or an expired session: one for each person
 * and form. A draft is removed when it was saved, when its person logs out, or if it was not written to for 30 days. Of
 * two tabs, the one typed in last counts. What is typed without a login stays in its tab.
 */
const PREFIX = "tasklane.draft.";
const LIFETIME_MS = 30 * 24 * 60 * 60 * 1_000;

/** The draft of the profile form. An interrupted registration stores its name and photo there. */
export const PROFILE_FORM = "profile";

type Values = Record<string, string>;
type Draft = {
  /** The typed text, by field name. */
  values: Values;
  /** The version that the draft is based on, if the form needs it. */
  basis?: unknown;
  /** Stays the same until the draft is saved or rejected, so that a retry is not carried out twice. */
  idempotencyKey?: string;
};

/** The storage key of a person's draft of a form. `uid` is empty for forms that need no login. */
export function draftKey(uid: string, form: string): string {
  return `${PREFIX}${uid}.${form}`;
}

/** The stored draft, or null if there is none or it is not valid. */
export function readDraft(key: string): { values: Values; basis: unknown } | null {
  const { values, basis } = read(key);
  const texts = Object.entries(values ?? {}).filter(([, value]) => typeof value === "string");
  return texts.length > 0 ? { values: Object.fromEntries(texts), basis } : null;
}

/** Stores what was typed. */
export function writeDraft(key: string, values: Values, basis?: unknown): void {
  write(key, { ...read(key), values, basis });
}

/** Removes a draft and its idempotency key. */
export function removeDraft(key: string): void {
  unstored.delete(key);
  withFallback(() => storageOf(key).removeItem(key), undefined);
}

/** Unfinished uploads, which tus-js-client keeps with the name of their file. */
const UPLOADS = "tus::";

/**
 * Removes a person's drafts and unfinished uploads, and what was typed in this tab without a login: its next user may be
 * somebody else.
 */
export function removeDrafts(uid: string): void {
  for (const key of withFallback(() => Object.keys(localStorage), []))
    if (key.startsWith(UPLOADS)) removeDraft(key);
  for (const key of storedKeys())
    if (key.startsWith(draftKey(uid, "")) || key.startsWith(NOBODY)) removeDraft(key);
}

/** After a save: removes the sent draft. Fields that were edited since become a new draft. */
export function settleDraft(key: string, sent: Values): void {
  const edited = Object.entries(readDraft(key)?.values ?? {}).filter(([name, text]) => text !== sent[name]);
  removeDraft(key);
  if (edited.length > 0) writeDraft(key, Object.fromEntries(edited));
}

/**
 * Sends a draft with its idempotency key. A rejection uses up the key, since the corrected draft is a new request (for
 * `key-reused`, the error explains that the earlier version may have arrived). After any other failure an earlier
 * attempt may have saved the draft, so the next one sends the same key.
 */
export async function sendOnce<T>(key: string, send: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const { idempotencyKey = newIdempotencyKey(), ...draft } = read(key);
  write(key, { values: {}, ...draft, idempotencyKey });
  try {
    return await send(idempotencyKey);
  } catch (error) {
    if (isRejected(error)) renewIdempotencyKey(key);
    throw error;
  }
}

/** Discards the idempotency key, so that the next attempt counts as a new request. */
export function renewIdempotencyKey(key: string): void {
  const { idempotencyKey, ...draft } = read(key);
  if (idempotencyKey) write(key, { values: {}, ...draft });
}

const NOBODY = draftKey("", "");
const storageOf = (key: string) => (key.startsWith(NOBODY) ? sessionStorage : localStorage);

/** Drafts that could not be stored because storage is full or blocked. They keep the idempotency key for retries. */
const unstored = new Map<string, Draft & { at: number }>();

/** Ignores storage errors: they must not interrupt typing, and the form itself still holds all values. */
function withFallback<T>(work: () => T, fallback: T): T {
  try {
    return work();
  } catch {
    return fallback;
  }
}

/** Removes what has expired or is not a draft. */
function read(key: string): Partial<Draft> {
  const stored = () => JSON.parse(String(storageOf(key).getItem(key)));
  const draft = unstored.get(key) ?? withFallback(stored, null);
  if (draft?.at > Date.now() - LIFETIME_MS) return draft;
  removeDraft(key);
  return {};
}

function write(key: string, values: Draft): void {
  const draft = { ...values, at: Date.now() };
  unstored.delete(key);
  try {
    storageOf(key).setItem(key, JSON.stringify(draft));
  } catch {
    unstored.set(key, draft);
  }
}

function storedKeys(): string[] {
  const stored = withFallback(() => Object.keys({ ...localStorage, ...sessionStorage }), []);
  return [...stored, ...unstored.keys()].filter((key) => key.startsWith(PREFIX));
}

// Forms that are not opened again have drafts too.
for (const key of storedKeys()) read(key);

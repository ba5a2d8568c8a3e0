import { newIdempotencyKey } from "./api.ts";
import { isRejected } from "./problem.ts";

/**
 * Unsent forms, stored in this browser so that nothing is lost on a reload or an expired session. A draft belongs to a
 * person, a form and a tab. When its tab was closed or crashed, the next tab in which that person opens the form takes
 * it over; if there are several, the most recent. Drafts of forms that need no login ({@link openTabDraft}) last until
 * their tab is closed or somebody logs out there.
 */
const PREFIX = "tasklane.draft.";
const TAB_PREFIX = "tasklane.tab-draft.";
const TAB_ID_KEY = "tasklane.tab";
/** How long a reloading tab may take to release its lock, in ms. */
const LOCK_TIMEOUT_MS = 1_000;

/** The draft of the profile form. An interrupted registration stores its name and photo there. */
export const PROFILE_FORM = "profile";

type Values = Record<string, string>;
type Draft = {
  /** The typed text, by field name. */
  values: Values;
  /** The version that the draft is based on, if the form needs it. */
  basis?: unknown;
  /** When it was last written, in ms since 1970. */
  at?: number;
  /** Stays the same until the draft is saved or rejected, so that a retry is not carried out twice. */
  idempotencyKey?: string;
};

/** The storage key of this tab's draft of a person's form. */
export function openDraft(uid: string, form: string): string {
  const key = keyOf(uid, form, tabId);
  const [abandoned] = abandonedKeys
    .filter((candidate) => candidate === keyOf(uid, form, tabOf(candidate)) && readDraft(candidate))
    .sort((a, b) => (read(b).at ?? 0) - (read(a).at ?? 0));
  if (abandoned && !readDraft(key)) {
    write(key, { values: {}, ...read(abandoned) });
    removeDraft(abandoned);
  }
  return key;
}

/** The storage key of a draft for a form that needs no login. Only this tab keeps it. */
export function openTabDraft(form: string): string {
  return `${TAB_PREFIX}${form}`;
}

/** The stored draft, or null if there is none or it is not valid. */
export function readDraft(key: string): { values: Values; basis: unknown } | null {
  const { values, basis } = read(key);
  const texts = Object.entries(values ?? {}).filter(([, value]) => typeof value === "string");
  return texts.length > 0 ? { values: Object.fromEntries(texts), basis } : null;
}

/** Stores what was typed. */
export function writeDraft(key: string, values: Values, basis?: unknown): void {
  write(key, { ...read(key), values, basis, at: Date.now() });
}

/** Removes a draft and its idempotency key. */
export function removeDraft(key: string): void {
  memoryDrafts.delete(key);
  withFallback(() => storageOf(key).removeItem(key), undefined);
}

/** Removes all of a person's drafts in this browser. */
export function removeDraftsOf(uid: string): void {
  for (const key of keysWithPrefix(`${PREFIX}${uid}.`)) removeDraft(key);
}

/** Removes the drafts of forms that need no login: the next person to use this tab may be somebody else. */
export function removeTabDrafts(): void {
  for (const key of keysWithPrefix(TAB_PREFIX)) removeDraft(key);
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

let tabId = newIdempotencyKey();
let identified: Promise<void> | undefined;
let abandonedKeys: string[] = [];

/** Finds this tab's drafts and abandoned ones. Call it before rendering a page whose form has a draft. */
export async function findDrafts(): Promise<void> {
  identified ??= identifyTab();
  await identified;
  // Over plain HTTP, or with storage blocked, it is unknown which tabs are open.
  const locks = await navigator.locks?.query().catch(() => undefined);
  if (!locks) return;
  const held = new Set(locks.held?.map(({ name }) => name));
  abandonedKeys = keysWithPrefix(PREFIX).filter((key) => !held.has(lockOf(tabOf(key))));
}

/** A tab holds a lock named after its id while its page is shown, and keeps the id across reloads. */
async function identifyTab(): Promise<void> {
  const newId = tabId;
  const storedId = withFallback(() => sessionStorage.getItem(TAB_ID_KEY), null);
  if (storedId && keysWithPrefix(PREFIX).some((key) => tabOf(key) === storedId)) {
    tabId = storedId;
    // A duplicated tab starts with the id of the original, which still holds the lock.
    if (!(await lockTab())) tabId = newId;
  }
  if (tabId === newId) void lockTab();
  withFallback(() => sessionStorage.setItem(TAB_ID_KEY, tabId), undefined);
  // A page that holds a lock cannot enter the back/forward cache.
  window.addEventListener("pagehide", () => releaseLock());
  window.addEventListener("pageshow", ({ persisted }) => persisted && void lockTab());
}

let releaseLock = () => {};

/** Resolves to false if another tab holds the lock. */
function lockTab(): Promise<boolean> {
  return new Promise((resolve) => {
    if (!navigator.locks) return resolve(true);
    navigator.locks
      .request(lockOf(tabId), { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, () => {
        resolve(true);
        return new Promise<void>((release) => {
          releaseLock = release;
        });
      })
      .catch(() => resolve(false));
  });
}

const lockOf = (tab: string) => `${TAB_ID_KEY}.${tab}`;
const keyOf = (uid: string, form: string, tab: string) => `${PREFIX}${uid}.${form}.${tab}`;
const tabOf = (key: string) => key.slice(key.lastIndexOf(".") + 1);

/** Drafts that could not be stored because storage is full or blocked. They keep the idempotency key for retries. */
const memoryDrafts = new Map<string, Draft>();

/** Ignores storage errors: they must not interrupt typing, and the form itself still holds all values. */
function withFallback<T>(work: () => T, fallback: T): T {
  try {
    return work();
  } catch {
    return fallback;
  }
}

const storageOf = (key: string) => (key.startsWith(TAB_PREFIX) ? sessionStorage : localStorage);

function read(key: string): Partial<Draft> {
  const inMemory = memoryDrafts.get(key);
  if (inMemory) return inMemory;
  // The stored JSON may be anything; all values except null allow property access.
  return withFallback(() => JSON.parse(String(storageOf(key).getItem(key))), null) ?? {};
}

function write(key: string, draft: Draft): void {
  const isStored = withFallback(() => {
    storageOf(key).setItem(key, JSON.stringify(draft));
    return true;
  }, false);
  if (isStored) memoryDrafts.delete(key);
  else memoryDrafts.set(key, draft);
}

function keysWithPrefix(prefix: string): string[] {
  const stored = withFallback<object>(() => storageOf(prefix), {});
  return [...Object.keys(stored), ...memoryDrafts.keys()].filter((key) => key.startsWith(prefix));
}

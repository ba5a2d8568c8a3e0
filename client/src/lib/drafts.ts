import { newIdempotencyKey } from "./api.ts";
import { isRefused } from "./problem.ts";

/**
 * Unsent forms, kept in this browser so that a reload or an expired session loses nothing. A draft belongs to a person,
 * a form and a tab: two tabs with the same form are two forms. A draft whose tab is gone, closed or crashed, is taken
 * over by the next tab in which that person opens the form; of several the one that was written last. What needs no
 * login, {@link openTabDraft}, ends with its tab, or when somebody logs out there.
 */
const PREFIX = "tasklane.draft.";
const TAB_PREFIX = "tasklane.tab-draft.";
const TAB = "tasklane.tab";
/** How long a tab that is being reloaded may take to let go of its drafts, in ms. */
const RELOAD_MS = 1_000;

/** The form of one's own profile. A registration that broke off leaves its name and photo there. */
export const PROFILE_FORM = "profile";

type Values = Record<string, string>;
type Draft = {
  /** What was typed, by field. */
  values: Values;
  /** What it is a change of, if the form needs to know. */
  basis?: unknown;
  /** When it was written, in ms since 1970. */
  at?: number;
  /** Sent with the draft, and the same until it is saved or refused: sending it again does nothing twice. */
  idempotencyKey?: string;
};

/** The storage key of this tab's draft of a person's form. */
export function openDraft(uid: string, form: string): string {
  const key = keyOf(uid, form, tab);
  const [found] = abandoned
    .filter((one) => one === keyOf(uid, form, tabOf(one)) && readDraft(one))
    .sort((a, b) => (read(b).at ?? 0) - (read(a).at ?? 0));
  if (found && !readDraft(key)) {
    write(key, { values: {}, ...read(found) });
    removeDraft(found);
  }
  return key;
}

/** The storage key of a draft that is nobody's: only this tab keeps it, and whoever uses the browser next finds nothing. */
export function openTabDraft(form: string): string {
  return `${TAB_PREFIX}${form}`;
}

/** What was typed before, or null. Anything else in the storage counts as nothing. */
export function readDraft(key: string): { values: Values; basis: unknown } | null {
  const { values, basis } = read(key);
  const texts = Object.entries(values ?? {}).filter(([, value]) => typeof value === "string");
  return texts.length > 0 ? { values: Object.fromEntries(texts), basis } : null;
}

/** Keeps what is typed. */
export function writeDraft(key: string, values: Values, basis?: unknown): void {
  write(key, { ...read(key), values, basis, at: Date.now() });
}

/** Forgets what was typed, and the key that went with it. */
export function removeDraft(key: string): void {
  unstored.delete(key);
  ignoring(() => storageOf(key).removeItem(key), undefined);
}

/** Forgets everything that a person left unsent in this browser. */
export function removeDraftsOf(uid: string): void {
  for (const key of keysFrom(`${PREFIX}${uid}.`)) removeDraft(key);
}

/** Forgets what was left unsent in this tab and is nobody's: whoever uses it next may be somebody else. */
export function removeTabDrafts(): void {
  for (const key of keysFrom(TAB_PREFIX)) removeDraft(key);
}

/** After a save: forgets what was sent. What was typed since stays, as another draft. */
export function settleDraft(key: string, sent: Values): void {
  const since = Object.entries(readDraft(key)?.values ?? {}).filter(([name, text]) => text !== sent[name]);
  removeDraft(key);
  if (since.length > 0) writeDraft(key, Object.fromEntries(since));
}

/**
 * Sends a draft with its idempotency key. After a refusal the key is spent: the corrected draft is another request, also
 * where the key was refused because of an earlier version of the draft, of which its person is told. Otherwise, and as
 * long as the server does not look at keys, this draft may have been saved by an earlier try: then the same key tells.
 */
export async function sendOnce<T>(key: string, send: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const { idempotencyKey = newIdempotencyKey(), ...draft } = read(key);
  write(key, { values: {}, ...draft, idempotencyKey });
  try {
    return await send(idempotencyKey);
  } catch (error) {
    if (isRefused(error)) renewIdempotencyKey(key);
    throw error;
  }
}

/** What is sent next counts as something new. */
export function renewIdempotencyKey(key: string): void {
  const { idempotencyKey, ...draft } = read(key);
  if (idempotencyKey) write(key, { values: {}, ...draft });
}

let tab = newIdempotencyKey();
let claimed: Promise<void> | undefined;
let abandoned: string[] = [];

/** Finds out which drafts are this tab's, and which are nobody's any more; before a page whose form has a draft. */
export async function findDrafts(): Promise<void> {
  claimed ??= claimTab();
  await claimed;
  // Pages that came over plain HTTP cannot tell which tabs are open, nor can those that may keep nothing in the browser.
  const locks = await navigator.locks?.query().catch(() => undefined);
  if (!locks) return;
  const open = new Set(locks.held?.map(({ name }) => name));
  abandoned = keysFrom(PREFIX).filter((key) => !open.has(lockOf(tabOf(key))));
}

/** A tab is known by the lock that it holds while its page is shown, and keeps its id over a reload. */
async function claimTab(): Promise<void> {
  const fresh = tab;
  const before = ignoring(() => sessionStorage.getItem(TAB), null);
  if (before && keysFrom(PREFIX).some((key) => tabOf(key) === before)) {
    tab = before;
    // A duplicated tab begins with the id of the other, which still holds it.
    if (!(await holdTab())) tab = fresh;
  }
  if (tab === fresh) void holdTab();
  ignoring(() => sessionStorage.setItem(TAB, tab), undefined);
  // A page that holds a lock cannot stay in the back/forward cache.
  window.addEventListener("pagehide", () => release());
  window.addEventListener("pageshow", ({ persisted }) => persisted && void holdTab());
}

let release = () => {};

function holdTab(): Promise<boolean> {
  return new Promise((resolve) => {
    if (!navigator.locks) return resolve(true);
    navigator.locks
      .request(lockOf(tab), { signal: AbortSignal.timeout(RELOAD_MS) }, () => {
        resolve(true);
        return new Promise<void>((done) => {
          release = done;
        });
      })
      .catch(() => resolve(false));
  });
}

const lockOf = (tabId: string) => `${TAB}.${tabId}`;
const keyOf = (uid: string, form: string, tabId: string) => `${PREFIX}${uid}.${form}.${tabId}`;
const tabOf = (key: string) => key.slice(key.lastIndexOf(".") + 1);

/** Drafts that a full or forbidden storage did not take: sending one again must still do nothing twice. */
const unstored = new Map<string, Draft>();

// That is no reason to disturb the typing: the form itself still holds everything.
function ignoring<T>(work: () => T, instead: T): T {
  try {
    return work();
  } catch {
    return instead;
  }
}

const storageOf = (key: string) => (key.startsWith(TAB_PREFIX) ? sessionStorage : localStorage);

function read(key: string): Partial<Draft> {
  const kept = unstored.get(key);
  if (kept) return kept;
  // Anything may be stored there: what is not null can at least be asked for its properties.
  return ignoring(() => JSON.parse(String(storageOf(key).getItem(key))), null) ?? {};
}

function write(key: string, draft: Draft): void {
  const isStored = ignoring(() => {
    storageOf(key).setItem(key, JSON.stringify(draft));
    return true;
  }, false);
  if (isStored) unstored.delete(key);
  else unstored.set(key, draft);
}

function keysFrom(start: string): string[] {
  const stored = ignoring<object>(() => storageOf(start), {});
  return [...Object.keys(stored), ...unstored.keys()].filter((key) => key.startsWith(start));
}

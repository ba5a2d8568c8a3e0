import { newOnceKey } from "./drafts.ts";

/**
 * Which draft of a form is this tab's. Two tabs with the same form are two forms: each keeps a draft of its own. One that
 * no tab has open any more, after a crash for instance, is taken over by the next tab that opens the form.
 */
const REMEMBERED = "tasklane.tab.";
/** How long a tab that is being reloaded may take to let go of its draft, in ms. */
const RELOAD_MS = 1_000;

const claims = new Map<string, Promise<string>>();
const keys = new Map<string, string>();

/** Finds this tab's draft of a form, for route loaders; the form then reads it with {@link tabDraftKey}. */
export function claimTabDraft(form: string): Promise<string> {
  const claim = claims.get(form) ?? findDraft(form).then((key) => remember(form, key));
  claims.set(form, claim);
  return claim;
}

/** The storage key of this tab's draft of a form. */
export function tabDraftKey(form: string): string {
  return keys.get(form) ?? remember(form, newKey(form));
}

async function findDraft(form: string): Promise<string> {
  const own = read(form);
  // A duplicated tab remembers the draft of the one that it was copied from, which still has it open.
  if (own && (await open(own, RELOAD_MS))) return own;
  for (const key of storedDrafts(form)) {
    if (navigator.locks && key !== own && (await open(key))) return key;
  }
  const key = newKey(form);
  await open(key);
  return key;
}

/** Marks a draft as open in this tab, for as long as the page lives; false if another tab has it open. */
function open(key: string, patienceMs?: number): Promise<boolean> {
  // Pages that came over plain HTTP cannot tell.
  if (!navigator.locks) return Promise.resolve(true);
  const options = patienceMs ? { signal: AbortSignal.timeout(patienceMs) } : { ifAvailable: true };
  return new Promise((resolve) => {
    navigator.locks
      .request(key, options, (lock) => {
        resolve(lock !== null);
        return lock && new Promise(() => {});
      })
      .catch(() => resolve(false));
  });
}

function newKey(form: string): string {
  return `${form}.${newOnceKey()}`;
}

function remember(form: string, key: string): string {
  keys.set(form, key);
  try {
    sessionStorage.setItem(REMEMBERED + form, key);
  } catch {
    // It lasts as long as the page, then.
  }
  return key;
}

function read(form: string): string | null {
  try {
    return sessionStorage.getItem(REMEMBERED + form);
  } catch {
    return null;
  }
}

function storedDrafts(form: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => /^\.[0-9a-f]+$/.test(key.replace(form, "")));
  } catch {
    return [];
  }
}

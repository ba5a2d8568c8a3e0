import type { ActResult } from "./acts.ts";
import type { BrowserWindow } from "./browser-window.ts";
import { countMismatches } from "./counts.ts";
import type { PageSnapshot } from "./page-snapshot.ts";
import { apiWith } from "./people.ts";

/** How long after an act a property may take to become true, in ms. */
const RETRY_MS = 3_000;
const TRIES = 6;

/** The tally key for checks of unsent texts. */
export const TYPED_TEXTS_CHECK = "unsent texts";

/** An act and what the page showed before it. */
export type Step = {
  window: BrowserWindow;
  before: PageSnapshot;
  done: ActResult;
  /** Counts how often each property was compared. */
  tally: Map<string, number>;
  /** Whether the person was signed in and did not ask to sign out. */
  staysSignedIn: boolean;
};

/** Waits until the page has settled after an act. @returns what is wrong with it then. */
export async function violationsAfter(step: Step): Promise<string[]> {
  const { window, before, done, tally } = step;
  const { snapshot, waitsFor } = await window.settle();
  const { typed } = window.tab;
  const noise = window.noise.splice(0);
  if (typed.has(snapshot.address)) tally.set(TYPED_TEXTS_CHECK, (tally.get(TYPED_TEXTS_CHECK) ?? 0) + 1);
  const hasNavigated = snapshot.address.split("?")[0] !== before.address.split("?")[0];
  // From now on the texts of a submitted form may be gone.
  const lost = typed.check(snapshot, { mayDropTyped: done.mayDropTyped ?? false });
  const left =
    hasNavigated && !done.mayDropTyped && !done.changesSession
      ? typed.notInDrafts(before.address, snapshot.drafts)
      : [];
  const waits = waitsFor && !window.isOffline ? [`it still waits for ${waitsFor}`] : [];
  const certain = [...noise, ...waits, ...lost, ...left];
  if (certain.length > 0) return certain;
  for (let tries = 1; ; tries++) {
    const wrong = await currentProblems(step);
    if (wrong.length === 0 || tries === TRIES) return wrong;
    await window.page.waitForTimeout(RETRY_MS / TRIES);
  }
}

/** Problems of the current page that may resolve within a moment. */
async function currentProblems({ window, before, done, tally, staysSignedIn }: Step): Promise<string[]> {
  const snapshot = await window.snapshot();
  const session = await window.session();
  // A new document starts without focus.
  const keepsFocus = done.byKeyboard === true && snapshot.loadedAt === before.loadedAt;
  const wrong = snapshotProblems(snapshot, { keepsFocus });
  if (staysSignedIn && !session) wrong.push("signed out without having asked for it");
  if (window.isOffline) return wrong;
  if (session && !snapshot.account) wrong.push("signed in, but the page does not show it");
  const api = apiWith(window.origin, session?.token);
  const { isStale } = window.tab;
  const shown = { snapshot, text: await window.text() };
  const counts = await countMismatches(shown, api, { isSignedIn: session !== null, isStale }, tally);
  return [...wrong, ...counts];
}

export function snapshotProblems(snapshot: PageSnapshot, { keepsFocus }: { keepsFocus: boolean }): string[] {
  const { title, heading, controlsInMain, isShort, controlsInLayer, isModal, nameless, overflow, focus } =
    snapshot;
  const wrong: string[] = [];
  if (title.trim() === "") wrong.push("the document has no title");
  if (heading.trim() === "") wrong.push("the page has no heading");
  if (!isModal && isShort && controlsInMain === 0)
    wrong.push("the page is a dead end: it has no link, button or field");
  if (isModal && controlsInLayer === 0) wrong.push("the dialog has no way to close it");
  if (nameless.length > 0) wrong.push(`no accessible name: ${nameless.join("; ")}`);
  if (overflow.length > 0) wrong.push(`overflows the screen: ${overflow.join("; ")}`);
  if (keepsFocus && focus === "") wrong.push("the focus is lost");
  return wrong;
}

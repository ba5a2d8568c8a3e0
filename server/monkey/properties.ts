import type { Done } from "./acts.ts";
import type { BrowserWindow } from "./browser-window.ts";
import { wrongCounts } from "./counts.ts";
import type { Look } from "./look.ts";
import { apiWith } from "./people.ts";

/** What has to become true soon after an act at the latest, in ms. */
const PATIENCE_MS = 3_000;
const TRIES = 6;

/** What is tallied when texts were looked for again. */
export const TYPED = "what was typed and is neither sent nor discarded";

/** An act and what the page showed before it. */
export type Step = {
  window: BrowserWindow;
  before: Look;
  done: Done;
  /** Takes how often each count was compared, and texts were looked for again. */
  tally: Map<string, number>;
  /** Was somebody signed in before it, who did not ask to be signed out? */
  staysSignedIn: boolean;
};

/** Waits until the page has come to rest after an act. @returns what is wrong with it then. */
export async function violationsAfter(step: Step): Promise<string[]> {
  const { window, before, done, tally } = step;
  const { look, waitsFor } = await window.settle();
  const { typed } = window.tab;
  const noise = window.noise.splice(0);
  if (typed.has(look.address)) tally.set(TYPED, (tally.get(TYPED) ?? 0) + 1);
  const isElsewhere = look.address.split("?")[0] !== before.address.split("?")[0];
  // What a form that was sent held may be gone from now on.
  const lost = typed.check(look, { released: done.released ?? false });
  const left =
    isElsewhere && !done.released && !done.changesSession ? typed.checkLeft(before.address, look.drafts) : [];
  const waits = waitsFor && !window.isOffline ? [`it still waits for ${waitsFor}`] : [];
  const certain = [...noise, ...waits, ...lost, ...left];
  if (certain.length > 0) return certain;
  for (let tries = 1; ; tries++) {
    const wrong = await wrongNow(step);
    if (wrong.length === 0 || tries === TRIES) return wrong;
    await window.page.waitForTimeout(PATIENCE_MS / TRIES);
  }
}

/** What is wrong with the page as it is, and may be right a moment later. */
async function wrongNow({ window, before, done, tally, staysSignedIn }: Step): Promise<string[]> {
  const look = await window.look();
  const session = await window.session();
  // A new document begins without a focus.
  const keepsFocus = done.byKeyboard === true && look.loadedAt === before.loadedAt;
  const wrong = wrongLook(look, { keepsFocus });
  if (staysSignedIn && !session) wrong.push("signed out, and nobody asked for that");
  if (window.isOffline) return wrong;
  if (session && !look.account) wrong.push("somebody is signed in, and the page does not show it");
  const api = apiWith(window.origin, session?.token);
  const { isStale } = window.tab;
  const shown = { look, text: await window.text() };
  const counts = await wrongCounts(shown, api, { isSignedIn: session !== null, isStale }, tally);
  return [...wrong, ...counts];
}

/** What a look at the page shows to be wrong. */
export function wrongLook(look: Look, { keepsFocus }: { keepsFocus: boolean }): string[] {
  const { title, heading, ways, isShort, waysInLayer, isModal, nameless, overflow, focus } = look;
  const wrong: string[] = [];
  if (title.trim() === "") wrong.push("the document has no title");
  if (heading.trim() === "") wrong.push("the page has no heading");
  if (!isModal && isShort && ways === 0) wrong.push("the page has no way on: no link, button or field in it");
  if (isModal && waysInLayer === 0) wrong.push("the dialog has no way to close it");
  if (nameless.length > 0) wrong.push(`nothing names ${nameless.join("; ")}`);
  if (overflow.length > 0) wrong.push(`wider than its room: ${overflow.join("; ")}`);
  if (keepsFocus && focus === "") wrong.push("the focus is lost");
  return wrong;
}

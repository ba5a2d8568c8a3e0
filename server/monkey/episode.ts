import type { Browser } from "@playwright/test";
import * as acts from "./acts.ts";
import { addressesFor } from "./addresses.ts";
import * as browserActs from "./browser-acts.ts";
import { BrowserWindow } from "./browser-window.ts";
import type { PageSnapshot } from "./page-snapshot.ts";
import { type Role, signInAs } from "./people.ts";
import { violationsAfter } from "./properties.ts";
import type { Random } from "./texts.ts";
import { withTimeout } from "./with-timeout.ts";

const ACTS: readonly (readonly [number, acts.Act])[] = [
  [42, acts.useControl],
  [10, acts.fillForm],
  [16, acts.pressKeys],
  [4, browserActs.scroll],
  [5, browserActs.goBack],
  [3, browserActs.reload],
  [6, browserActs.leaveAndReturn],
  [5, browserActs.goTo],
  [4, browserActs.resize],
  [4, browserActs.otherTab],
  [2, browserActs.beOffline],
  [5, browserActs.letOthersAct],
];
const OFFLINE_ACTS: readonly (readonly [number, acts.Act])[] = [
  [10, acts.useControl],
  [4, acts.fillForm],
  [4, acts.pressKeys],
  [1, browserActs.scroll],
  [1, browserActs.resize],
  [8, browserActs.beOnline],
];
/** These load documents, which works offline only with the service worker. */
const LOADING: readonly (readonly [number, acts.Act])[] = [
  [2, browserActs.goBack],
  [2, browserActs.reload],
  [2, browserActs.leaveAndReturn],
];

/** Longer than any act takes including its page loads, in ms. */
const ACT_MS = 150_000;

export type EpisodeOptions = {
  browser: Browser;
  origin: string;
  role: Role;
  random: Random;
  /** Maximum number of acts. */
  acts: number;
  /** Path for the screenshot of a violation, without extension. */
  picture: string;
  /** Ends the episode early. */
  signal: AbortSignal;
};

export type Episode = {
  /** A short description of each act. */
  story: string[];
  /** The acts that were not possible, with the reason. */
  skippedActs: string[];
  /** The visited addresses, without ids and filters. */
  pages: Set<string>;
  /** How often each property was compared. */
  tally: Map<string, number>;
  violation?: { what: string[]; address: string; picture: string };
};

/** Lets one person use one browser: random acts, with the properties checked after each. Ends at the first violation. */
export async function runEpisode(options: EpisodeOptions): Promise<Episode> {
  const { browser, origin, role, random, signal } = options;
  const episode: Episode = { story: [], skippedActs: [], pages: new Set(), tally: new Map() };
  const window = await BrowserWindow.open(browser, origin);
  const violationOf = async (what: string[]) => {
    const picture = `${options.picture}.png`;
    await window.page.screenshot({ path: picture }).catch(() => undefined);
    return { what, address: window.page.url(), picture };
  };
  try {
    const { person, api } = await signInAs(window, role, random);
    const context: acts.ActContext = {
      window,
      random,
      person,
      used: new Map(),
      addresses: await addressesFor(role, api),
    };
    let isSignedIn = person !== null;
    let before = await window.snapshot();
    while (episode.story.length < options.acts && !signal.aborted) {
      const done = await withTimeout(act(context, before, episode.story.length === 0), ACT_MS).catch(
        actTimedOut,
      );
      // An aborted act may have left the tab on an empty page.
      if (!window.isInApp()) await window.page.goto("/");
      episode.story.push(done.text);
      if (done.skipped) episode.skippedActs.push(done.text);
      markStaleTabs(window, done);
      const staysSignedIn = isSignedIn && !done.changesSession;
      const what = await violationsAfter({ window, before, done, tally: episode.tally, staysSignedIn }).catch(
        pageUnreadable,
      );
      if (what.length > 0) return { ...episode, violation: await violationOf(what) };
      before = await window.snapshot();
      episode.pages.add(pageKind(before.address));
      isSignedIn = await updateSession(context);
    }
    // Late errors of the last act.
    const { noise } = window;
    return noise.length > 0 ? { ...episode, violation: await violationOf(noise) } : episode;
  } finally {
    await window.close();
  }
}

function actTimedOut(error: unknown): acts.ActResult {
  return acts.skippedAct("an act that timed out", error);
}

function pageUnreadable(error: unknown): string[] {
  return [`the page cannot be read: ${String(error).split("\n")[0]}`];
}

/** Tries random acts until one is possible. */
async function act(
  context: acts.ActContext,
  snapshot: PageSnapshot,
  isFirst: boolean,
): Promise<acts.ActResult> {
  const { window, random } = context;
  if (isFirst) return (await browserActs.goTo(context, snapshot)) ?? { text: "" };
  const possible = window.isOffline ? [...OFFLINE_ACTS, ...(snapshot.hasWorker ? LOADING : [])] : ACTS;
  for (;;) {
    const one = random.weighted(possible);
    // Without its service worker no page could show that the network is down.
    if (one === browserActs.beOffline && !snapshot.hasWorker) continue;
    try {
      const done = await one(context, snapshot);
      if (done) return done;
    } catch (error) {
      return acts.skippedAct("an act of several steps", error);
    }
  }
}

/** Marks tabs that may show outdated data after an act in another tab or by someone else. */
function markStaleTabs(window: BrowserWindow, { makesStale, reloaded }: acts.ActResult): void {
  for (const tab of window.tabs) {
    if (makesStale === "all tabs" || (makesStale === "other tabs" && tab !== window.tab)) tab.isStale = true;
  }
  if (reloaded) window.tab.isStale = false;
}

/** Updates who is signed in. @returns whether anybody is. */
async function updateSession(context: acts.ActContext): Promise<boolean> {
  const session = await context.window.session();
  const isNew = session !== null && session.email !== context.person?.email;
  // A new account was registered, with a password that is not recorded.
  if (isNew) context.person = { email: session.email, password: "", isOwn: true };
  if (!session || isNew) for (const { typed } of context.window.tabs) typed.clear();
  return session !== null;
}

/** An address without ids and filters. */
function pageKind(address: string): string {
  return address.replace(/\?.*/, "").replace(/[\da-f]{24}$|(?<=^\/people\/).+/, ":id");
}

import type { Browser } from "@playwright/test";
import * as acts from "./acts.ts";
import { addressesFor } from "./addresses.ts";
import { BrowserWindow } from "./browser-window.ts";
import { inTime } from "./in-time.ts";
import type { Look } from "./look.ts";
import { enter, type Role } from "./people.ts";
import { violationsAfter } from "./properties.ts";
import type { Chance } from "./texts.ts";
import * as ways from "./ways.ts";

const ACTS: readonly (readonly [number, acts.Act])[] = [
  [42, acts.useControl],
  [10, acts.fillForm],
  [16, acts.pressKeys],
  [4, ways.scroll],
  [5, ways.goBack],
  [3, ways.reload],
  [6, ways.leaveAndReturn],
  [5, ways.goTo],
  [4, ways.resize],
  [4, ways.otherTab],
  [2, ways.beOffline],
  [5, ways.somebodyElse],
];
const OFFLINE_ACTS: readonly (readonly [number, acts.Act])[] = [
  [10, acts.useControl],
  [4, acts.fillForm],
  [4, acts.pressKeys],
  [1, ways.scroll],
  [1, ways.resize],
  [8, ways.beOnline],
];
/** These load documents, which needs the service worker where there is no network. */
const LOADING: readonly (readonly [number, acts.Act])[] = [
  [2, ways.goBack],
  [2, ways.reload],
  [2, ways.leaveAndReturn],
];

/** Longer than any act takes, with the pages that it loads, in ms. */
const ACT_MS = 150_000;

export type EpisodeOptions = {
  browser: Browser;
  origin: string;
  role: Role;
  chance: Chance;
  /** How many acts it takes at most. */
  acts: number;
  /** Where screenshots of violations go, without ending. */
  picture: string;
  /** Ends it early. */
  signal: AbortSignal;
};

export type Episode = {
  /** What was done, in short, one line for each act. */
  story: string[];
  /** Those of them that could not be done, with the reason. */
  notDone: string[];
  /** The kinds of pages that were seen: their addresses without ids and filters. */
  pages: Set<string>;
  /** How often each count was compared with the API's, and texts were looked for again. */
  tally: Map<string, number>;
  violation?: { what: string[]; address: string; picture: string };
};

/** One person with one browser for a while: acts at random, and the properties after each. Ends at the first violation. */
export async function runEpisode(options: EpisodeOptions): Promise<Episode> {
  const { browser, origin, role, chance, signal } = options;
  const episode: Episode = { story: [], notDone: [], pages: new Set(), tally: new Map() };
  const window = await BrowserWindow.open(browser, origin);
  const showing = async (what: string[]) => {
    const picture = `${options.picture}.png`;
    await window.page.screenshot({ path: picture }).catch(() => undefined);
    return { what, address: window.page.url(), picture };
  };
  try {
    const { person, api } = await enter(window, role, chance);
    const scene: acts.Scene = {
      window,
      chance,
      person,
      used: new Map(),
      addresses: await addressesFor(role, api),
    };
    let isSignedIn = person !== null;
    let before = await window.look();
    while (episode.story.length < options.acts && !signal.aborted) {
      const done = await inTime(act(scene, before, episode.story.length === 0), ACT_MS).catch(comesToNoEnd);
      // An act that broke off may have left the tab empty.
      if (!window.isInApp()) await window.page.goto("/");
      episode.story.push(done.text);
      if (done.skipped) episode.notDone.push(done.text);
      noteStaleness(window, done);
      const staysSignedIn = isSignedIn && !done.changesSession;
      const what = await violationsAfter({ window, before, done, tally: episode.tally, staysSignedIn }).catch(
        cannotLook,
      );
      if (what.length > 0) return { ...episode, violation: await showing(what) };
      before = await window.look();
      episode.pages.add(kindOf(before.address));
      isSignedIn = await noteSession(scene);
    }
    // What the last act led to later.
    const { noise } = window;
    return noise.length > 0 ? { ...episode, violation: await showing(noise) } : episode;
  } finally {
    await window.close();
  }
}

function comesToNoEnd(error: unknown): acts.Done {
  return acts.notDone("an act that comes to no end", error);
}

function cannotLook(error: unknown): string[] {
  return [`the page cannot be looked at: ${String(error).split("\n")[0]}`];
}

/** Tries acts until one was possible. */
async function act(scene: acts.Scene, look: Look, isFirst: boolean): Promise<acts.Done> {
  const { window, chance } = scene;
  if (isFirst) return (await ways.goTo(scene, look)) ?? { text: "" };
  const possible = window.isOffline ? [...OFFLINE_ACTS, ...(look.hasWorker ? LOADING : [])] : ACTS;
  for (;;) {
    const one = chance.weighted(possible);
    // Without its worker there is no page to say that there is no network.
    if (one === ways.beOffline && !look.hasWorker) continue;
    try {
      const done = await one(scene, look);
      if (done) return done;
    } catch (error) {
      return acts.notDone("an act of several steps", error);
    }
  }
}

/** What a tab shows may be older than what another tab, or somebody else, has done since. */
function noteStaleness(window: BrowserWindow, { behindIts, fresh }: acts.Done): void {
  for (const tab of window.tabs) {
    if (behindIts === "back" || (behindIts === "others" && tab !== window.tab)) tab.isStale = true;
  }
  if (fresh) window.tab.isStale = false;
}

/** Follows who is signed in by now. @returns whether somebody is. */
async function noteSession(scene: acts.Scene): Promise<boolean> {
  const session = await scene.window.session();
  const isNew = session !== null && session.email !== scene.person?.email;
  // Somebody has registered, with a password that is not remembered.
  if (isNew) scene.person = { email: session.email, password: "", isOwn: true };
  if (!session || isNew) for (const { typed } of scene.window.tabs) typed.clear();
  return session !== null;
}

/** An address without what differs between pages of a kind. */
function kindOf(address: string): string {
  return address.replace(/\?.*/, "").replace(/[\da-f]{24}$|(?<=^\/people\/).+/, ":id");
}

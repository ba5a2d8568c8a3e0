import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { CHROMIUM_FLAGS, THIS_HOST_ONLY } from "../dev/chromium-flags.ts";
import { CLIENT } from "../dev/lib/paths.ts";
import { seededRandom } from "../test/many-tasks.ts";
import { COUNT_NAMES } from "./counts.ts";
import { type Episode, runEpisode } from "./episode.ts";
import { liftSuspensions, ROLES } from "./people.ts";
import { TYPED_TEXTS_CHECK } from "./properties.ts";
import { createRandom } from "./texts.ts";

/** Pictures of violations; git ignores the folder. */
const PICTURES = join(CLIENT, "test-results", "monkey");
const ACTS_PER_EPISODE = 50;
const PROPERTIES = [...COUNT_NAMES, TYPED_TEXTS_CHECK];
/** A run this long must have compared every property: a check that never runs proves nothing. */
const FULL_COVERAGE_ACTS = 3_000;

export type MonkeyOptions = {
  origin: string;
  seed: number;
  minutes: number;
  /** Runs only this episode; otherwise all from 1 on, until the time is up. */
  episode?: number | undefined;
  chromiumPath: string | undefined;
  signal: AbortSignal;
};

export type MonkeyResult = {
  episodes: number;
  acts: number;
  /** Acts that were not possible, with the reason. */
  skippedActs: string[];
  pages: Set<string>;
  /** How often each property was compared. */
  tally: Map<string, number>;
  seconds: number;
  violations: string[];
};

/** Runs episodes on a running product. */
export async function runMonkey(
  options: MonkeyOptions,
  progress: (text: string) => void,
): Promise<MonkeyResult> {
  const { origin, seed, chromiumPath, signal } = options;
  mkdirSync(PICTURES, { recursive: true });
  const started = Date.now();
  const deadline = started + options.minutes * 60_000;
  const result: MonkeyResult = {
    episodes: 0,
    acts: 0,
    skippedActs: [],
    pages: new Set(),
    tally: new Map(),
    seconds: 0,
    violations: [],
  };
  const browser = await chromium.launch({
    ...(chromiumPath && { executablePath: chromiumPath }),
    args: [...CHROMIUM_FLAGS, THIS_HOST_ONLY],
  });
  try {
    for (let number = options.episode ?? 1; Date.now() < deadline && !signal.aborted; number++) {
      const role = ROLES[(number - 1) % ROLES.length] ?? "visitor";
      const timeUp = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, deadline - Date.now()))]);
      const picture = join(PICTURES, `${seed}-${number}`);
      await liftSuspensions(origin);
      // Each episode has its own random numbers, so that it can be run alone.
      const roll = seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b));
      const random = createRandom(roll);
      const limits = { acts: ACTS_PER_EPISODE, signal: timeUp };
      const episode = await runEpisode({ browser, origin, role, random, picture, ...limits });
      progress(
        `episode ${number}, ${role}: ${episode.story.length} acts, ${episode.skippedActs.length} not done`,
      );
      result.episodes += 1;
      result.acts += episode.story.length;
      result.skippedActs.push(...episode.skippedActs);
      for (const page of episode.pages) result.pages.add(page);
      for (const [what, times] of episode.tally)
        result.tally.set(what, (result.tally.get(what) ?? 0) + times);
      if (episode.violation) {
        const name = `seed ${seed}, episode ${number} (${role})`;
        const text = violationText(episode.story, episode.violation, name);
        result.violations.push(text);
        progress(text);
      }
      if (options.episode) break;
    }
  } finally {
    await browser.close();
  }
  for (const what of PROPERTIES) {
    if (result.acts < FULL_COVERAGE_ACTS || result.tally.has(what)) continue;
    const text = `✗ never compared: ${what}`;
    result.violations.push(text);
    progress(text);
  }
  return { ...result, seconds: (Date.now() - started) / 1_000 };
}

/** Describes a violation with everything needed to reproduce it. */
function violationText(
  story: readonly string[],
  { what, address, picture }: NonNullable<Episode["violation"]>,
  episode: string,
): string {
  return [
    `✗ ${episode}, act ${story.length}, at ${address}`,
    ...what.map((line) => `    ${line}`),
    `    picture: ${picture}`,
    "    acts:",
    ...story.map((line, at) => `      ${at + 1}. ${line}`),
  ].join("\n");
}

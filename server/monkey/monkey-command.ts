import { parseArgs } from "node:util";
import { findChromium } from "../dev/chromium.ts";
import { startE2eProduct } from "../dev/commands/e2e-server.ts";
import { withCloser } from "../dev/lib/closer.ts";
import { UserError } from "../dev/lib/user-error.ts";
import { wholeNumber } from "../dev/lib/whole-number.ts";
import { type MonkeyResult, runMonkey } from "./run-monkey.ts";

const USAGE = "npm run monkey -- [--minutes 30] [--seed 1] [--episode 7]";

/** `npm run monkey`: uses the product at random in a browser, and fails if a property of its pages is violated. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "30" },
      seed: { type: "string", default: String(Date.now() % 100_000) },
      episode: { type: "string" },
    },
  });
  const { episode: only } = values;
  const minutes = wholeNumber("minutes", values.minutes, { min: 1, max: 1_440, usage: USAGE });
  const seed = wholeNumber("seed", values.seed, { min: 0, max: 2 ** 31, usage: USAGE });
  const episode =
    only === undefined ? only : wholeNumber("episode", only, { min: 1, max: 100_000, usage: USAGE });
  const progress = (text: string) => void process.stdout.write(`  · ${text}\n`);
  await withCloser(async (closer) => {
    const chromiumPath = await findChromium(progress);
    progress("building and starting the product");
    const { url: origin } = await closer.track(startE2eProduct(), (running) => running.close());
    closer.signal.throwIfAborted();
    progress(`seed ${seed}`);
    const { signal } = closer;
    const result = await runMonkey({ origin, seed, minutes, episode, chromiumPath, signal }, progress);
    process.stdout.write(`\n${reportOf(seed, result)}\n`);
    if (result.violations.length > 0)
      throw new UserError(`${result.violations.length} violations, see above.`);
  });
}

function reportOf(seed: number, result: MonkeyResult): string {
  const { episodes, acts, skippedActs, pages, tally, seconds, violations } = result;
  const compared = [...tally].map(([what, times]) => `${what} ${times} times`);
  return [
    ...skippedActs,
    `Seed ${seed}: ${acts} acts in ${episodes} episodes and ${(seconds / 60).toFixed(1)} minutes, ${skippedActs.length} not done (above).`,
    `${pages.size} kinds of pages: ${[...pages].sort().join(" ")}`,
    `Compared: ${compared.join("; ")}`,
    `${violations.length} violations.`,
  ].join("\n");
}

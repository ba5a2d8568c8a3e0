import { parseArgs } from "node:util";
import { findChromium } from "../lib/chromium.ts";
import { CLIENT } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { wholeNumber } from "../lib/whole-number.ts";

const USAGE = "npm run tool monkey -- [--episodes 40] [--seed 1]";

/** `npm run tool monkey`: runs `client/e2e/monkey.spec.ts`, 40 acts an episode; about a minute each. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      episodes: { type: "string", default: "40" },
      seed: { type: "string", default: String(Date.now() % 100_000) },
    },
  });
  const episodes = wholeNumber("episodes", values.episodes, { min: 1, max: 10_000, usage: USAGE });
  const seed = wholeNumber("seed", values.seed, { min: 0, max: 2 ** 31, usage: USAGE });
  const chromium = await findChromium((text) => void process.stdout.write(`  · ${text}\n`));
  const { code } = await runBin(CLIENT, "@playwright/test", ["test", "e2e/monkey.spec.ts"], {
    bin: "playwright",
    env: {
      ...process.env,
      MONKEY_EPISODES: String(episodes),
      MONKEY_SEED: String(seed),
      ...(chromium && { E2E_CHROMIUM: chromium }),
    },
    show: true,
  });
  process.exitCode = code;
}

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildServer } from "../dev/build/build-product.ts";
import { Closer } from "../dev/lib/closer.ts";
import { SERVER } from "../dev/lib/paths.ts";
import { UserError } from "../dev/lib/user-error.ts";
import { waitUntil } from "../dev/lib/wait-until.ts";
import { wholeNumber } from "../dev/lib/whole-number.ts";
import { ensureTestServices } from "../dev/test-services.ts";
import { buildContainers } from "./containers.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { type Lie, TRUTH } from "./lie-kinds.ts";
import { LIES } from "./lies.ts";
import { type ChaosOptions, runChaos } from "./run-chaos.ts";

const USAGE = "npm run chaos -- [--seed 1] [--seconds 120] [--only 'primary'] [--lies | --containers]";
const MAX_SHOWN = 50;
/** For so long people do what they do, without faults; and longer, until a bug has shown itself some times. */
const CALM_MS = 20_000;
const TOLD_TIMES = 3;
const TOLD = { timeoutMs: 120_000, everyMs: 100 };

/** `npm run chaos`: injects faults into a replica set and two API instances under load, and fails if a write is lost or duplicated. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 100_000) },
      seconds: { type: "string", default: "120" },
      only: { type: "string", default: "" },
      lies: { type: "boolean", default: false },
      containers: { type: "boolean", default: false },
    },
  });
  const seed = wholeNumber("seed", values.seed, { min: 0, max: 2 ** 31, usage: USAGE });
  const seconds = wholeNumber("seconds", values.seconds, { min: 0, max: 3_600, usage: USAGE });
  const faults = FAULTS.filter(({ name }) => name.includes(values.only));
  const lies = LIES.filter(({ name }) => name.includes(values.only));
  if ((values.lies ? lies : faults).length === 0)
    throw new UserError(`No fault is called "${values.only}".\n${USAGE}`);
  await buildServer();
  const closer = new Closer();
  closer.closeOnSignal(1);
  const crowd = { clients: 8, freelancers: 24, talking: 4, away: 3, main: join(SERVER, "dist", "main.js") };
  const progress = (text: string) => void process.stderr.write(`  · ${text}\n`);
  if (values.lies) return findLies(lies, { seed, ...crowd }, progress, closer).finally(() => closer.close());
  const containers = values.containers ? await buildContainers(progress, closer) : undefined;
  const options = { seed, faults, seconds, ...crowd, ...(containers && { containers }) };
  const { report, problems } = await runChaos(options, progress, closer);
  process.stdout.write(`\nSeed ${seed}.\n\n${report}\n\n`);
  if (problems.length > 0)
    throw new UserError(`${problems.length} problems:\n${problems.slice(0, MAX_SHOWN).join("\n")}`);
  process.stdout.write("Nothing was lost, nothing was duplicated.\n");
}

/**
 * Runs without faults, but each time with another bug between people and the product: every one must be found, and nothing
 * where there is none.
 */
async function findLies(
  lies: readonly Lie[],
  options: Omit<ChaosOptions, "faults" | "seconds" | "lie">,
  progress: (text: string) => void,
  closer: Closer,
): Promise<void> {
  // One emulator for all of them.
  await closer.track(ensureTestServices(progress), (services) => services.stop());
  const problemsWith = async (lie: Lie) => {
    const inject = async () => {
      await sleep(CALM_MS);
      await waitUntil(() => lie.told() >= TOLD_TIMES, TOLD);
      return `told ${lie.told()} times`;
    };
    const calm: Fault = { name: "calm", inject };
    const run = { ...options, ...lie.crowd, faults: [calm], seconds: 0, lie };
    return (await runChaos(run, () => undefined)).problems;
  };
  const wrong = (await problemsWith(TRUTH)).map((text) => `Found although nothing was planted: ${text}`);
  progress(`nothing: ${wrong.length} problems`);
  for (const lie of lies) {
    const problems = await problemsWith(lie);
    const found = problems.find((text) => lie.noticed.test(text));
    progress(
      `${lie.name}: ${found ?? `NOT FOUND, told ${lie.told()} times; ${problems.length} other problems, ${problems[0] ?? "none"}`}`,
    );
    if (found === undefined) wrong.push(`Not found: ${lie.name}`);
  }
  if (wrong.length > 0) throw new UserError(wrong.slice(0, MAX_SHOWN).join("\n"));
  process.stdout.write(`All ${lies.length} planted bugs were found, and nothing where there was none.\n`);
}

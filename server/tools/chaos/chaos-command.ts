import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Closer, withCloser } from "../lib/closer.ts";
import { SERVER } from "../lib/paths.ts";
import { UserError } from "../lib/user-error.ts";
import { waitUntil } from "../lib/wait-until.ts";
import { wholeNumber } from "../lib/whole-number.ts";
import { buildServer } from "../start/build-product.ts";
import { ensureTestServices } from "../start/test-services.ts";
import { buildContainers } from "./containers.ts";
import { FAULTS, type Fault } from "./faults.ts";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.ts";
import { type ChaosOptions, runChaos } from "./run-chaos.ts";

const USAGE =
  "npm run tool chaos -- [--seed 1] [--seconds 120] [--only 'primary'] [--planted-bugs | --containers]";
const MAX_SHOWN = 50;
/** How long a run without faults lasts at least; it goes on until its bug has occurred a few times. */
const CALM_MS = 20_000;
const MIN_OCCURRENCES = 3;
const OCCURRED = { timeoutMs: 120_000, everyMs: 100 };

/** `npm run tool chaos`: injects faults into a replica set and two API instances under load, and fails if a write is lost or duplicated. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string", default: String(Date.now() % 100_000) },
      seconds: { type: "string", default: "120" },
      only: { type: "string", default: "" },
      "planted-bugs": { type: "boolean", default: false },
      containers: { type: "boolean", default: false },
    },
  });
  const seed = wholeNumber("seed", values.seed, { min: 0, max: 2 ** 31, usage: USAGE });
  const seconds = wholeNumber("seconds", values.seconds, { min: 0, max: 3_600, usage: USAGE });
  const faults = FAULTS.filter(({ name }) => name.includes(values.only));
  const bugs = PLANTED_BUGS.filter(({ name }) => name.includes(values.only));
  const isPlanting = values["planted-bugs"];
  if (isPlanting && values.containers) throw new UserError(`Choose one of both.\n${USAGE}`);
  if ((isPlanting ? bugs : faults).length === 0)
    throw new UserError(`No ${isPlanting ? "bug" : "fault"} is called "${values.only}".\n${USAGE}`);
  await buildServer();
  const crowd = { clients: 8, freelancers: 24, pairs: 6, main: join(SERVER, "dist", "main.js") };
  const progress = (text: string) => void process.stderr.write(`  · ${text}\n`);
  await withCloser(async (closer) => {
    if (isPlanting) return findPlantedBugs(bugs, { seed, ...crowd }, progress, closer);
    const containers = values.containers ? await buildContainers(progress, closer) : undefined;
    const injected = faults.filter(({ needsProcesses }) => !needsProcesses || !containers);
    const options = { seed, faults: injected, seconds, ...crowd, ...(containers && { containers }) };
    const { report, problems, reached } = await runChaos(options, progress, closer);
    process.stdout.write(`\nSeed ${seed}.\n\n${report}\n\n`);
    // A run that never got there has proved nothing about it.
    if (faults.length === FAULTS.length)
      for (const [what, times] of Object.entries(reached))
        if (times === 0) problems.push(`never reached: ${what}`);
    if (problems.length > 0)
      throw new UserError(`${problems.length} problems:\n${problems.slice(0, MAX_SHOWN).join("\n")}`);
    process.stdout.write("Every history is explained: nothing was lost, nothing was duplicated.\n");
  });
}

/** Runs without faults, each time with one planted bug: each must be found, and nothing in a run without any. */
async function findPlantedBugs(
  bugs: readonly PlantedBug[],
  options: Omit<ChaosOptions, "faults" | "seconds" | "bug">,
  progress: (text: string) => void,
  closer: Closer,
): Promise<void> {
  // All runs share one emulator.
  await closer.track(ensureTestServices(progress), (services) => services.stop());
  const problemsWith = async (bug?: PlantedBug) => {
    const inject = async () => {
      await sleep(CALM_MS);
      await waitUntil(() => !bug || bug.occurrences() >= MIN_OCCURRENCES, OCCURRED);
      return undefined;
    };
    const calm: Fault = { name: "calm", inject };
    const run = { ...options, faults: [calm], seconds: 0, ...(bug && { bug }) };
    // Closed by Ctrl-C too, before the shared emulator.
    const own = new Closer();
    closer.add(() => own.close());
    return (await runChaos(run, () => undefined, own)).problems;
  };
  const wrong = (await problemsWith()).map((text) => `Found although no bug was planted: ${text}`);
  progress(`no bug: ${wrong.length} problems`);
  for (const bug of bugs) {
    const problems = await problemsWith(bug);
    const found = problems.find((text) => text.includes("nothing explains"));
    progress(
      `${bug.name}: ${found ?? `NOT FOUND, occurred ${bug.occurrences()} times; ${problems.length} other problems, ${problems[0] ?? "none"}`}`,
    );
    if (found === undefined) wrong.push(`Not found: ${bug.name}`);
  }
  if (wrong.length > 0) throw new UserError(wrong.slice(0, MAX_SHOWN).join("\n"));
  process.stdout.write(`All ${bugs.length} planted bugs were found, and nothing without one.\n`);
}

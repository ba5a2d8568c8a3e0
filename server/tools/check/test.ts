import { Closer } from "../lib/closer.ts";
import { UserError } from "../lib/user-error.ts";
import { addTotals, sentence } from "./reports.ts";
import { runStages, STAGES, type Stage, type StageResult } from "./stages.ts";

/** `npm test`: runs all stages, even after one has failed; `npm test -- server e2e` runs only those. */
export async function main(args: string[]): Promise<void> {
  const stages = parseStages(args);
  const closer = new Closer();
  closer.closeOnSignal(1);
  const results = await runStages(stages, closer);
  // On a signal its handler stops the services and ends the process.
  if (closer.signal.aborted) return;
  await closer.close();
  summarise(results);
}

function parseStages(args: string[]): Stage[] {
  const unknown = args.filter((arg) => !STAGES.some((stage) => stage === arg));
  if (unknown.length > 0)
    throw new UserError(`Unknown stage ${unknown.join(", ")}: choose from ${STAGES.join(", ")}.`);
  return STAGES.filter((stage) => args.length === 0 || args.includes(stage));
}

/** Repeats all failures. The last line is machine-readable: `N passed, N failed`. */
function summarise(results: StageResult[]): void {
  const sum = addTotals(results.map(({ totals }) => totals));
  const lines = [
    ...sum.failures.map((name) => `  ✗ ${name}`),
    ...results.map(({ stage, totals }) => `  ${stage.padEnd(8)}${sentence(totals)}`),
    "",
    sentence(sum),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
  process.exitCode = sum.failed === 0 ? 0 : 1;
}

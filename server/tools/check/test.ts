import { withCloser } from "../lib/closer.ts";
import { UserError } from "../lib/user-error.ts";
import { count, failuresIn, sentence } from "./reports.ts";
import { runStages, STAGES, type Stage, type StageResult } from "./stages.ts";

/**
 * `npm test`: runs all stages, even after one has failed; `npm test -- server e2e` runs only those, and
 * `npm test -- server src/app.test.ts` only the files of a stage whose path contains one of the texts.
 */
export async function main(args: string[]): Promise<void> {
  const { stages, files } = parseArgs(args);
  await withCloser(async (closer) => {
    const results = await runStages(stages, files, closer);
    closer.signal.throwIfAborted();
    // So that its last line is the last one.
    await closer.close();
    summarise(results);
  });
}

function parseArgs(args: string[]): { stages: Stage[]; files: string[] } {
  const stages = STAGES.filter((stage) => args.length === 0 || args.includes(stage));
  const files = args.filter((arg) => !STAGES.some((stage) => stage === arg));
  const hasFiles = stages.length === 1 && stages[0] !== "check";
  if (files.length > 0 && !hasFiles)
    throw new UserError(
      `Choose from ${STAGES.join(", ")}; files need exactly one of server, client and e2e.`,
    );
  return { stages, files };
}

/** Repeats all failures. The last line is machine-readable: `N passed, N failed`. */
function summarise(stages: StageResult[]): void {
  const all = stages.flatMap(({ results }) => results);
  const lines = [
    ...failuresIn(all).map((failure) => `  ✗ ${failure}`),
    ...stages.map(({ stage, results }) => `  ${stage.padEnd(8)}${sentence(results)}`),
    "",
    sentence(all),
  ];
  process.stdout.write(`\n${lines.join("\n")}\n`);
  process.exitCode = count(all, "failed") === 0 ? 0 : 1;
}

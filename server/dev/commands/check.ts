import { lintApi } from "../checks/api-lint.ts";
import { budgetReport } from "../checks/budgets.ts";
import { deploymentProblems } from "../checks/deployment.ts";
import { buildForE2e, E2E_WEB_ROOT } from "../e2e-server.ts";
import { CLIENT, ROOT, SERVER } from "../lib/paths.ts";
import { type RunResult, runBin } from "../lib/run.ts";
import { explain } from "../lib/user-error.ts";
import { licenceProblems } from "../supply-chain/licences.ts";
import { shippedPackages } from "../supply-chain/packages.ts";

type RunOptions = { show: boolean; signal?: AbortSignal };
type Check = { name: string; run(options: RunOptions): Promise<RunResult> };

/** What must hold before any test runs. */
const CHECKS: Check[] = [
  program("Format and lint", ROOT, "@biomejs/biome", "biome", ["ci", "."]),
  program("Types of the server", SERVER, "typescript", "tsc", ["-p", ".", "--noEmit"]),
  program("Types of the web app", CLIENT, "typescript", "tsc", ["-p", ".", "--noEmit"]),
  program("Import rules", ROOT, "dependency-cruiser", "depcruise", ["server", "client"]),
  program("Unused code", ROOT, "knip", "knip", []),
  own("Licences of what ships", () => licenceProblems(shippedPackages().packages)),
  own("Dockerfile and compose file", deploymentProblems),
  own("OpenAPI document", lintApi),
  { name: "Download budgets", run: checkBudgets },
];

/** `npm run check`: runs every check, also after one failed. */
export async function main(): Promise<void> {
  const { failed } = await runChecks({ isShown: true });
  process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}.\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/**
 * Runs all checks.
 * @param options.isShown whether their output is shown live; otherwise it is returned.
 * @returns the names of those that failed.
 */
export async function runChecks({
  isShown,
  signal,
}: {
  isShown: boolean;
  signal?: AbortSignal;
}): Promise<{ failed: string[]; output: string }> {
  const failed: string[] = [];
  let output = "";
  const write = (text: string) => {
    if (isShown) process.stdout.write(text);
    else output += text;
  };
  for (const { name, run } of CHECKS) {
    write(`\n── ${name}\n`);
    const result = await run({ show: isShown, ...(signal && { signal }) });
    write(result.output);
    if (result.code !== 0) failed.push(name);
  }
  return { failed, output };
}

function program(name: string, folder: string, packageName: string, bin: string, args: string[]): Check {
  return { name, run: (options) => runBin(folder, packageName, args, { bin, ...options }) };
}

/** A check of our own, which returns what is wrong, one line each. */
function own(name: string, problems: () => string[] | Promise<string[]>): Check {
  return {
    name,
    async run() {
      const found = await problems();
      return { code: found.length, output: found.map((problem) => `${problem}\n`).join("") };
    },
  };
}

/** Measures the built web app, as shipped. */
async function checkBudgets(): Promise<RunResult> {
  try {
    await buildForE2e();
    const { isWithin, report } = budgetReport(E2E_WEB_ROOT);
    return { code: isWithin ? 0 : 1, output: report };
  } catch (error) {
    return { code: 1, output: `${explain(error)}\n` };
  }
}

import { lintApi } from "../checks/api-lint.ts";
import { measureBudgets } from "../checks/budgets.ts";
import { deploymentProblems } from "../checks/deployment.ts";
import { buildForE2e, E2E_WEB_ROOT } from "../e2e-server.ts";
import { CLIENT, ROOT, SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { explain } from "../lib/user-error.ts";
import { licenceProblems } from "../supply-chain/licences.ts";
import { shippedPackages } from "../supply-chain/packages.ts";

/** What must hold before any test runs: name, and how to look. */
const CHECKS = [
  { name: "Format and lint", in: ROOT, package: "@biomejs/biome", bin: "biome", args: ["ci", "."] },
  {
    name: "Types of the server",
    in: SERVER,
    package: "typescript",
    bin: "tsc",
    args: ["-p", ".", "--noEmit"],
  },
  {
    name: "Types of the web app",
    in: CLIENT,
    package: "typescript",
    bin: "tsc",
    args: ["-p", ".", "--noEmit"],
  },
  {
    name: "Import rules",
    in: ROOT,
    package: "dependency-cruiser",
    bin: "depcruise",
    args: ["server", "client"],
  },
  { name: "Unused code", in: ROOT, package: "knip", bin: "knip", args: [] },
];

/** Checks of our own: each answers what is wrong, one line each. */
const OWN_CHECKS: { name: string; problems: () => string[] | Promise<string[]> }[] = [
  { name: "Licences of what ships", problems: () => licenceProblems(shippedPackages().packages) },
  { name: "Dockerfile and compose file", problems: deploymentProblems },
  { name: "OpenAPI document", problems: lintApi },
];

/** `npm run check`: runs every check, also after one failed. */
export async function main(): Promise<void> {
  const { failed } = await runChecks({ isShown: true });
  process.stdout.write(
    failed.length === 0 ? "\nEverything is in order.\n" : `\nFailed: ${failed.join(", ")}.\n`,
  );
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/**
 * Runs all the checks.
 * @param options.isShown whether their output is shown as it comes; otherwise it is returned.
 * @returns the names of those that failed.
 */
export async function runChecks(options: {
  isShown: boolean;
  signal?: AbortSignal;
}): Promise<{ failed: string[]; output: string }> {
  const { isShown, signal } = options;
  const failed: string[] = [];
  let output = "";
  const write = (text: string) => {
    if (isShown) process.stdout.write(text);
    else output += text;
  };
  for (const check of CHECKS) {
    write(`\n── ${check.name}\n`);
    const result = await runBin(check.in, check.package, check.args, {
      bin: check.bin,
      show: isShown,
      ...(signal && { signal }),
    });
    write(result.output);
    if (result.code !== 0) failed.push(check.name);
  }
  for (const { name, problems } of OWN_CHECKS) {
    write(`\n── ${name}\n`);
    const found = await problems();
    for (const problem of found) write(`${problem}\n`);
    if (found.length > 0) failed.push(name);
  }
  write(`\n── ${BUDGETS}\n`);
  const budgets = await budgetsHold();
  write(budgets.report);
  if (!budgets.hold) failed.push(BUDGETS);
  return { failed, output };
}

const BUDGETS = "Download budgets";

/** Measures the built web app, as shipped, and says what each page costs. */
async function budgetsHold(): Promise<{ hold: boolean; report: string }> {
  try {
    await buildForE2e();
    const measured = measureBudgets(E2E_WEB_ROOT);
    const lines = measured.map(({ page, kind, kilobytes, budget }) => {
      const verdict = kilobytes <= budget ? "within" : "OVER";
      return `${page}: ${kilobytes.toFixed(1)} KB of ${kind}, ${verdict} ${budget} KB\n`;
    });
    const hold = measured.every(({ kilobytes, budget }) => kilobytes <= budget);
    return { hold, report: lines.join("") };
  } catch (error) {
    return { hold: false, report: `${explain(error)}\n` };
  }
}

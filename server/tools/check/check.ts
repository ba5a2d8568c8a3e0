import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { apiDocument } from "../../src/http/openapi/document.ts";
import { CLIENT, ROOT, SERVER } from "../lib/paths.ts";
import { type RunResult, runBin } from "../lib/run.ts";
import { explain } from "../lib/user-error.ts";
import { buildForE2e, E2E_WEB_ROOT } from "../start/build-product.ts";
import { budgetReport } from "./budgets.ts";
import { deploymentProblems } from "./deployment.ts";

type RunOptions = { show: boolean; signal?: AbortSignal };
type Check = { name: string; run(options: RunOptions): Promise<RunResult> };

const CHECKS: Check[] = [
  program("Format and lint", ROOT, "@biomejs/biome", "biome", ["ci", "."]),
  program("Types of the server", SERVER, "typescript", "tsc", ["-p", ".", "--noEmit"]),
  program("Types of the web app", CLIENT, "typescript", "tsc", ["-p", ".", "--noEmit"]),
  program("Import rules", ROOT, "dependency-cruiser", "depcruise", ["server", "client"]),
  program("Unused code", ROOT, "knip", "knip", []),
  own("Dockerfile and compose file", deploymentProblems),
  own("OpenAPI document", lintApi),
  { name: "Download budgets", run: checkBudgets },
  // After the build, which lists them.
  own("Licences of what ships", licenceProblems),
];

/** `npm run check`: runs every check, even after one has failed. */
export async function main(): Promise<void> {
  const { failed } = await runChecks({ isShown: true });
  process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}.\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/**
 * Runs all checks.
 * @param options.isShown shows their output live; otherwise it is returned.
 * @returns the names of the failed checks.
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

/** A check of our own. @param problems returns one line for each problem. */
function own(name: string, problems: () => string[] | Promise<string[]>): Check {
  return {
    name,
    async run() {
      const found = await problems();
      return { code: found.length, output: found.map((problem) => `${problem}\n`).join("") };
    },
  };
}

/** Lints the OpenAPI document by Redocly's strict rules. Uses its library: the CLI needs ten times the packages. */
async function lintApi(): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    // Probes and the document itself have no 4xx responses.
    rules: { "operation-4xx-response": "off" },
  });
  const problems = await lintFromString({ source: JSON.stringify(apiDocument(), null, 2), config });
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer ?? "#"} ${ruleId}: ${message}`,
  );
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

/** They permit use, modification and sale, and require only that their text ships too. A person must review any other. */
const LICENCES = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
];

/** MIT: in an old form; or by choice; or named only in the licence's own file. */
const REVIEWED = ["limiter - 1.1.5", "ibantools - 4.5.4", "png-js - 2.0.0"];

/** The packages in the lists that Vite writes, such as `## express - 5.3.0 (MIT)`, whose licence is not allowed. */
function licenceProblems(): string[] {
  return [join(SERVER, "dist"), E2E_WEB_ROOT].flatMap((folder) => {
    const list = readFileSync(join(folder, "licences.md"), "utf8");
    const packages = [...list.matchAll(/^## (\S+ - \d\S+)(?: \((.*)\))?$/gm)];
    return packages.flatMap(([, name = "", licence = ""]) =>
      LICENCES.includes(licence) || REVIEWED.includes(name)
        ? []
        : `${name} has the licence "${licence}", which is not allowed yet.`,
    );
  });
}

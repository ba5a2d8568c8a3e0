import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { apiDocument } from "../../src/http/openapi/document.ts";
import { CLIENT, ROOT, SERVER } from "../lib/paths.ts";
import { runBin } from "../lib/run.ts";
import { explain } from "../lib/user-error.ts";
import { buildForE2e, E2E_WEB_ROOT } from "../start/build-product.ts";
import { budgetReport } from "./budgets.ts";
import { deploymentProblems } from "./deployment.ts";

/** Shows what it finds. @returns whether all is well. */
type Check = (signal?: AbortSignal) => Promise<boolean>;

const CHECKS: Record<string, Check> = {
  "Format and lint": program(ROOT, "@biomejs/biome", "biome", ["ci", "."]),
  "Types of the server": program(SERVER, "typescript", "tsc", ["-p", ".", "--noEmit"]),
  "Types of the web app": program(CLIENT, "typescript", "tsc", ["-p", ".", "--noEmit"]),
  "Import rules": program(ROOT, "dependency-cruiser", "depcruise", ["server", "client"]),
  "Unused code": program(ROOT, "knip", "knip", []),
  "Variables of the compose file": own(deploymentProblems),
  "OpenAPI document": own(lintApi),
  "Download budgets": checkBudgets,
  // After the build, which lists them.
  "Licences of what ships": own(licenceProblems),
};

/** `npm run check`. */
export async function main(): Promise<void> {
  const failed = await runChecks();
  process.stdout.write(failed.length === 0 ? "\nAll checks passed.\n" : `\nFailed: ${failed.join(", ")}.\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** Runs every check, even after one has failed. @returns the names of those that did. */
export async function runChecks(signal?: AbortSignal): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    if (signal?.aborted) break;
    process.stdout.write(`\n── ${name}\n`);
    const isWell = await check(signal).catch((error: unknown) => {
      process.stdout.write(`${explain(error)}\n`);
      return false;
    });
    if (!isWell) failed.push(name);
  }
  return failed;
}

function program(folder: string, packageName: string, bin: string, args: string[]): Check {
  return async (signal) => (await runBin(folder, packageName, args, { bin, show: true, signal })).code === 0;
}

/** A check of our own. @param problems returns one line for each problem. */
function own(problems: () => string[] | Promise<string[]>): Check {
  return async () => {
    const found = await problems();
    for (const problem of found) process.stdout.write(`${problem}\n`);
    return found.length === 0;
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
async function checkBudgets(): Promise<boolean> {
  await buildForE2e();
  const { isWithin, report } = budgetReport(E2E_WEB_ROOT);
  process.stdout.write(report);
  return isWithin;
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

/**
 * MIT: in an old form; or by choice; or named only in the licence's own file. And sharp's native code, with libvips, which is
 * LGPL: loaded as a library, unmodified, and replaceable.
 */
const REVIEWED = ["limiter - 1.1.5", "ibantools - 4.5.4", "png-js - 2.0.0", "@img/sharp-"];

/** The packages in the lists that Vite writes, or copied beside the server's, whose licence is not allowed. */
function licenceProblems(): string[] {
  const dist = join(SERVER, "dist");
  const copied = readdirSync(dist, { recursive: true, encoding: "utf8" })
    .filter((file) => basename(file) === "package.json")
    .map((file) => {
      const { name, version, license } = JSON.parse(readFileSync(join(dist, file), "utf8"));
      // As Vite writes it.
      return `## ${name} - ${version} (${license})`;
    });
  const lists = [dist, E2E_WEB_ROOT].map((folder) => readFileSync(join(folder, "licences.md"), "utf8"));
  const packages = [...lists, ...copied].join("\n").matchAll(/^## (\S+ - \d\S+)(?: \((.*)\))?$/gm);
  return [...packages].flatMap(([, name = "", licence = ""]) =>
    LICENCES.includes(licence) || REVIEWED.some((known) => name.startsWith(known))
      ? []
      : `${name} has the licence "${licence}", which is not allowed yet.`,
  );
}

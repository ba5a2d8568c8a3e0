import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSuite } from "@playwright/test/reporter";
import type { JsonTestResults } from "vitest/node";

/** One test, or whatever else failed. */
export type TestResult = {
  status: "passed" | "failed" | "skipped";
  file?: string;
  name: string;
  error?: string;
};

/** For a stage that could not run, or failed without naming a test. */
export const oneFailure = (name: string): TestResult => ({ status: "failed", name });

/** How many results have a status. */
export const count = (results: readonly TestResult[], wanted: TestResult["status"]): number =>
  results.filter(({ status }) => status === wanted).length;

/** `N passed, N failed`, the last line of a run. */
export function sentence(results: readonly TestResult[]): string {
  const skipped = count(results, "skipped");
  return `${count(results, "passed")} passed, ${count(results, "failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** File, name and the first two lines of the error of each failed test: often only the end of a run's output is kept. */
export function failuresIn(results: readonly TestResult[]): string[] {
  return results
    .filter(({ status }) => status === "failed")
    .map(({ file, name, error = "" }) => {
      const lines = stripVTControlCharacters(error).split("\n").filter(Boolean).slice(0, 2);
      const title = file ? `${basename(file)}: ${name}` : name;
      return [title, ...lines.map((line) => line.trim().slice(0, 200))].join("\n      ");
    });
}

/**
 * The results of one runner. A missing or empty report counts as a failure, as does a non-zero exit code without a failed test.
 */
export function resultsOf(read: () => TestResult[], exitCode: number): TestResult[] {
  let results: TestResult[];
  try {
    results = read();
  } catch {
    return [oneFailure("no readable report")];
  }
  const failed = count(results, "failed");
  if (count(results, "passed") + failed === 0) return [...results, oneFailure("no test ran")];
  return exitCode !== 0 && failed === 0 ? [...results, oneFailure(`exit code ${exitCode}`)] : results;
}

/** Reads the report of Vitest's JSON reporter. A file that fails before its first test counts as one failure. */
export function readVitestReport(path: string): TestResult[] {
  const report = JSON.parse(readFileSync(path, "utf8")) as JsonTestResults;
  return report.testResults.flatMap(({ name: file, status, message, assertionResults }): TestResult[] => {
    if (status === "failed" && assertionResults.length === 0)
      return [{ status: "failed", file, name: "failed to load", error: message }];
    return assertionResults.map(({ fullName: name, status, failureMessages }) => ({
      ...{ status: status === "passed" || status === "failed" ? status : "skipped", file, name },
      error: failureMessages?.[0] ?? "",
    }));
  });
}

/** Reads the report of Playwright's JSON reporter. A flaky test counts as failed. */
export function readPlaywrightReport(path: string): TestResult[] {
  const { suites, errors } = JSON.parse(readFileSync(path, "utf8")) as JSONReport;
  return [...suites.flatMap(resultsIn), ...errors.map(() => oneFailure("an error outside of the tests"))];
}

const PLAYWRIGHT_STATUS = {
  expected: "passed",
  unexpected: "failed",
  flaky: "failed",
  skipped: "skipped",
} as const;

function resultsIn({ specs, suites = [] }: JSONReportSuite): TestResult[] {
  const own = specs.flatMap(({ file, title: name, tests }) =>
    tests.map(({ status, results }) => {
      const error = results.find((result) => result.error)?.error?.message ?? "";
      return { status: PLAYWRIGHT_STATUS[status], file, name, error };
    }),
  );
  return [...own, ...suites.flatMap(resultsIn)];
}

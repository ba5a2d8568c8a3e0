import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { JSONReport, JSONReportSpec, JSONReportSuite } from "@playwright/test/reporter";
import type { JsonTestResults } from "vitest/node";

/** How many tests passed, failed and were skipped; `failures` has file, name and error of each failed one. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}

/** For a stage that could not run, or failed without naming a test. */
export const oneFailure = (name: string): Totals => ({ passed: 0, failed: 1, skipped: 0, failures: [name] });

/** `N passed, N failed`, the last line of a run. */
export function sentence({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** The sum of several totals. */
export function addTotals(all: Totals[]): Totals {
  const sum = (key: "passed" | "failed" | "skipped") => all.reduce((total, each) => total + each[key], 0);
  const failures = all.flatMap((each) => each.failures);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped"), failures };
}

/**
 * The totals of one runner. A missing or empty report counts as a failure, as does a non-zero exit code without a failed test.
 */
export function totalsOf(read: () => Totals, exitCode: number): Totals {
  let totals: Totals;
  try {
    totals = read();
  } catch {
    return oneFailure("no readable report");
  }
  const nothingRan = totals.passed + totals.failed === 0;
  if (nothingRan || (exitCode !== 0 && totals.failed === 0)) {
    return addTotals([totals, oneFailure(nothingRan ? "no test ran" : `exit code ${exitCode}`)]);
  }
  return totals;
}

/** Reads the report of Vitest's JSON reporter. A file that fails before its first test counts as one failure. */
export function readVitestReport(file: string): Totals {
  const report = JSON.parse(readFileSync(file, "utf8")) as JsonTestResults;
  const broken = report.testResults.filter(
    (one) => one.status === "failed" && one.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...report.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map(({ fullName, failureMessages }) => failure(name, fullName, failureMessages?.[0])),
      ),
      ...broken.map(({ name, message }) => failure(name, "failed to load", message)),
    ],
  };
}

/** Reads the report of Playwright's JSON reporter. A flaky test counts as failed. */
export function readPlaywrightReport(file: string): Totals {
  const report = JSON.parse(readFileSync(file, "utf8")) as JSONReport;
  const { stats, errors } = report;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...report.suites.flatMap(failedSpecs), ...errors.map(() => "an error outside of the tests")],
  };
}

function failedSpecs({ specs, suites = [] }: JSONReportSuite): string[] {
  return [
    ...specs.filter(({ ok }) => !ok).map((spec) => failure(spec.file, spec.title, firstError(spec))),
    ...suites.flatMap(failedSpecs),
  ];
}

const firstError = ({ tests }: JSONReportSpec): string | undefined =>
  tests.flatMap(({ results }) => results).find(({ error }) => error)?.error?.message;

/** Includes the first two lines of the error: often only the end of a run's output is kept. */
function failure(file: string, name: string, why = ""): string {
  const lines = stripVTControlCharacters(why).split("\n").filter(Boolean).slice(0, 2);
  return [`${basename(file)}: ${name}`, ...lines.map((line) => line.trim().slice(0, 200))].join("\n      ");
}

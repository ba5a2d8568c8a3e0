import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** How many tests passed, failed and were skipped, and the names of those that failed. */
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
  const sum: Totals = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const { passed, failed, skipped, failures } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
    sum.failures.push(...failures);
  }
  return sum;
}

/**
 * The totals of one runner. A missing or empty report is a failure, and so is a bad exit code without a failed test.
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

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

/** Reads the report of Vitest's JSON reporter. A file that fails before its first test counts as one failure. */
export function readVitestReport(file: string): Totals {
  const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport;
  const broken = report.testResults.filter(
    (one) => one.status === "failed" && one.assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...report.testResults.flatMap(({ assertionResults }) =>
        assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
      ),
      ...broken.map(({ name }) => basename(name)),
    ],
  };
}

interface PlaywrightSuite {
  specs?: { title: string; ok: boolean; file: string }[];
  suites?: PlaywrightSuite[];
}

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** Reads the report of Playwright's JSON reporter. A flaky test is a failed one. */
export function readPlaywrightReport(file: string): Totals {
  const report = JSON.parse(readFileSync(file, "utf8")) as PlaywrightReport;
  const { stats, errors } = report;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
    failures: [...failedSpecs(report), ...errors.map(() => "an error outside of the tests")],
  };
}

function failedSpecs({ specs = [], suites = [] }: PlaywrightSuite): string[] {
  return [
    ...specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file}: ${title}`),
    ...suites.flatMap(failedSpecs),
  ];
}

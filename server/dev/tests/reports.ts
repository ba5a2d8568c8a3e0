import { readFileSync } from "node:fs";

/** How many tests passed, failed and were skipped. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/** The sum of several totals. */
export function addTotals(all: Totals[]): Totals {
  const sum: Totals = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of all) {
    sum.passed += passed;
    sum.failed += failed;
    sum.skipped += skipped;
  }
  return sum;
}

/**
 * The totals of one runner: those of its report, never better than its exit code.
 * A report that is missing, empty or without a single test is a failure; so is a bad exit without a failed test.
 */
export function totalsOf(read: () => Totals, exitCode: number): Totals {
  let totals: Totals;
  try {
    totals = read();
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const nothingRan = totals.passed + totals.failed === 0;
  if (nothingRan || (exitCode !== 0 && totals.failed === 0)) return { ...totals, failed: totals.failed + 1 };
  return totals;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
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
  };
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
}

/** Reads the report of Playwright's JSON reporter. A flaky test is a failed one. */
export function readPlaywrightReport(file: string): Totals {
  const { stats, errors } = JSON.parse(readFileSync(file, "utf8")) as PlaywrightReport;
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

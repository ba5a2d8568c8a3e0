import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { addTotals, readPlaywrightReport, readVitestReport, totalsOf } from "./reports.ts";

const folder = mkdtempSync(join(tmpdir(), "tasklane-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function vitestReport(part: object) {
  return {
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    ...part,
  };
}

test("When a run succeeds, then its totals are those of the report", () => {
  const report = file(vitestReport({ numPendingTests: 1, numTodoTests: 1 }));
  expect(totalsOf(() => readVitestReport(report), 0)).toMatchObject({
    passed: 3,
    failed: 0,
    skipped: 2,
    failures: [],
  });
});

test.each(["", "{", "{}", "null"])("When the report is %j, then that counts as one failure", (content) => {
  const totals = totalsOf(() => readVitestReport(file(content)), 0);
  expect(totals).toMatchObject({ passed: 0, failed: 1, skipped: 0 });
});

test("When there is no report, then that counts as one failure", () => {
  expect(totalsOf(() => readVitestReport(join(folder, "missing.json")), 0).failed).toBe(1);
});

test("When a test file fails before its first test, then that counts as a failure", () => {
  const testResults = [{ name: "/somewhere/a.test.ts", status: "failed", assertionResults: [] }];
  const totals = totalsOf(() => readVitestReport(file(vitestReport({ testResults }))), 1);
  expect(totals).toMatchObject({ failed: 1, failures: ["a.test.ts: failed to load"] });
});

test("When no test ran, or the runner exits with an error without a failed test, then that counts as a failure", () => {
  expect(totalsOf(() => readVitestReport(file(vitestReport({ numPassedTests: 0 }))), 0).failed).toBe(1);
  expect(totalsOf(() => readVitestReport(file(vitestReport({}))), 1)).toMatchObject({
    passed: 3,
    failed: 1,
    failures: ["exit code 1"],
  });
});

test("When tests fail, then they are listed with their error messages", () => {
  const assertionResults = [
    { status: "passed", fullName: "fine" },
    {
      status: "failed",
      fullName: "broken",
      failureMessages: ["\u001b[31mError: 1 is not 2\u001b[39m\n\n  at x\n  at y"],
    },
  ];
  const testResults = [{ name: "a.test.ts", status: "failed", assertionResults }];
  expect(readVitestReport(file(vitestReport({ numFailedTests: 1, testResults }))).failures).toEqual([
    "a.test.ts: broken\n      Error: 1 is not 2\n      at x",
  ]);
});

test("When a browser test is flaky, then it counts as failed", () => {
  const report = file({
    stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 },
    errors: [],
    suites: [
      {
        specs: [{ title: "fine", ok: true, file: "a.spec.ts" }],
        suites: [
          {
            specs: [
              {
                title: "broken",
                ok: false,
                file: "a.spec.ts",
                tests: [{ results: [{ error: { message: "Late" } }] }],
              },
            ],
          },
        ],
      },
    ],
  });
  expect(readPlaywrightReport(report)).toEqual({
    passed: 4,
    failed: 2,
    skipped: 1,
    failures: ["a.spec.ts: broken\n      Late"],
  });
});

test("When several runners ran, then their totals add up", () => {
  const one = { passed: 1, failed: 2, skipped: 3, failures: ["a", "b"] };
  expect(addTotals([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6, failures: ["a", "b", "a", "b"] });
});

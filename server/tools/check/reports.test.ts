import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { failuresIn, readPlaywrightReport, readVitestReport, resultsOf, sentence } from "./reports.ts";

const folder = mkdtempSync(join(tmpdir(), "tasklane-reports-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(content: unknown): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const ASSERTIONS = [
  { status: "passed", fullName: "fine" },
  { status: "todo", fullName: "not yet" },
  {
    status: "failed",
    fullName: "broken",
    failureMessages: ["\u001b[31mError: 1 is not 2\u001b[39m\n\n  at x\n  at y"],
  },
];

/** The results that are read from Vitest's report about one file with these tests. */
function vitestResults(assertionResults: object[], exitCode = 0, status = "passed") {
  const report = file({ testResults: [{ name: "/somewhere/a.test.ts", status, assertionResults }] });
  return resultsOf(() => readVitestReport(report), exitCode);
}

test("When a run succeeds, then its totals are those of the report", () => {
  expect(sentence(vitestResults(ASSERTIONS.slice(0, 2)))).toBe("1 passed, 0 failed, 1 skipped");
});

test.each(["", "{", "{}", "null"])("When the report is %j, then that counts as one failure", (content) => {
  expect(sentence(resultsOf(() => readVitestReport(file(content)), 0))).toBe("0 passed, 1 failed");
});

test("When there is no report, then that counts as one failure", () => {
  const read = () => readVitestReport(join(folder, "missing.json"));
  expect(sentence(resultsOf(read, 0))).toBe("0 passed, 1 failed");
});

test("When a test file fails before its first test, then that counts as a failure", () => {
  expect(failuresIn(vitestResults([], 1, "failed"))).toEqual(["a.test.ts: failed to load"]);
});

test("When no test ran, or the runner exits with an error without a failed test, then that counts as a failure", () => {
  expect(failuresIn(vitestResults([]))).toEqual(["no test ran"]);
  const results = vitestResults(ASSERTIONS.slice(0, 1), 1);
  expect([sentence(results), failuresIn(results)]).toEqual(["1 passed, 1 failed", ["exit code 1"]]);
});

test("When tests fail, then they are listed with their error messages", () => {
  const results = vitestResults(ASSERTIONS, 1, "failed");
  expect(sentence(results)).toBe("1 passed, 1 failed, 1 skipped");
  expect(failuresIn(results)).toEqual(["a.test.ts: broken\n      Error: 1 is not 2\n      at x"]);
});

test("When a browser test is flaky, then it counts as failed; each project of a test counts", () => {
  const spec = (title: string, ...tests: object[]) => ({ title, file: "a.spec.ts", tests });
  const passed = { status: "expected", results: [{}] };
  const report = file({
    errors: [{}],
    suites: [
      {
        specs: [spec("fine", passed, passed)],
        suites: [
          {
            specs: [
              spec("flaky", { status: "flaky", results: [{ error: { message: "Late" } }, {}] }),
              spec("broken", { status: "unexpected", results: [{ error: { message: "Wrong" } }] }),
              spec("left out", { status: "skipped", results: [] }),
            ],
          },
        ],
      },
    ],
  });
  const results = readPlaywrightReport(report);
  expect(sentence(results)).toBe("2 passed, 3 failed, 1 skipped");
  expect(failuresIn(results)).toEqual([
    "a.spec.ts: flaky\n      Late",
    "a.spec.ts: broken\n      Wrong",
    "an error outside of the tests",
  ]);
});

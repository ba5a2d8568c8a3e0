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

test("When a run succeeds or fails, then its totals are those of the report, with the failures and their messages", () => {
  expect(sentence(vitestResults(ASSERTIONS.slice(0, 2)))).toBe("1 passed, 0 failed, 1 skipped");
  const results = vitestResults(ASSERTIONS, 1, "failed");
  expect(sentence(results)).toBe("1 passed, 1 failed, 1 skipped");
  expect(failuresIn(results)).toEqual(["a.test.ts: broken\n      Error: 1 is not 2\n      at x"]);
});

const missing = join(folder, "missing.json");
test.each<[string, () => ReturnType<typeof resultsOf>, string]>([
  ["there is no report", () => resultsOf(() => readVitestReport(missing), 0), "no readable report"],
  ["it is cut off", () => resultsOf(() => readVitestReport(file("{")), 0), "no readable report"],
  ["it is of something else", () => resultsOf(() => readVitestReport(file("{}")), 0), "no readable report"],
  ["a file did not load", () => vitestResults([], 1, "failed"), "a.test.ts: failed to load"],
  ["no test ran", () => vitestResults([]), "no test ran"],
  ["only the exit code says so", () => vitestResults(ASSERTIONS.slice(0, 1), 1), "exit code 1"],
])("When %s, then that counts as one failure", (_, results, failure) => {
  expect(failuresIn(results())).toEqual([failure]);
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

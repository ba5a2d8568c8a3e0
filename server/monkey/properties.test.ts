import { expect, test } from "vitest";
import { isExpectedNoise } from "./noise.ts";
import type { PageSnapshot } from "./page-snapshot.ts";
import { snapshotProblems } from "./properties.ts";

const GOOD: PageSnapshot = {
  ...{
    address: "/",
    loadedAt: 1,
    title: "Home | Tasklane",
    heading: "Home",
    isReady: true,
    isBusy: false,
    isModal: false,
  },
  ...{
    controlsInMain: 3,
    isShort: true,
    controlsInLayer: 9,
    nameless: [],
    overflow: [],
    focus: "A Home",
    bell: "",
    account: "",
  },
  ...{ work: {}, refused: [], rows: 0, drafts: "", hasWorker: true },
};

test("When a page has no flaws, then none is reported", () => {
  expect(snapshotProblems(GOOD, { keepsFocus: true })).toEqual([]);
  expect(snapshotProblems({ ...GOOD, focus: "" }, { keepsFocus: false })).toEqual([]);
  expect(snapshotProblems({ ...GOOD, controlsInMain: 0, isShort: false }, { keepsFocus: true })).toEqual([]);
});

test.each<Partial<PageSnapshot>>([
  { title: " " },
  { heading: "" },
  { controlsInMain: 0 },
  { isModal: true, controlsInLayer: 0 },
  { nameless: ["<button>"] },
  { overflow: ["12 px"] },
  { focus: "" },
])("When a page shows %o, then one flaw is reported", (flaw) => {
  expect(snapshotProblems({ ...GOOD, ...flaw }, { keepsFocus: true })).toHaveLength(1);
});

test("When a request is refused, then its console message is expected; a server error or script error is not", () => {
  const isOffline = false;
  const failed = (status: number, path = "/tasks") =>
    `console error: Failed to load resource: the server responded with a status of ${status} (x) (${path})`;
  expect(isExpectedNoise(failed(404), { isOffline })).toBe(true);
  expect(isExpectedNoise(failed(403), { isOffline })).toBe(false);
  expect(isExpectedNoise(failed(403, "http://localhost/me/saved/7"), { isOffline })).toBe(true);
  expect(isExpectedNoise(failed(503), { isOffline })).toBe(false);
  expect(isExpectedNoise(failed(503), { isOffline: true })).toBe(true);
  expect(isExpectedNoise("page error: TypeError: x is undefined", { isOffline: true })).toBe(false);
});

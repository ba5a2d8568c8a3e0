import { expect, test } from "vitest";
import type { Look } from "./look.ts";
import { expectedNoise } from "./noise.ts";
import { wrongLook } from "./properties.ts";

const GOOD: Look = {
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
    ways: 3,
    isShort: true,
    waysInLayer: 9,
    nameless: [],
    overflow: [],
    focus: "A Home",
    bell: "",
    account: "",
  },
  ...{ work: {}, refused: [], rows: 0, drafts: "", hasWorker: true },
};

test("When a page is as it should be, then nothing is wrong with it", () => {
  expect(wrongLook(GOOD, { keepsFocus: true })).toEqual([]);
  expect(wrongLook({ ...GOOD, focus: "" }, { keepsFocus: false })).toEqual([]);
  expect(wrongLook({ ...GOOD, ways: 0, isShort: false }, { keepsFocus: true })).toEqual([]);
});

test.each<Partial<Look>>([
  { title: " " },
  { heading: "" },
  { ways: 0 },
  { isModal: true, waysInLayer: 0 },
  { nameless: ["<button>"] },
  { overflow: ["12 px"] },
  { focus: "" },
])("When a page shows %o, then that is wrong", (flaw) => {
  expect(wrongLook({ ...GOOD, ...flaw }, { keepsFocus: true })).toHaveLength(1);
});

test("When a request was refused, the console may say so; a failure or an error of a script is none of that", () => {
  const isOffline = false;
  const failed = (status: number, path = "/tasks") =>
    `console error: Failed to load resource: the server responded with a status of ${status} (x) (${path})`;
  expect(expectedNoise(failed(404), { isOffline })).toBe(true);
  expect(expectedNoise(failed(403), { isOffline })).toBe(false);
  expect(expectedNoise(failed(403, "http://localhost/me/saved/7"), { isOffline })).toBe(true);
  expect(expectedNoise(failed(503), { isOffline })).toBe(false);
  expect(expectedNoise(failed(503), { isOffline: true })).toBe(true);
  expect(expectedNoise("page error: TypeError: x is undefined", { isOffline: true })).toBe(false);
});

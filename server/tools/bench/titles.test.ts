import { expect, test } from "vitest";
import { RARE_COUNT, SEARCHES, titlesFor } from "./titles.ts";

const titles = (count: number) => Array.from({ length: count }, (_, index) => index).map(titlesFor(count));
const matching = (text: string) =>
  titles(10_000).filter((title) => title.toLowerCase().includes(text)).length;

test("When titles are generated twice, then they are the same, with thousands of different ones", () => {
  expect(titles(1_000)).toEqual(titles(1_000));
  expect(new Set(titles(10_000)).size).toBeGreaterThan(5_000);
});

test("When the rare word is searched, then it is in the same number of titles for any number of tasks", () => {
  expect(matching(SEARCHES.rare)).toBe(RARE_COUNT);
  expect(titles(1_003).filter((title) => title.includes(SEARCHES.rare))).toHaveLength(RARE_COUNT);
});

test("When the other texts are searched, then one is frequent and two match no title", () => {
  expect(matching(SEARCHES.frequent)).toBeGreaterThan(250);
  expect(matching(SEARCHES.absent)).toBe(0);
  expect(matching(SEARCHES.unknown)).toBe(0);
  for (const word of SEARCHES.absent.split(" ")) expect(matching(word)).toBeGreaterThan(200);
});

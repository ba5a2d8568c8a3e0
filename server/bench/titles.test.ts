import { describe, expect, it } from "vitest";
import { CATEGORIES } from "../src/contract/index.ts";
import { dice, pick, RARE_COUNT, SEARCHES, titleOf } from "./titles.ts";

function titles(count: number): string[] {
  const roll = dice(count);
  return Array.from({ length: count }, (_, index) => titleOf(roll, pick(roll, CATEGORIES), index, count));
}

const having = (text: string) => titles(10_000).filter((title) => title.toLowerCase().includes(text)).length;

describe("the titles of the benchmark", () => {
  it("When they are made twice, then they are the same, and thousands differ", () => {
    expect(titles(1_000)).toEqual(titles(1_000));
    expect(new Set(titles(10_000)).size).toBeGreaterThan(5_000);
  });

  it("When the rare text is searched, then it is in a known few, whatever their number", () => {
    expect(having(SEARCHES.rare)).toBe(RARE_COUNT);
    expect(titles(1_003).filter((title) => title.includes(SEARCHES.rare))).toHaveLength(RARE_COUNT);
  });

  it("When the other texts are searched, then they are frequent, or in none", () => {
    expect(having(SEARCHES.frequent)).toBeGreaterThan(500);
    expect(having(SEARCHES.absent)).toBe(0);
    expect(having(SEARCHES.unknown)).toBe(0);
    for (const word of SEARCHES.absent.split(" ")) expect(having(word)).toBeGreaterThan(200);
  });
});

import { describe, expect, test } from "vitest";
import { searchGrams, titleGrams } from "./title-grams.ts";

describe("the grams of a title", () => {
  test("When a title has words, then each run of one to three characters inside a word is there once", () => {
    expect(titleGrams("Logo go").sort()).toEqual(["l", "o", "g", "lo", "og", "go", "log", "ogo", " "].sort());
  });

  test("When characters lie beyond the basic plane, then none is cut in two", () => {
    expect(titleGrams("😀𝒳a")).toEqual(["😀", "𝒳", "a", "😀𝒳", "𝒳a", "😀𝒳a"]);
  });

  test("When letters differ in case only, in whatever script, then they fold to the same, one for one", () => {
    const equal = ["sSſ", "kKK", "ßẞ", "σςΣ", "äÄ", "жЖ", "ǆǅǄ", "µμΜ", "𐐨𐐀", "ꭰᎠ", "ⓐⒶ", "iI"];
    for (const letters of equal) expect(titleGrams([...letters].join(" ")), letters).toHaveLength(2);
    expect(titleGrams("İx")).toEqual(["i", "x", "ix"]);
  });

  test("When a regular expression takes two characters for one letter, then so do grams", () => {
    for (let point = 0x41; point < 0x1e944; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      for (const other of [character.toLowerCase(), character.toUpperCase()]) {
        if (other === character || [...other].length !== 1) continue;
        if (!new RegExp(`^${character}$`, "iu").test(other)) continue;
        expect(titleGrams(other), `${character} ${other}`).toEqual(titleGrams(character));
      }
    }
  });
});

describe("the grams of a search", () => {
  test("When a title contains a text, then it has every gram that a search for the text uses", () => {
    const titles = ["Größe ÄNDERN (C++)  #1 - a/b", "İstanbul ΣΊΣΥΦΟΣ", "a b c", "日本語のロゴ", "x😀y  z"];
    for (const title of titles) {
      const grams = new Set(titleGrams(title));
      const characters = [...title];
      for (let start = 0; start < characters.length; start++) {
        for (let end = start + 1; end <= characters.length; end++) {
          const part = characters.slice(start, end).join("");
          for (const gram of searchGrams(part)) expect(grams, `${part} in ${title}`).toContain(gram);
          expect(searchGrams(part).length).toBeGreaterThan(0);
        }
      }
    }
  });

  test("When there are several words, then the likely rarest come first, few enough to be counted", () => {
    expect(searchGrams("z")).toEqual(["z"]);
    expect(searchGrams("a q")).toEqual(["q", "a"]);
    expect(searchGrams("the xylophone")).toEqual(["xyl", "the"]);
    expect(searchGrams(" logo ")).toEqual(["log"]);
    expect(searchGrams("  ")).toEqual(["  "]);
    expect(searchGrams("one two three four five six seven eight")).toHaveLength(4);
  });
});

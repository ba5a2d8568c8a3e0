import { describe, expect, test } from "vitest";
import { searchGrams, titleGrams, titlePattern } from "./task-search.ts";

describe("the grams of a title", () => {
  test("When a title has words, then each run of one to three characters inside a word is there once", () => {
    expect(titleGrams("Logo").sort()).toEqual(["l", "o", "g", "lo", "og", "go", "log", "ogo"].sort());
  });

  test("When words stand side by side, then how one ends and the next begins is there closely and widely", () => {
    const pairs = (title: string) => titleGrams(title).filter((gram) => /\S\s+\S/.test(gram));
    expect(pairs("A Logo for\t  a bakery").sort()).toEqual(
      ["a l", "a log", "o f", "ogo for", "r a", "for a", "a b", "a bak"].sort(),
    );
    expect(pairs(" 😀𝒳ab ÄÖÜS ")).toEqual(["b ä", "𝒳ab äöü"]);
  });

  test("When characters lie beyond the basic plane, then none is cut in two", () => {
    expect(titleGrams("😀𝒳a")).toEqual(["😀", "𝒳", "a", "😀𝒳", "𝒳a", "😀𝒳a"]);
  });

  test("When letters differ in case only, in whatever script, then they fold to the same, one for one", () => {
    const equal = ["sSſ", "kKK", "ßẞ", "σςΣ", "äÄ", "жЖ", "ǆǅǄ", "µμΜ", "𐐨𐐀", "ꭰᎠ", "ⓐⒶ", "iI"];
    const single = (text: string) => [...text].map((letter) => titleGrams(letter).join());
    for (const letters of equal) expect(new Set(single(letters)), letters).toHaveLength(1);
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

test("When there is no title, then it has no grams", () => {
  expect(titleGrams("")).toEqual([]);
});

test("When a text holds signs that mean something in a pattern, then a title must hold just these", () => {
  const signs = "\\^$.*+?()[]{}|/#-";
  for (const sign of signs) {
    const pattern = new RegExp(titlePattern(`a${sign}b`), "i");
    expect([pattern.test(`x A${sign}B`), pattern.test("xaab"), pattern.test("ab")]).toEqual([
      true,
      false,
      false,
    ]);
  }
  expect(titlePattern("Ångström 40 %")).toBe("Ångström 40 %");
});

describe("the grams of a search", () => {
  test("When a title contains a text, then it has every gram that a search for the text uses", () => {
    const titles = [
      "Größe ÄNDERN (C++)  #1 - a/b",
      "İstanbul ΣΊΣΥΦΟΣ",
      "a b c",
      "日本語のロゴ",
      "x😀y  z",
      "ab cd\u00a0\t ef ghij k ",
    ];
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
    expect(searchGrams("a q")).toEqual(["a q", "q", "a"]);
    expect(searchGrams("the xylophone")).toEqual(["the xyl", "xyl", "the"]);
    expect(searchGrams(" logo ")).toEqual(["log"]);
    expect(searchGrams("  ")).toEqual(["  "]);
    expect(searchGrams("one two three four five six seven eight")).toHaveLength(4);
  });

  test("When signs and other scripts stand beside letters, then they are taken to be the rarest", () => {
    expect(searchGrams("zzz ☃☃☃")).toEqual(["zzz ☃☃☃", "☃☃☃", "zzz"]);
    expect(searchGrams("zoe 007")).toEqual(["zoe 007", "007", "zoe"]);
    expect(searchGrams("eel zoo")).toEqual(["eel zoo", "zoo", "eel"]);
  });

  test("When a word of a pair may begin before the text or go on after it, then only what is known of it is used", () => {
    expect(searchGrams("logo bakery")[0]).toBe("ogo bak");
    expect(searchGrams("o bakery")[0]).toBe("o b");
    expect(searchGrams(" o bakery")[0]).toBe("o bak");
    expect(searchGrams("logo ba")[0]).toBe("o b");
    expect(searchGrams("logo ba ")[0]).toBe("ogo ba");
    expect(searchGrams("xo of my ax")).toEqual(expect.arrayContaining(["of my"]));
  });

  test("When a text has many frequent pairs, then they do not push out its rare word", () => {
    expect(searchGrams("the xylophone in the old town of the lake")).toContain("xyl");
  });
});

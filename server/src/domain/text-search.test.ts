import { describe, expect, test } from "vitest";
import { gramsOf, literally, searchGrams, searchKeysOf, searchWords } from "./text-search.ts";

describe("the grams of a title", () => {
  test("When a title has words, then its grams include each run of one to three characters inside a word once", () => {
    expect(gramsOf(["Logo"]).sort()).toEqual(["l", "o", "g", "lo", "og", "go", "log", "ogo"].sort());
  });

  test("When a task has skills, then their grams are included, without pairs across them", () => {
    const skilled = searchKeysOf({ title: "ab", description: "", skills: ["cd", "e"] });
    expect(skilled).toEqual(["a", "b", "ab", "c", "d", "cd", "e"]);
  });

  test("When a task has a description, then its words are included once, in one case, and at most 32 characters long", () => {
    const words = (description: string) => searchKeysOf({ title: "", description });
    expect(words("Node.js, C++ & C#:\nÄRGER about ärger — 24/7")).toEqual(
      ["node", "js", "c++", "c#", "ärger", "about", "24", "7"].map((word) => `word:${word}`),
    );
    expect(words("𝒳".repeat(40))).toEqual([`word:${"𝒳".repeat(32)}`]);
    expect(words(" — 🙂 ")).toEqual([]);
  });

  test("When words are neighbors, then there is a close and a wide gram of the pair", () => {
    const pairs = (title: string) => gramsOf([title]).filter((gram) => /\S\s+\S/.test(gram));
    expect(pairs("A Logo for\t  a bakery").sort()).toEqual(
      ["a l", "a log", "o f", "ogo for", "r a", "for a", "a b", "a bak"].sort(),
    );
    expect(pairs(" 😀𝒳ab ÄÖÜS ")).toEqual(["b ä", "𝒳ab äöü"]);
  });

  test("When characters are outside the basic multilingual plane, then none is split", () => {
    expect(gramsOf(["😀𝒳a"])).toEqual(["😀", "𝒳", "a", "😀𝒳", "𝒳a", "😀𝒳a"]);
  });

  test("When letters differ only in case, in any script, then they fold to the same single character", () => {
    const equal = ["sSſ", "kKK", "ßẞ", "σςΣ", "äÄ", "жЖ", "ǆǅǄ", "µμΜ", "𐐨𐐀", "ꭰᎠ", "ⓐⒶ", "iI"];
    const single = (text: string) => [...text].map((letter) => gramsOf([letter]).join());
    for (const letters of equal) expect(new Set(single(letters)), letters).toHaveLength(1);
    expect(gramsOf(["İx"])).toEqual(["i", "x", "ix"]);
  });

  test("When a case-insensitive regular expression matches two characters, then so do grams", () => {
    for (let point = 0x41; point < 0x1e944; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue;
      const character = String.fromCodePoint(point);
      for (const other of [character.toLowerCase(), character.toUpperCase()]) {
        if (other === character || [...other].length !== 1) continue;
        if (!new RegExp(`^${character}$`, "iu").test(other)) continue;
        expect(gramsOf([other]), `${character} ${other}`).toEqual(gramsOf([character]));
      }
    }
  });
});

test("When a text has special characters of regular expressions, then they are matched literally", () => {
  const signs = "\\^$.*+?()[]{}|/#-";
  for (const sign of signs)
    for (const options of ["i", "iu"]) {
      const pattern = new RegExp(literally(`a${sign}b`), options);
      expect([pattern.test(`x A${sign}B`), pattern.test("xaab"), pattern.test("ab")]).toEqual([
        true,
        false,
        false,
      ]);
    }
  expect(literally("Ångström 40 %")).toBe("Ångström 40 %");
});

test("When a text is searched in descriptions, then for all of its words, the probably rarest first", () => {
  expect(searchWords(" the Quartz  the ")).toEqual(["word:quartz", "word:the"]);
  expect(searchWords("—")).toEqual([]);
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
      const grams = new Set(gramsOf([title]));
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

  test("When there are several words, then the probably rarest come first, and their number is limited", () => {
    expect(searchGrams("z")).toEqual(["z"]);
    expect(searchGrams("a q")).toEqual(["a q", "q", "a"]);
    expect(searchGrams("the xylophone")).toEqual(["the xyl", "xyl", "the"]);
    expect(searchGrams(" logo ")).toEqual(["log"]);
    expect(searchGrams("  ")).toEqual(["  "]);
    expect(searchGrams("one two three four five six seven eight")).toHaveLength(4);
  });

  test("When a word may continue beyond the text, then only its known characters are used", () => {
    expect(searchGrams("logo bakery")[0]).toBe("ogo bak");
    expect(searchGrams("o bakery")[0]).toBe("o b");
    expect(searchGrams(" o bakery")[0]).toBe("o bak");
    expect(searchGrams("logo ba")[0]).toBe("o b");
    expect(searchGrams("logo ba ")[0]).toBe("ogo ba");
    expect(searchGrams("xo of my ax")).toEqual(expect.arrayContaining(["of my"]));
  });
});

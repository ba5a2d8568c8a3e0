import { expect, test } from "vitest";
import { isBlank, line, paragraph } from "./index.ts";

const INVISIBLE =
  "\u200B\u2060\u3164\u00AD\u2800\u115F\u1160\uFFA0\u034F\uFEFF\u200D\uFE0F\u180E\u0301\uFFF9\u{1D159}\u{E0041}\u{E0100}";

test.each([...INVISIBLE])("When a text consists only of %j, then it counts as missing", (character) => {
  expect([character, ` ${character}\t${character} `].map(isBlank)).toEqual([true, true]);
});

test("When invisible characters are part of visible text, then the text is unchanged", () => {
  const schema = line("Title", 120);
  for (const text of [
    "👩‍👩‍👧",
    "❤️",
    "می‌خواهم",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿 logo",
    "ส\u200Bวัสดี",
    "é",
    "한글",
    "co\u00ADoperate",
    "?",
    "…",
  ])
    expect(schema.parse(` ${text} `)).toBe(text);
});

test("When tag characters hide a text behind a visible one, then they are rejected", () => {
  const schema = paragraph("Description", 120);
  for (const hidden of [
    "logo\u{E0069}\u{E0067}",
    "🏴\u{E0069}",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0069}",
    `🏴${"\u{E0061}".repeat(30)}\u{E007F}`,
  ])
    expect(schema.safeParse(hidden).error?.issues[0]?.message).toMatch(/^Remove the invisible/);
});

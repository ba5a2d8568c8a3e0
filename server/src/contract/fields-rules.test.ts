import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import {
  httpsLink,
  line,
  optionalLine,
  optionalParagraph,
  pageQuerySchema,
  paragraph,
  parameter,
  searchText,
  usd,
  wholeNumber,
} from "./fields.ts";
import { calendarDate, isCalendarDate, isOpen, isPlainLine, isPlainText } from "./values.ts";

/** The first error message for a value; undefined if it is valid. */
function firstError(schema: z.ZodMiniType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

const INVISIBLE = "Remove the invisible or control characters from this text.";

describe("texts", () => {
  test.each([
    "\u0000",
    "\u0008",
    "\u000B",
    "\u001F",
    "\u007F",
    "\u009F",
    "\u202A",
    "\u202E",
    "\u2066",
    "\u2069",
    "\uD800",
    "\uDFFF",
  ])("When a text contains %j, then it is not plain", (character) => {
    expect(isPlainText(`a${character}b`)).toBe(false);
    expect(isPlainLine(`a${character}b`)).toBe(false);
  });

  test.each(["\n", "\r", "\u2028", "\u2029"])(
    "When a text contains the line break %j, then it is plain text but not a plain line",
    (sign) => {
      expect([isPlainText(`a${sign}b`), isPlainLine(`a${sign}b`)]).toEqual([true, false]);
    },
  );

  test.each(["\t", "\u200F", "\u202F", "\u2065", "\u206A", "😀", "\u00A0"])(
    "When a line contains %j, then it is plain",
    (sign) => {
      expect(isPlainLine(`a${sign}b`)).toBe(true);
    },
  );

  test.each([
    ["a line", line("Title", 5)],
    ["a paragraph", paragraph("Title", 5)],
  ])("When %s is required, then it is trimmed, and neither empty nor too long", (_, schema) => {
    expect(schema.parse(" \tabcde\n ")).toBe("abcde");
    for (const missing of [undefined, null, 7, "", "  ", "\u200B"])
      expect(firstError(schema, missing)).toBe("Title is required.");
    expect(firstError(schema, "abcdef")).toBe("Title can have at most 5 characters.");
    expect(firstError(schema, "\ufb2c\ufb2c")).toBe("Title can have at most 5 characters.");
    expect(firstError(schema, "a\u0000b")).toBe(INVISIBLE);
  });

  test("When a letter is typed as several characters, then it is stored and searched for as one", () => {
    for (const schema of [line("Name", 9), searchText(9)]) expect(schema.parse("Zoe\u0308")).toBe("Zo\u00eb");
  });

  test.each([
    ["a line", optionalLine("Note", 5)],
    ["a paragraph", optionalParagraph("Note", 5)],
  ])("When %s is optional, then an invisible one counts as empty, and the other rules apply", (_, schema) => {
    expect([" abcde ", "", " \u200B "].map((text) => schema.parse(text))).toEqual(["abcde", "", ""]);
    expect(firstError(schema, 7)).toBe("Note must be text.");
    expect(firstError(schema, "abcdef")).toBe("Note can have at most 5 characters.");
    expect(firstError(schema, "a\u0000b")).toBe(INVISIBLE);
  });

  test("When a text has line breaks, then a paragraph accepts them, and a line does not", () => {
    expect(paragraph("Text", 9).parse("a\nb")).toBe("a\nb");
    expect(optionalParagraph("Text", 9).parse("a\nb")).toBe("a\nb");
    for (const schema of [line("Text", 9), optionalLine("Text", 9)])
      expect(firstError(schema, "a\nb")).toBe(INVISIBLE);
  });
});

describe("links", () => {
  const link = httpsLink("Each link", 40);
  const NO_LINK = "Each link must start with https:// and lead to a website.";

  test("When a link leads to a website, then it is normalized as browsers do", () => {
    expect(link.parse(" HTTPS://Files.example/a b ")).toBe("https://files.example/a%20b");
    expect(link.parse("https://bücher.example")).toBe("https://xn--bcher-kva.example/");
  });

  test.each([
    "http://files.example/",
    "ftp://files.example/",
    "files.example/x",
    "https://localhost/",
    "https://ann@files.example/",
    "https://ann:pw@files.example/",
    "https://:pw@files.example/",
    "javascript:alert(1)",
  ])("When it is %s, then it is rejected", (text) => {
    expect(firstError(link, text)).toBe(NO_LINK);
  });

  test("When it is too long, as typed or once normalized, then the error says so", () => {
    expect(firstError(link, `https://files.example/${"x".repeat(40)}`)).toBe(
      "Each link can have at most 40 characters.",
    );
    expect(firstError(link, `https://files.example/${"ö".repeat(15)}`)).toBe(
      "Each link can have at most 40 characters.",
    );
    expect(firstError(link, "")).toBe("Each link is required.");
  });
});

describe("numbers", () => {
  const NO_NUMBER = "Enter the budget as a number of US dollars.";

  test.each<[unknown, string | undefined]>([
    [0.01, undefined],
    [1_000_000, undefined],
    [450.5, undefined],
    [1.1, undefined],
    [0, "Budget must be more than $0."],
    [-5, "Budget must be more than $0."],
    [1_000_000.01, "Budget can be at most $1,000,000."],
    [9.999, "Budget can have at most two decimals."],
    ["450", NO_NUMBER],
    [Number.NaN, NO_NUMBER],
    [undefined, NO_NUMBER],
  ])("When a budget is %j, then the error is: %s", (value, message) => {
    expect(firstError(usd("Budget"), value)).toBe(message);
  });

  test("When a whole number up to ten is expected, then 1 to 10 are valid", () => {
    const schema = wholeNumber(10, "From 1 to 10.");
    expect([1, 10].map((value) => firstError(schema, value))).toEqual([undefined, undefined]);
    for (const value of [0, 11, 1.5, "2"]) expect(firstError(schema, value)).toBe("From 1 to 10.");
  });
});

describe("calendar dates", () => {
  test.each(["2026-02-28", "2028-02-29", "0001-01-01", "9999-12-31"])(
    "When a date is %s, then it is valid",
    (date) => {
      expect(isCalendarDate(date)).toBe(true);
    },
  );

  test.each([
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "02026-01-01",
    "2026-01-01Z",
    "x2026-01-01",
    "2026-01-011",
    "+012026-01-01",
    "2026-01-01T00:00:00Z",
    "",
  ])("When a date is %j, then it is invalid", (date) => {
    expect(isCalendarDate(date)).toBe(false);
  });

  test("When it is midnight in UTC, then the next day begins, and the previous day's deadline has passed", () => {
    const [last, next] = [new Date("2026-11-21T23:59:59.999Z"), new Date("2026-11-22T00:00:00.000Z")];
    expect([calendarDate(last), calendarDate(next)]).toEqual(["2026-11-21", "2026-11-22"]);
    expect([isOpen("2026-11-21", last), isOpen("2026-11-21", next), isOpen("2026-11-22", last)]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe("query parameters", () => {
  const NO_LIMIT = "The limit is a whole number from 1 to 100.";

  test("When one is empty or absent, then it counts as absent", () => {
    const schema = parameter(z.enum(["a"], { error: "Choose a." }));
    expect([undefined, "", "a"].map((value) => schema.parse(value))).toEqual([undefined, undefined, "a"]);
    expect(firstError(schema, "b")).toBe("Choose a.");
  });

  test.each([
    ["1", undefined],
    ["9", undefined],
    ["10", undefined],
    ["99", undefined],
    ["100", undefined],
    ["0", NO_LIMIT],
    ["101", NO_LIMIT],
    ["1000", NO_LIMIT],
    ["05", NO_LIMIT],
    ["1.5", NO_LIMIT],
    ["x9", NO_LIMIT],
    [["1", "2"], "Give one limit."],
  ])("When the limit of a page is %j, then the error is: %s", (limit, message) => {
    expect(firstError(pageQuerySchema, { limit })).toBe(message);
  });

  test("When a cursor is too long or given twice, then it is rejected", () => {
    expect(firstError(pageQuerySchema, { cursor: "x".repeat(512) })).toBeUndefined();
    expect(firstError(pageQuerySchema, { cursor: "x".repeat(513) })).toBe("This cursor is too long.");
    expect(firstError(pageQuerySchema, { cursor: ["a", "b"] })).toBe("Give one cursor.");
  });
});

import { describe, expect, test } from "vitest";
import { EMPTY_PROFILE, LANGUAGES, ownProfileSchema, profileDraftSchema } from "./profile.ts";

const PROFILE = { headline: "", about: "", skills: [], links: [], languages: [] };

/** Path and message of a profile's first error. */
function firstError(fields: object) {
  const issue = profileDraftSchema.safeParse({ ...PROFILE, ...fields }).error?.issues[0];
  return issue && [issue.path.join("."), issue.message];
}
const linksOf = (...links: string[]) => profileDraftSchema.parse({ ...PROFILE, links }).links;

describe("links of a profile", () => {
  const NO_LINK = "Enter a full https address, like https://example.com/portfolio.";

  test("When a URL is typed without a scheme, then https is added", () => {
    expect(linksOf("ada.example/a:b")).toEqual(["https://ada.example/a:b"]);
    expect(linksOf(" ada.example/work ", "https://ada.example/")).toEqual([
      "https://ada.example/work",
      "https://ada.example/",
    ]);
  });

  test("When it is not text, or too long, then the error says so", () => {
    expect(firstError({ links: [7] })).toEqual(["links.0", NO_LINK]);
    expect(firstError({ links: [`ada.example/${"x".repeat(300)}`] })).toEqual([
      "links.0",
      "A link can have at most 300 characters.",
    ]);
  });
});

describe("lists of a profile", () => {
  test("When an item is repeated in another case, then only the first is kept", () => {
    const skills = ["TypeScript", "typescript", "Design", "TYPESCRIPT"];
    expect(profileDraftSchema.parse({ ...PROFILE, skills }).skills).toEqual(["TypeScript", "Design"]);
  });

  test.each([
    ["skills", 10, (at: number) => `Skill ${at}`],
    ["links", 5, (at: number) => `https://ada.example/${at}`],
    ["languages", 10, (at: number) => LANGUAGES[at] as string],
  ] as const)("When there are too many %s, then the error states the limit", (name, max, item) => {
    const items = (count: number) => Array.from({ length: count }, (_, at) => item(at));
    expect(firstError({ [name]: items(max) })).toBeUndefined();
    expect(firstError({ [name]: items(max + 1) })).toEqual([name, `You can have at most ${max} ${name}.`]);
    expect(firstError({ [name]: "x" })).toEqual([name, `Give the ${name} as a list.`]);
    // Before anything is done with the items, so repeated ones count.
    expect(firstError({ [name]: [...items(max), item(0)] })).toBeDefined();
  });

  test("When an item is invalid, then the error is at that item", () => {
    expect(firstError({ skills: ["Design", " "] })).toEqual(["skills.1", "Skill is required."]);
    expect(firstError({ skills: ["x".repeat(41)] })).toEqual([
      "skills.0",
      "Skill can have at most 40 characters.",
    ]);
    expect(firstError({ languages: ["en", "xx"] })).toEqual([
      "languages.1",
      "Choose languages from the list.",
    ]);
  });

  test("When a language can be chosen, then `Intl` knows its name", () => {
    const names = new Intl.DisplayNames("en-US", { type: "language" });
    for (const code of LANGUAGES) expect(names.of(code), code).not.toBe(code);
    expect(new Set(LANGUAGES).size).toBe(LANGUAGES.length);
    expect(LANGUAGES).toEqual(expect.arrayContaining(["en", "de", "pt", "zh"]));
  });
});

test("When a text is too long, then the error is at its field", () => {
  expect(firstError({ headline: "x".repeat(120), about: "x".repeat(2_000) })).toBeUndefined();
  expect(firstError({ headline: "x".repeat(121) })).toEqual([
    "headline",
    "Headline can have at most 120 characters.",
  ]);
  expect(firstError({ about: "x".repeat(2_001) })).toEqual([
    "about",
    "About can have at most 2,000 characters.",
  ]);
});

test("When somebody has not written a profile, then it is empty with version 0", () => {
  expect(EMPTY_PROFILE).toEqual({ ...PROFILE, version: 0 });
  expect(ownProfileSchema.parse(EMPTY_PROFILE)).toEqual(EMPTY_PROFILE);
  for (const version of [-1, 0.5, undefined])
    expect(ownProfileSchema.safeParse({ ...EMPTY_PROFILE, version }).success).toBe(false);
});

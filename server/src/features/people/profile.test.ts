import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { aProfileDraft } from "../../../test/builders.ts";
import { expectProblem, useHarness } from "../../../test/harness.ts";
import { type Person, signUp } from "../../../test/people.ts";
import { EMPTY_PROFILE, exportSchema, ownProfileSchema, profileSchema } from "../../contract/index.ts";

const harness = useHarness();
let ada: Person;

beforeEach(async () => {
  ada = await signUp({ name: "Ada Client", photoUrl: "https://pictures.example/ada.png" });
});

const save = (draft: object, person = ada) => harness.as(person).put("/me/profile", draft);
const own = async () => ownProfileSchema.parse((await harness.as(ada).get("/me/profile").expect(200)).body);
const publicProfile = async () =>
  profileSchema.parse((await harness.as().get(`/profiles/${ada.uid}`).expect(200)).body);

describe("PUT /me/profile", () => {
  test("When somebody saves their profile, then everybody can read it, with name and photo from their token", async () => {
    expect(await own()).toEqual(EMPTY_PROFILE);
    const { body } = await save(aProfileDraft()).expect(200);
    expect(body).toEqual({ ...aProfileDraft(), version: 1 });
    expect(await own()).toEqual(body);
    expect(await publicProfile()).toMatchObject({
      ...aProfileDraft(),
      name: "Ada Client",
      image: "https://pictures.example/ada.png",
      jobsCompleted: 0,
    });
    expect(await publicProfile()).not.toHaveProperty("version");
    const emptied = { headline: "", about: "", skills: [], links: [], languages: [] };
    await save(emptied).expect(200);
    expect(await own()).toEqual({ ...emptied, version: 2 });
  });

  test("When the input has extra spaces and duplicates, then it is stored trimmed and without them", async () => {
    const draft = {
      headline: "  Fast  ",
      about: "\u200B \n",
      skills: [" Figma", "figma", "C++", "FIGMA "],
      links: ["ada.example", "https://bücher.example/ä", "HTTPS://ADA.example/"],
      languages: ["en", "en"],
    };
    const { body } = await save(draft).expect(200);
    expect(body).toEqual({
      headline: "Fast",
      about: "",
      skills: ["Figma", "C++"],
      links: ["https://ada.example/", "https://xn--bcher-kva.example/%C3%A4"],
      languages: ["en"],
      version: 1,
    });
  });

  test("When texts look like code, then they are stored as plain text", async () => {
    const hostile = '<script>alert(1)</script> {"$ne":1} {{x}} 👩‍🚀 مرحبا';
    const draft = aProfileDraft({
      headline: hostile,
      about: hostile,
      skills: ["$where", "__proto__", "<b>"],
    });
    await save(draft).expect(200);
    expect(await publicProfile()).toMatchObject(draft);
  });

  const INVALID_LINK = "Enter a full https address, like https://example.com/portfolio.";
  const wrong: [pointer: string, value: unknown, detail: string][] = [
    ["headline", "x".repeat(121), "Headline can have at most 120 characters."],
    ["headline", "two\nlines", "Remove the invisible or control characters from this text."],
    ["about", "right\u202Eleft", "Remove the invisible or control characters from this text."],
    ["about", null, "About must be text."],
    ["skills", Array.from({ length: 11 }, (_, at) => `Skill ${at}`), "You can have at most 10 skills."],
    ["skills", "TypeScript", "Give the skills as a list."],
    ["skills/1", ["fine", "x".repeat(41)], "Skill can have at most 40 characters."],
    ["skills/0", [" "], "Skill is required."],
    ["languages/0", ["klingon"], "Choose languages from the list."],
    [
      "links",
      Array.from({ length: 6 }, (_, at) => `https://a.example/${at}`),
      "You can have at most 5 links.",
    ],
    ["links/0", [`https://a.example/${"x".repeat(300)}`], "A link can have at most 300 characters."],
    ["links/0", ["http://a.example"], INVALID_LINK],
    ["links/0", ["javascript:alert(1)"], INVALID_LINK],
    ["links/0", ["data:text/html,x"], INVALID_LINK],
    ["links/0", ["https://ada:secret@a.example/"], INVALID_LINK],
    ["links/0", ["https://localhost/"], INVALID_LINK],
    ["links/0", ["not an address"], INVALID_LINK],
    ["links/0", [{ href: "https://a.example" }], INVALID_LINK],
  ];
  test.each(wrong)(
    "When %s is %j, then the 422 response says what is wrong, and nothing is saved",
    async (pointer, value, detail) => {
      const [field = ""] = pointer.split("/");
      const problem = expectProblem(await save({ ...aProfileDraft(), [field]: value }), 422, "invalid");
      expect(problem.errors).toContainEqual({ pointer: `#/${pointer}`, detail });
      expect(await own()).toEqual(EMPTY_PROFILE);
    },
  );

  test("When ten tabs save the same version concurrently, then one succeeds and the others get a 412", async () => {
    const tries = Array.from({ length: 10 }, (_, at) =>
      save(aProfileDraft({ headline: `Tab ${at}` })).set("If-Match", '"0"'),
    );
    const responses = await Promise.all(tries);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
    expect(await own()).toMatchObject({ version: 1 });
    const refused = expectProblem(
      await save(aProfileDraft()).set("If-Match", '"0"'),
      412,
      "changed-meanwhile",
    );
    expect(refused.version).toBe(1);
    const { headers } = await harness.as(ada).get("/me/profile").expect(200);
    await save(aProfileDraft())
      .set("If-Match", headers["etag"] ?? "")
      .expect(200);
  });

  test("When a save is repeated with its idempotency key, then it is done once", async () => {
    const key = randomUUID();
    for (let time = 0; time < 2; time++) {
      const { body } = await save(aProfileDraft()).set("Idempotency-Key", key).expect(200);
      expect(body).toMatchObject({ version: 1 });
    }
    expect(await own()).toMatchObject({ version: 1 });
  });
});

test("When somebody exports their data and deletes their account, then the profile is in the export, and deleted", async () => {
  await save(aProfileDraft()).expect(200);
  const { person } = exportSchema.parse((await harness.as(ada).get("/me/export").expect(200)).body);
  expect(person).toMatchObject({ profile: aProfileDraft() });
  await harness.as(ada).delete("/me").expect(200);
  expect(await harness.database.people.findOne({ _id: ada.uid })).toBeNull();
  expectProblem(await harness.as().get(`/profiles/${ada.uid}`), 404, "person-not-found");
});

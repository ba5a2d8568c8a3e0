import { beforeEach, expect, test } from "vitest";
import { aProfileDraft } from "../../../test/builders.ts";
import { expectProblem, useHarness } from "../../../test/harness.ts";
import { type Person, signUp } from "../../../test/people.ts";
import { EMPTY_PROFILE } from "../../contract/index.ts";

const harness = useHarness();
let ada: Person;

beforeEach(async () => {
  ada = await signUp({ name: "Ada Client", photoUrl: "https://pictures.example/ada.png" });
});

const save = (draft: object, person = ada) => harness.as(person).put("/me/profile", draft);
const own = () => harness.read("/me/profile", ada);
const publicProfile = () => harness.read(`/profiles/${ada.uid}`);

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

test("When four tabs save the same version concurrently, then one succeeds and the others get a 412", async () => {
  const tries = Array.from({ length: 4 }, (_, at) =>
    save(aProfileDraft({ headline: `Tab ${at}` })).set("If-Match", '"0"'),
  );
  const responses = await Promise.all(tries);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(3).fill(412)]);
  expect(await own()).toMatchObject({ version: 1 });
  const refused = expectProblem(await save(aProfileDraft()).set("If-Match", '"0"'), 412, "changed-meanwhile");
  expect(refused.version).toBe(1);
  const { headers } = await harness.as(ada).get("/me/profile").expect(200);
  await save(aProfileDraft())
    .set("If-Match", headers["etag"] ?? "")
    .expect(200);
});

import { expect, test } from "vitest";
import {
  bidHelpers,
  expectProblem,
  type Person,
  signUp,
  useHarness,
  useOperator,
  usePeople,
} from "../../../test/index.ts";
import { EMPTY_PROFILE } from "../../contract/index.ts";

const harness = useHarness();
const { bid, award } = bidHelpers(harness);

const [client, ada, writer] = usePeople("Clara Client", "Ada", "Wanda Writer");
const operator = useOperator(harness);

const profileOf = ({ uid }: Person) => harness.read(`/profiles/${uid}`);
const isInSitemap = async ({ uid }: Person) =>
  (await harness.ok().get("/sitemap-people.xml")).text.includes(`/people/${uid}<`);

async function expectListed(person: Person, listed: boolean): Promise<void> {
  const { unlisted, lastActiveOn } = await profileOf(person);
  expect([unlisted, lastActiveOn !== undefined]).toEqual(listed ? [undefined, true] : [true, false]);
  expect(await isInSitemap(person)).toBe(listed);
}

test("When somebody has only logged in, bid or saved an empty profile, then search engines do not list them; once they post, are hired or write a profile, then they do", async () => {
  const { version: _, ...empty } = EMPTY_PROFILE;
  for (const person of [client, ada, writer]) await harness.read("/me", person);
  await harness.ok(writer).put("/me/profile", empty);
  for (const person of [client, ada, writer]) await expectListed(person, false);
  const id = await harness.postTask(client);
  await bid(id, ada);
  await expectListed(client, true);
  await expectListed(ada, false);
  await award(id, client, ada);
  await expectListed(ada, true);
  await harness.ok(writer).put("/me/profile", { ...empty, headline: "I write" });
  await expectListed(writer, true);
});

test("When somebody does not want to be in the directory, then search engines do not list them either, and nobody can invite them, until they do", async () => {
  const shy = await signUp();
  await harness.read("/me", shy);
  await harness.postTask(shy);
  for (const inDirectory of [false, true]) {
    await harness.ok(shy).patch("/me", { inDirectory });
    await expectListed(shy, inDirectory);
    expect(await profileOf(shy)).toMatchObject({ takesInvitations: inDirectory });
  }
});

test("When somebody is suspended, then only operators see their profile and reviews, and the sitemap leaves them out, until that is lifted", async () => {
  const spammer = await signUp();
  await harness.postTask(spammer);
  const paths = [`/profiles/${spammer.uid}`, `/profiles/${spammer.uid}/reviews`];
  const suspend = (body: object) => harness.ok(operator).patch(`/profiles/${spammer.uid}/suspension`, body);
  await suspend({ suspended: true, reason: "spam" });
  for (const path of paths) {
    for (const visitor of [undefined, ada])
      expectProblem(await harness.as(visitor).get(path), "person-not-found");
    await harness.read(path, operator);
  }
  expect(await isInSitemap(spammer)).toBe(false);
  await suspend({ suspended: false, text: "They explained it." });
  for (const path of paths) await harness.read(path);
  await expectListed(spammer, true);
});

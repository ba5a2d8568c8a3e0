import { randomUUID } from "node:crypto";
import { ObjectId } from "mongodb";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectProblem, useHarness } from "../../../test/harness.ts";
import { type Person, signUp } from "../../../test/people.ts";
import { SAVED_SEARCH_LIMITS, type SavedSearch, type SavedSearchDraft } from "../../contract/index.ts";

const harness = useHarness();
const LOGOS: SavedSearchDraft = { name: "Logos", search: "logo", category: "Design", mail: "daily" };
let ada: Person;
let ben: Person;

beforeAll(async () => {
  [ada, ben] = await Promise.all([signUp({ name: "Ada" }), signUp({ name: "Ben" })]);
});
beforeEach(async () => {
  await harness.database.savedSearches.deleteMany({});
});

async function saved(by: Person, draft: Partial<SavedSearchDraft> = {}): Promise<string> {
  const response = await harness.as(by).post("/me/searches", { ...LOGOS, ...draft });
  expect(response.status).toBe(201);
  return response.body.insertedId;
}

async function listOf(person: Person): Promise<SavedSearch[]> {
  return (await harness.as(person).get("/me/searches").expect(200)).body;
}

describe("saving", () => {
  test("When somebody saves searches, then they see them, newest first, and nobody else does", async () => {
    await saved(ada);
    await saved(ada, { name: "Cheap", minBudget: "10", maxBudget: "99.50", state: "open", mail: "never" });
    const [newest, oldest] = await listOf(ada);
    expect(oldest).toEqual({
      ...LOGOS,
      _id: expect.any(String),
      paused: false,
      createdAt: expect.any(String),
    });
    expect(newest).toMatchObject({ name: "Cheap", minBudget: "10", maxBudget: "99.50", state: "open" });
    expect(await listOf(ben)).toEqual([]);
  });

  test("When a search has no name, no filter, or wrong ones, then each wrong field is named", async () => {
    const wrong: [object, string][] = [
      [{ name: " " }, "#/name"],
      [{ name: "x".repeat(61) }, "#/name"],
      [{ mail: "hourly" }, "#/mail"],
      [{ search: undefined, category: undefined }, "#/search"],
      [{ search: "", category: undefined, state: "open" }, "#/search"],
      [{ search: "a\u0000b" }, "#/search"],
      [{ category: "Gardening" }, "#/category"],
      [{ minBudget: "9", maxBudget: "8" }, "#/minBudget"],
      [{ maxBudget: "lots" }, "#/maxBudget"],
    ];
    for (const [fields, pointer] of wrong) {
      const response = await harness.as(ada).post("/me/searches", { ...LOGOS, ...fields });
      const { errors } = expectProblem(response, 422, "invalid");
      expect(errors?.map((error) => error.pointer)).toEqual([pointer]);
    }
    expect(await listOf(ada)).toEqual([]);
  });

  test("When somebody saves too many, also all at once, then they have as many as possible, until one is deleted", async () => {
    const { perPerson } = SAVED_SEARCH_LIMITS;
    const all = await Promise.all(
      Array.from({ length: perPerson + 5 }, (_, at) =>
        harness
          .as(ada)
          .post("/me/searches", { ...LOGOS, name: `s${at}` })
          .set("Idempotency-Key", randomUUID()),
      ),
    );
    const refused = all.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const response of refused) expectProblem(response, 409, "too-many-searches");
    const [first] = await listOf(ada);
    await harness.as(ada).delete(`/me/searches/${first?._id}`).expect(200);
    await saved(ada);
    expect(await listOf(ada)).toHaveLength(perPerson);
    await saved(ben);
  });

  test("When a save is sent twice with its key, then there is one search", async () => {
    const send = () => harness.as(ada).post("/me/searches", LOGOS).set("Idempotency-Key", "the-same");
    const [one, two] = await Promise.all([send(), send()]);
    expect(one.body.insertedId).toBe(two.body.insertedId);
    expect(await listOf(ada)).toHaveLength(1);
  });
});

describe("changing", () => {
  test("When somebody renames, pauses or mutes a search, or nothing, then just that changes", async () => {
    const id = await saved(ada);
    const change = (body: object) => harness.as(ada).patch(`/me/searches/${id}`, body).expect(200);
    await change({ name: "Marks" });
    expect((await change({ name: "Marks" })).body.modifiedCount).toBe(0);
    await change({ paused: true, mail: "never" });
    await change({});
    expect(await listOf(ada)).toMatchObject([{ name: "Marks", paused: true, mail: "never", search: "logo" }]);
    // What decides on matches is not for the caller to write.
    await change({ ownerId: ben.uid, slot: 7, match: { key: ":" }, search: "website" });
    expect(await listOf(ada)).toMatchObject([{ search: "logo" }]);
  });

  test("When a search is somebody else's, or gone, then it is not found, and stays as it is", async () => {
    const id = await saved(ada);
    const before = await listOf(ada);
    for (const path of [`/me/searches/${id}`, `/me/searches/${new ObjectId()}`]) {
      expectProblem(await harness.as(ben).patch(path, { paused: true }), 404, "search-not-found");
      expectProblem(await harness.as(ben).patch(path, {}), 404, "search-not-found");
      expectProblem(await harness.as(ben).delete(path), 404, "search-not-found");
    }
    expect(await listOf(ada)).toEqual(before);
    await harness.as(ada).delete(`/me/searches/${id}`).expect(200);
    expectProblem(await harness.as(ada).delete(`/me/searches/${id}`), 404, "search-not-found");
  });
});

describe("the link that ends emails", () => {
  const link = (key: string, search = "") =>
    `/me/searches/unsubscribe?${new URLSearchParams({ person: ada.uid, key, search })}`;
  const mails = async (person: Person) => (await listOf(person)).map(({ mail }) => mail);

  test("When it is only opened, or its key is wrong, then nothing changes; one click ends one search's emails, or all", async () => {
    const first = await saved(ada);
    await saved(ada, { mail: "at-once" });
    await saved(ada, { mail: "daily" });
    await saved(ben);
    const known = await harness.database.people.findOne({ _id: ada.uid });
    const key = String(known?.unsubscribeKey);
    expect(key.length).toBeGreaterThan(20);
    const page = await harness.as().get(link(key, first)).expect(200);
    expect(page.text).toContain('<form method="post">');
    for (const wrong of [link("guessed"), link("guessed", first), link(key, "all"), link("")])
      await harness.as().post(wrong).expect(404);
    expect(await mails(ada)).toEqual(["daily", "at-once", "daily"]);
    // As mail programs send it (RFC 8058).
    const click = (to: string) =>
      harness.as().post(to).type("form").send("List-Unsubscribe=One-Click").expect(200);
    await click(link(key, first));
    expect(await mails(ada)).toEqual(["daily", "at-once", "never"]);
    await click(link(key));
    await click(link(key, new ObjectId().toHexString()));
    expect(await mails(ada)).toEqual(["never", "never", "never"]);
    expect(await mails(ben)).toEqual(["daily"]);
  });

  test("When somebody ends all their emails, then those about saved searches end too", async () => {
    await saved(ada, { mail: "at-once" });
    const { unsubscribeKey: key = "" } = (await harness.database.people.findOne({ _id: ada.uid })) ?? {};
    await harness
      .as()
      .post(`/me/unsubscribe?${new URLSearchParams({ person: ada.uid, key })}`)
      .expect(200);
    expect(await mails(ada)).toEqual(["never"]);
  });
});

describe("whose data it is", () => {
  test("When somebody exports, then their searches come, without what only the database needs", async () => {
    await saved(ada);
    await saved(ben, { name: "Not hers" });
    const { body, text } = await harness.as(ada).get("/me/export").expect(200);
    expect(body.savedSearches).toMatchObject([{ name: "Logos", search: "logo", mail: "daily" }]);
    for (const secret of ["Not hers", "pattern", "slot"]) expect(text).not.toContain(secret);
  });

  test("When somebody deletes their account, then their searches go, and nobody else's", async () => {
    const leaver = await signUp();
    await saved(leaver);
    await saved(ben);
    await harness.as(leaver).delete("/me").expect(200);
    const { savedSearches } = harness.database;
    expect(await savedSearches.countDocuments({ ownerId: leaver.uid })).toBe(0);
    expect(await savedSearches.countDocuments({ ownerId: ben.uid })).toBe(1);
  });
});

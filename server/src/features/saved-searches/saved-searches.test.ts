import { randomUUID } from "node:crypto";
import { ObjectId } from "mongodb";
import { beforeEach, describe, expect, test } from "vitest";
import { expectProblem, type Person, sendColliding, useHarness, usePeople } from "../../../test/index.ts";
import { SAVED_SEARCH_LIMITS, type SavedSearch, type SavedSearchDraft } from "../../contract/index.ts";

const harness = useHarness();
const LOGOS: SavedSearchDraft = { name: "Logos", search: "logo", category: "Design", mail: "daily" };
const [ada, ben] = usePeople("Ada", "Ben");

beforeEach(() => harness.clear("savedSearches"));

async function saveSearch(by: Person, draft: Partial<SavedSearchDraft> = {}): Promise<string> {
  const response = await harness.as(by).post("/me/searches", { ...LOGOS, ...draft });
  expect(response.status).toBe(201);
  return response.body.insertedId;
}

async function listSearches(person: Person): Promise<SavedSearch[]> {
  return await harness.read("/me/searches", person);
}

describe("saving", () => {
  test("When somebody saves searches, then only they see them, newest first", async () => {
    await saveSearch(ada);
    await saveSearch(ada, {
      name: "Cheap",
      minBudget: "10",
      maxBudget: "99.50",
      state: "open",
      mail: "never",
    });
    const [newest, oldest] = await listSearches(ada);
    expect(oldest).toMatchObject({ ...LOGOS, paused: false });
    expect(newest).toMatchObject({ name: "Cheap", minBudget: "10", maxBudget: "99.50", state: "open" });
    expect(await listSearches(ben)).toEqual([]);
  });

  test("When a search has no name, no filter, or invalid fields, then the response points to the invalid field", async () => {
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
      const { errors } = expectProblem(response, "invalid");
      expect(errors?.map((error) => error.pointer)).toEqual([pointer]);
    }
    expect(await listSearches(ada)).toEqual([]);
  });

  test("When somebody saves too many concurrently, then exactly the limit is saved, and one more after one is deleted", async () => {
    const { perPerson } = SAVED_SEARCH_LIMITS;
    for (let saved = 0; saved < perPerson - 5; saved++) await saveSearch(ada);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, at) => {
        const key = randomUUID();
        return sendColliding(() =>
          harness
            .as(ada)
            .post("/me/searches", { ...LOGOS, name: `s${at}` })
            .set("Idempotency-Key", key),
        );
      }),
    );
    const refused = all.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(5);
    for (const response of refused) expectProblem(response, "too-many-searches");
    const [first] = await listSearches(ada);
    await harness.ok(ada).delete(`/me/searches/${first?._id}`);
    await saveSearch(ada);
    expect(await listSearches(ada)).toHaveLength(perPerson);
    await saveSearch(ben);
  });
});

test("When somebody renames, pauses or mutes a search, then only that changes", async () => {
  const id = await saveSearch(ada);
  const change = (body: object) => harness.ok(ada).patch(`/me/searches/${id}`, body);
  await change({ name: "Marks" });
  expect((await change({ name: "Marks" })).body.modifiedCount).toBe(0);
  await change({ paused: true, mail: "never" });
  await change({});
  expect(await listSearches(ada)).toMatchObject([
    { name: "Marks", paused: true, mail: "never", search: "logo" },
  ]);
  // The caller cannot change the filters.
  await change({
    ownerId: ben.uid,
    slot: 7,
    match: { keys: [":"], pattern: "", words: [] },
    search: "website",
  });
  expect(await listSearches(ada)).toMatchObject([{ search: "logo" }]);
});

describe("the unsubscribe link", () => {
  const link = (key: string, search = "") =>
    `/me/searches/unsubscribe?${new URLSearchParams({ person: ada.uid, key, search })}`;
  const mails = async (person: Person) => (await listSearches(person)).map(({ mail }) => mail);

  test("When it is only opened, or its key is wrong, then nothing changes; a POST unsubscribes from one search or all", async () => {
    const first = await saveSearch(ada);
    await saveSearch(ada, { mail: "at-once" });
    await saveSearch(ada, { mail: "daily" });
    await saveSearch(ben);
    const known = await harness.database.people.findOne({ _id: ada.uid });
    const key = String(known?.unsubscribeKey);
    expect(key.length).toBeGreaterThan(20);
    const page = await harness.ok().get(link(key, first));
    expect(page.text).toContain('<form method="post">');
    for (const wrong of [link("guessed"), link("guessed", first), link(key, "all"), link("")])
      await harness.as().post(wrong).expect(404);
    expect(await mails(ada)).toEqual(["daily", "at-once", "daily"]);
    // As mail programs send it (RFC 8058).
    const unsubscribe = (to: string) => harness.ok().post(to).type("form").send("List-Unsubscribe=One-Click");
    await unsubscribe(link(key, first));
    expect(await mails(ada)).toEqual(["daily", "at-once", "never"]);
    await unsubscribe(link(key));
    await unsubscribe(link(key, new ObjectId().toHexString()));
    expect(await mails(ada)).toEqual(["never", "never", "never"]);
    expect(await mails(ben)).toEqual(["daily"]);
  });

  test("When somebody unsubscribes from all emails, then those about saved searches end too", async () => {
    await saveSearch(ada, { mail: "at-once" });
    const { unsubscribeKey: key = "" } = (await harness.database.people.findOne({ _id: ada.uid })) ?? {};
    await harness.ok().post(`/me/unsubscribe?${new URLSearchParams({ person: ada.uid, key })}`);
    expect(await mails(ada)).toEqual(["never"]);
  });
});

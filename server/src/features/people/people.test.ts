import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  aProfileDraft,
  aTaskDraft,
  atOnceBut,
  expectProblem,
  forgedToken,
  type Person,
  signUp,
  testFirebase,
  useHarness,
  usePeople,
  verifyEmail,
} from "../../../test/index.ts";
import { calendarDate, EMPTY_PROFILE, type Me } from "../../contract/index.ts";
import { personStore } from "./store.ts";

const unsubscribePath = (person: string, key: string) =>
  `/me/unsubscribe?${new URLSearchParams({ person, key })}`;

/** When a token expires that is newer than the real ones, which are valid for an hour. */
const inTwoHours = () => new Date(Date.now() + 7_200_000);
const harness = useHarness();
const [ada, ben] = usePeople("Ada", "Ben");
beforeEach(() => {
  harness.clock.now = new Date();
});

const stored = (person: Person) => harness.database.people.findOne({ _id: person.uid });

describe("Recording people", () => {
  test("When somebody writes or reads GET /me, then they are recorded with their token's data; other readers are not", async () => {
    const person = await signUp({ name: "Cleo Maker", photoUrl: "https://pictures.example/cleo.png" });
    await harness.read("/tasks?limit=1", person);
    await harness.read("/me/notifications", person);
    expect(await stored(person)).toBeNull();
    const first = harness.clock.now;
    await harness.ok(person).post("/tasks", aTaskDraft());
    const recorded = { emailVerified: false, emailNotices: false, memberSince: first };
    expect(await stored(person)).toMatchObject({
      ...{ ...recorded, name: "Cleo Maker", email: person.email },
      ...{ image: "https://pictures.example/cleo.png", publicSince: first },
      lastActiveOn: calendarDate(first),
    });
    const other = await signUp({ name: "Dan" });
    await harness.read("/me", other);
    expect(await stored(other)).toMatchObject({ ...recorded, name: "Dan", email: other.email });
    expect(await stored(other)).not.toHaveProperty("publicSince");
  });

  test("When they come back on another day, then that day is recorded, with one write", async () => {
    const instance = harness.instance();
    await instance.ok(ada).get("/me");
    harness.advance(86_400_000);
    const writes = vi.spyOn(harness.database.people, "updateOne");
    for (let time = 0; time < 3; time++) await instance.ok(ada).get("/me");
    expect(writes).toHaveBeenCalledTimes(1);
    expect((await stored(ada))?.lastActiveOn).toBe(calendarDate(harness.clock.now));
    writes.mockRestore();
  });

  test("When the email address becomes verified, or changes to an unverified one, then that is recorded", async () => {
    const person = await signUp();
    await harness.read("/me", person);
    expect(await stored(person)).toMatchObject({ emailVerified: false });
    const verified = await verifyEmail(person);
    await harness.read("/me", verified);
    expect(await stored(person)).toMatchObject({ email: person.email, emailVerified: true });
    const now = { loggedInAt: new Date(), tokenExpiresAt: inTwoHours() };
    const changed = { ...now, uid: person.uid, name: person.name, email: "victim@people.example" };
    const instance = harness.instance({ verifier: { verify: async () => changed } });
    await instance.ok(person).get("/me");
    expect(await stored(person)).toMatchObject({ email: "victim@people.example" });
    expect(await stored(person)).toMatchObject({ emailVerified: false });
  });

  test("When another device still uses an older token, then the newer name and email address stay, and the day is recorded", async () => {
    const older = await signUp({ name: "Old Name" });
    await harness.read("/me", older);
    const changed = { uid: older.uid, email: "new@people.example", projectId: testFirebase().projectId };
    const newer = { ...older, token: forgedToken({ ...changed, ageS: -60 }) };
    await harness.read("/me", newer);
    harness.advance(86_400_000);
    await harness.instance().ok(older).get("/me");
    const expected = {
      name: "Unnamed member",
      email: changed.email,
      lastActiveOn: calendarDate(harness.clock.now),
    };
    expect(await stored(older)).toMatchObject(expected);
  });

  test("When an address is changed back while another device uses an older token, then the first address is stored again", async () => {
    const person = await signUp();
    const { projectId } = testFirebase();
    for (const [name, ageS] of [
      ["a", 0],
      ["b", -60],
      ["a", 0],
      ["a", -120],
    ] as const) {
      const token = forgedToken({ uid: person.uid, email: `${name}@people.example`, projectId, ageS });
      await harness.ok({ ...person, token }).get("/me");
    }
    expect(await stored(person)).toMatchObject({ email: "a@people.example" });
  });

  test("When two tokens of a new person arrive at the same time, then the values of the newer one are stored", async () => {
    const { record } = personStore(harness.database);
    const token = (uid: string, name: string, tokenExpiresAt: Date) =>
      record({ uid, name, email: "x@people.example", loggedInAt: new Date(), tokenExpiresAt }, new Date());
    const uids = Array.from({ length: 40 }, (_, at) => `just-signed-up-${at}`);
    await Promise.all(
      uids.flatMap((uid) => [token(uid, "Old", new Date()), token(uid, "New", inTwoHours())]),
    );
    const found = await harness.database.people.find({ _id: { $in: uids } }).toArray();
    expect(found.map(({ name }) => name)).toEqual(uids.map(() => "New"));
  });

  test("When recording fails, then the request succeeds, and the failure is logged", async () => {
    const failing = vi.spyOn(harness.database.people, "updateOne").mockRejectedValue(new Error("down"));
    await harness.instance().ok(ben).post("/me/notifications/read", {});
    failing.mockRestore();
    expect(harness.log.join()).toContain("a person could not be recorded");
  });
});

describe("GET and PATCH /me", () => {
  test("When somebody reads and changes their settings, then emails are off until they turn them on", async () => {
    const me = (): Promise<Me> => harness.read("/me", ben);
    expect(await me()).toEqual({
      id: ben.uid,
      isOperator: false,
      unread: 0,
      unreadConversations: 0,
      emailNotices: false,
      mailChoices: atOnceBut({}),
      inDirectory: true,
      emailAvailable: false,
    });
    const mailChoices = atOnceBut({ payments: "daily", messages: "never" });
    expect((await harness.ok(ben).patch("/me", { mailChoices })).body).toMatchObject({
      mailChoices,
    });
    // Another tab, which does not know of these, changes one.
    await harness.ok(ben).patch("/me", { mailChoices: { bids: "never" } });
    expect((await me()).mailChoices).toEqual({ ...mailChoices, bids: "never" });
    expectProblem(await harness.as(ben).patch("/me", { mailChoices: { bids: "weekly" } }), "invalid");
    const { body } = await harness.ok(ben).patch("/me", { emailNotices: true, admin: true });
    expect(body).toEqual({ ...(await me()), emailNotices: true });
    const person = await stored(ben);
    expect(person).toMatchObject({ emailNotices: true, emailNoticesSince: harness.clock.now });
    expect(person?.unsubscribeKey).toMatch(/^[\w-]{32}$/);
    // Turning them on again keeps the time; the key stays for links in emails already sent.
    harness.advance(60_000);
    await harness.ok(ben).patch("/me", { emailNotices: true });
    expect(await stored(ben)).toEqual(person);
    await harness.ok(ben).patch("/me", { emailNotices: false });
    expect(await me()).toMatchObject({ emailNotices: false });
    expect((await stored(ben))?.unsubscribeKey).toBe(person?.unsubscribeKey);
  });
});

describe("The unsubscribe link", () => {
  test("When it is only opened, then nothing changes; when a mail program posts to it, then emails end, without a login", async () => {
    await harness.ok(ada).patch("/me", { emailNotices: true });
    const link = unsubscribePath(ada.uid, (await stored(ada))?.unsubscribeKey ?? "");
    const page = await harness
      .as()
      .get(link)
      .expect(200)
      .expect("Content-Type", /^text\/html/);
    expect(page.text).toContain('<form method="post">');
    expect((await stored(ada))?.emailNotices).toBe(true);
    const post = () =>
      harness
        .as()
        .post(link)
        .type("form")
        .send("List-Unsubscribe=One-Click")
        .expect("Content-Type", /^text\/html/);
    expect((await post().expect(200)).text).toContain("no more emails");
    expect((await stored(ada))?.emailNotices).toBe(false);
    await post().expect(200);
  });

  test("When the key is wrong, missing or a query operator, then nobody is unsubscribed", async () => {
    await harness.ok(ada).patch("/me", { emailNotices: true });
    const { unsubscribeKey } = (await stored(ada)) ?? {};
    for (const link of [
      unsubscribePath(ada.uid, "wrong"),
      unsubscribePath(ben.uid, String(unsubscribeKey)),
      unsubscribePath(ada.uid, ""),
      `/me/unsubscribe?person=${ada.uid}`,
      `/me/unsubscribe?person=${ada.uid}&key[$ne]=x`,
      `/me/unsubscribe?person=${ada.uid}&key=a&key=b`,
    ]) {
      const { status } = await harness.as().post(link);
      expect([400, 404]).toContain(status);
    }
    expect((await stored(ada))?.emailNotices).toBe(true);
  });
});

describe("the picture of somebody's initials", () => {
  const draw = (initials: string) => harness.as().get(`/avatar.svg?${new URLSearchParams({ initials })}`);

  test("When initials are given, then any page may show their picture, which can be cached and runs nothing", async () => {
    const { headers, body } = await draw("FL").expect(200);
    expect(headers).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "cache-control": "public, max-age=604800",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    const fill = (svg: Buffer) => svg.toString().match(/fill="(hsl[^"]+)"/)?.[1];
    expect(body.toString()).toMatch(/^<svg [^>]+>.*>FL<\/text><\/svg>$/);
    expect(fill((await draw("FM")).body)).not.toBe(fill(body));
    const figure = await harness.ok().get("/avatar.svg");
    expect(figure.body.toString()).not.toContain("<text");
  });

  test.each(["E\u0301V", "रा", "王", "م", "7"])(
    "When the initials are %s, then they are drawn",
    async (initials) => {
      expect((await draw(initials).expect(200)).body.toString()).toContain(`>${initials}</text>`);
    },
  );

  test.each(["ABC", "a b", "<b", "&", "🦊", `e${"\u0301".repeat(16)}`])(
    "When they are not one or two letters or digits, such as %s, then nothing is drawn",
    async (initials) => {
      expectProblem(await draw(initials), "invalid");
    },
  );
});

describe("a profile", () => {
  let person: Person;

  beforeEach(async () => {
    person = await signUp({ name: "Ada Client", photoUrl: "https://pictures.example/ada.png" });
  });

  const save = (draft: object) => harness.as(person).put("/me/profile", draft);
  const own = () => harness.read("/me/profile", person);
  const publicProfile = () => harness.read(`/profiles/${person.uid}`);

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
    const refused = expectProblem(await save(aProfileDraft()).set("If-Match", '"0"'), "changed-meanwhile");
    expect(refused.version).toBe(1);
    const { headers } = await harness.ok(person).get("/me/profile");
    await save(aProfileDraft())
      .set("If-Match", headers["etag"] ?? "")
      .expect(200);
  });
});

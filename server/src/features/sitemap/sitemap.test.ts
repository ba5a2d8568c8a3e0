import { beforeAll, expect, test, vi } from "vitest";
import { aPersonDoc, type Harness, inDays, testSettings, useHarness } from "../../../test/index.ts";

const ORIGIN = "https://tasklane.example";
const harness = useHarness({ settings: testSettings({ webUrl: ORIGIN }) });
const PEOPLE = 10_050;

/** The URLs in a part or in the index. */
async function urlsAt(path: string, { ok }: Pick<Harness, "ok"> = harness): Promise<string[]> {
  const { text, headers } = await ok().get(path);
  expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
  expect(headers["cache-control"]).toBe("public, max-age=3600");
  return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
}
const pathOf = (url: string) => url.slice(ORIGIN.length);
const uidOf = (number: number) => `person-${String(number).padStart(6, "0")}`;

beforeAll(async () => {
  const publicSince = new Date();
  const people = Array.from({ length: PEOPLE }, (_, number) =>
    aPersonDoc({ _id: uidOf(number), publicSince }),
  );
  await harness.database.people.insertMany([...people, aPersonDoc({ _id: "zoë/<&?", publicSince })]);
});

test("When all parts are read, then everybody is listed once, whatever characters their uid has", async () => {
  const index = await urlsAt("/sitemap.xml");
  expect(index.every((url) => url.startsWith(`${ORIGIN}/sitemap-`))).toBe(true);
  const parts = index.map(pathOf).filter((path) => path.startsWith("/sitemap-people.xml"));
  expect(parts).toHaveLength(2);
  const listed = (await Promise.all(parts.map((part) => urlsAt(part)))).flat();
  expect(listed).toHaveLength(PEOPLE + 1);
  expect(new Set(listed).size).toBe(PEOPLE + 1);
  expect(listed).toContain(`${ORIGIN}/people/${uidOf(PEOPLE - 1)}`);
  expect(listed.at(-1)).toBe(`${ORIGIN}/people/${encodeURIComponent("zoë/<&?")}`);
});

test("When tasks are listed, then only visible ones that take bids, soonest deadline first", async () => {
  const later = await harness.insertTask({ deadline: inDays(9) });
  const soon = await harness.insertTask({ deadline: inDays(0) });
  for (const other of [{ deadline: inDays(-1) }, { hidden: true }, { state: "awarded" as const }])
    await harness.insertTask(other);
  const listed = await urlsAt("/sitemap-tasks.xml");
  expect(listed).toEqual([soon, later].map(({ _id }) => `${ORIGIN}/taskdetails/${_id.toHexString()}`));
});

test("When people fill the parts exactly, then no empty part follows", async () => {
  const { people } = harness.database;
  const beyond = await people.find().sort({ _id: 1 }).skip(10_000).toArray();
  await people.deleteMany({ _id: { $in: beyond.map(({ _id }) => _id) } });
  const parts = (await urlsAt("/sitemap.xml", harness.instance()))
    .map(pathOf)
    .filter((path) => path.startsWith("/sitemap-people.xml"));
  expect(parts).toEqual(["/sitemap-people.xml"]);
  expect(await urlsAt("/sitemap-people.xml")).toHaveLength(10_000);
  await people.insertMany(beyond);
});

test("When the index takes longer than the request that needs it first, then it is read to the end all the same, for the next one", async () => {
  const { people } = harness.database;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const find = vi.spyOn(people, "find").mockImplementationOnce((...sent) => {
    const cursor = people.find(...sent);
    const read = cursor.toArray.bind(cursor);
    return Object.assign(cursor, { toArray: () => released.then(read) });
  });
  const { as } = harness.instance({ deadlineMs: 300 });
  await as().get("/sitemap.xml").expect(503);
  release();
  const slow = find.mock.calls.length;
  await vi.waitUntil(() => find.mock.calls.length > slow);
  // A busy machine may take longer than this deadline to send it, too.
  await expect.poll(async () => (await as().get("/sitemap.xml")).status).toBe(200);
  expect(find.mock.calls.length).toBe(slow + 1);
  find.mockRestore();
});

test("When pages and robots.txt are read, then they name the site's own origin, and private pages are disallowed", async () => {
  expect((await harness.ok().get("/sitemap-pages.xml")).text).toContain(`<loc>${ORIGIN}/browsetask</loc>`);
  const { text, headers } = await harness.ok().get("/robots.txt");
  expect(headers["content-type"]).toContain("text/plain");
  expect(text).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
  expect(text).toContain("Disallow: /dash/");
});

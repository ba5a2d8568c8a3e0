import { beforeAll, describe, expect, test } from "vitest";
import { aPersonDoc, inDays } from "../../../test/builders.ts";
import { expectProblem, testFirebase, useHarness } from "../../../test/harness.ts";

const ORIGIN = "https://tasklane.example";
const harness = useHarness({
  settings: {
    env: "test",
    corsOrigins: [],
    firebase: testFirebase(),
    trustProxy: 0,
    webUrl: ORIGIN,
  },
});
const PEOPLE = 10_050;

/** The addresses of a part, or of the index. */
async function addressesAt(path: string): Promise<string[]> {
  const { text, headers } = await harness.as().get(path).expect(200);
  expect(headers["content-type"]).toBe("application/xml; charset=utf-8");
  expect(headers["cache-control"]).toBe("public, max-age=3600");
  return [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address = ""]) =>
    address.replaceAll("&amp;", "&"),
  );
}
const pathOf = (address: string) => address.slice(ORIGIN.length);
const uidOf = (number: number) => `person-${String(number).padStart(6, "0")}`;

beforeAll(async () => {
  const people = Array.from({ length: PEOPLE }, (_, number) => aPersonDoc({ _id: uidOf(number) }));
  await harness.database.people.insertMany([...people, aPersonDoc({ _id: "zoë/<&?" })]);
});

describe("sitemap", () => {
  test("When its parts are read one after the other, then everybody is listed once, whatever their uid holds", async () => {
    const index = await addressesAt("/sitemap.xml");
    expect(index.every((address) => address.startsWith(`${ORIGIN}/sitemap-`))).toBe(true);
    const parts = index.map(pathOf).filter((path) => path.startsWith("/sitemap-people.xml"));
    expect(parts).toHaveLength(2);
    const listed = (await Promise.all(parts.map(addressesAt))).flat();
    expect(listed).toHaveLength(PEOPLE + 1);
    expect(new Set(listed).size).toBe(PEOPLE + 1);
    expect(listed).toContain(`${ORIGIN}/people/${uidOf(PEOPLE - 1)}`);
    expect(listed.at(-1)).toBe(`${ORIGIN}/people/${encodeURIComponent("zoë/<&?")}`);
  });

  test("When tasks are listed, then those that take bids and nobody has hidden, soonest deadline first", async () => {
    const later = await harness.insertTask({ deadline: inDays(9) });
    const soon = await harness.insertTask({ deadline: inDays(0) });
    for (const other of [{ deadline: inDays(-1) }, { hidden: true }, { state: "awarded" as const }])
      await harness.insertTask(other);
    const listed = await addressesAt("/sitemap-tasks.xml");
    expect(listed).toEqual([soon, later].map(({ _id }) => `${ORIGIN}/taskdetails/${_id.toHexString()}`));
  });

  test("When a place is made up, then 400", async () => {
    expectProblem(await harness.as().get("/sitemap-tasks.xml?cursor=abc"), 400, "invalid-cursor");
  });

  test("When pages and robots.txt are read, then they name the site's own origin and nothing private", async () => {
    expect((await harness.as().get("/sitemap-pages.xml").expect(200)).text).toContain(
      `<loc>${ORIGIN}/browsetask</loc>`,
    );
    const { text, headers } = await harness.as().get("/robots.txt").expect(200);
    expect(headers["content-type"]).toContain("text/plain");
    expect(text).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    expect(text).toContain("Disallow: /dash/");
  });
});

import { expect, test } from "vitest";
import { countMismatches } from "./counts.ts";
import type { PageSnapshot } from "./page-snapshot.ts";

const SAVED = {
  address: "/dash/saved",
  title: "",
  bell: "",
  account: "",
  rows: 0,
  isModal: false,
} as PageSnapshot;

/** The mismatches if the page shows `text` and the API reports `actual` saved tasks. */
async function mismatches(
  text: string,
  { actual = 3, isStale = false, isSignedIn = true, snapshot = SAVED } = {},
) {
  const api = async () =>
    Response.json({}, { headers: { "X-Total-Count": `${actual}`, "X-Unread-Count": "2" } });
  const tally = new Map<string, number>();
  const wrong = await countMismatches({ snapshot, text }, api, { isSignedIn, isStale }, tally);
  return { wrong, compared: [...tally.keys()] };
}

test("When page and API agree, then there is no mismatch, and the count was compared", async () => {
  expect(await mismatches("You have 3 saved tasks.")).toEqual({ wrong: [], compared: ["saved tasks"] });
  expect(await mismatches("No saved tasks yet", { actual: 0 })).toEqual({
    wrong: [],
    compared: ["saved tasks"],
  });
});

test("When page and API differ, then that is reported", async () => {
  const { wrong } = await mismatches("You have 1,003 saved tasks.");
  expect(wrong).toEqual(["saved tasks: the page says 1003, the API 3"]);
  const snapshot = { ...SAVED, bell: "Notifications, 1 unread" };
  expect((await mismatches("", { snapshot })).wrong).toEqual([
    "unread notifications, at the bell: the page says 1, the API 2",
  ]);
});

test("When the page shows no count, may be outdated, or nobody is signed in, then nothing is compared", async () => {
  for (const { compared } of [
    await mismatches("Loading"),
    await mismatches("3 saved tasks", { isStale: true }),
    await mismatches("3 saved tasks", { isSignedIn: false }),
  ])
    expect(compared).toEqual([]);
});

import { expect, test } from "vitest";
import { wrongCounts } from "./counts.ts";
import type { Look } from "./look.ts";

const SAVED = { address: "/dash/saved", title: "", bell: "", account: "", rows: 0, isModal: false } as Look;

/** What is wrong where the page says `text`, and the API that there are `held` saved tasks. */
async function found(text: string, { held = 3, isStale = false, isSignedIn = true, look = SAVED } = {}) {
  const api = async () =>
    Response.json({}, { headers: { "X-Total-Count": `${held}`, "X-Unread-Count": "2" } });
  const tally = new Map<string, number>();
  const wrong = await wrongCounts({ look, text }, api, { isSignedIn, isStale }, tally);
  return { wrong, compared: [...tally.keys()] };
}

test("When a page says what the API says, then nothing is wrong, and the count was compared", async () => {
  expect(await found("You have 3 saved tasks.")).toEqual({ wrong: [], compared: ["saved tasks"] });
  expect(await found("No saved tasks yet", { held: 0 })).toEqual({ wrong: [], compared: ["saved tasks"] });
});

test("When it says something else, then that is found", async () => {
  const { wrong } = await found("You have 1,003 saved tasks.");
  expect(wrong).toEqual(["saved tasks: the page says 1003, the API 3"]);
  const look = { ...SAVED, bell: "Notifications, 1 unread" };
  expect((await found("", { look })).wrong).toEqual([
    "unread notifications, at the bell: the page says 1, the API 2",
  ]);
});

test("When it says nothing, may be older, or nobody is signed in, then nothing is compared", async () => {
  for (const { compared } of [
    await found("Loading"),
    await found("3 saved tasks", { isStale: true }),
    await found("3 saved tasks", { isSignedIn: false }),
  ])
    expect(compared).toEqual([]);
});

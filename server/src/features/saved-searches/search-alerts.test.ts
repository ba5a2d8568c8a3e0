import type { Filter } from "mongodb";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { aSavedSearchDoc, inDays, instanceJobs, useHarness, usePeople } from "../../../test/index.ts";
import { CATEGORIES, type EmailFrequency, type SavedFilters, type TaskDraft } from "../../contract/index.ts";
import type { NotificationDoc } from "../../db/documents/notifications.ts";
import type { SavedSearchDoc } from "../../db/documents/people.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { enqueue } from "../../db/jobs.ts";
import { searchKeysOf } from "../../domain/text-search.ts";
import { matchOf, matchPlan } from "./match-searches.ts";
import { searchAlerts } from "./search-alerts.ts";

const harness = useHarness();
const log = { warn: vi.fn() };
const ALERTS = { kind: "search-alerts" } as const;
const PENDING = { ...ALERTS, subject: { $ne: "" } };
const [ada] = usePeople("Ada");

beforeEach(async () => {
  await harness.clear("tasks", "savedSearches", "notifications", "jobs");
  log.warn.mockClear();
});

let slot = 0;
const aSearch = (
  ownerId: string,
  filters: SavedFilters,
  { name = "A search", mail = "never", paused = false }: Partial<SavedSearchDoc> = {},
): SavedSearchDoc => {
  const { search: _, ...rest } = aSavedSearchDoc({ ownerId, name, mail, paused, slot: slot++ });
  return { ...rest, ...filters, match: matchOf(filters) };
};
const insertSearches = (...searches: SavedSearchDoc[]) => harness.database.savedSearches.insertMany(searches);
const dueFor = ({ _id }: TaskDoc) =>
  harness.database.transaction(() => enqueue(harness.database, { ...ALERTS, subject: [_id] }));
/** Stores a task whose alerts are still due, as after a crash of the instance that stored it. */
async function insertDue(fields: Partial<TaskDoc> = {}): Promise<TaskDoc> {
  const task = await harness.insertTask(fields);
  await dueFor(task);
  return task;
}
/** The alerts of another instance. */
const sendAlerts = ({ emails = false, at = harness.clock.now } = {}) =>
  instanceJobs(harness, {
    kinds: { "search-alerts": { work: searchAlerts(harness.database, emails) } },
    ...{ at, log },
  }).drainAll();

async function notified(filter: Filter<NotificationDoc> = {}): Promise<string[]> {
  const found = await harness.database.notifications.find({ kind: "search-match", ...filter }).toArray();
  return found.map(({ recipientId, search, taskTitle }) => `${recipientId}: ${search}: ${taskTitle}`).sort();
}

describe("recipients", () => {
  test("When a task is posted, then everybody whose search matches is notified, and its alerts are no longer due", async () => {
    await insertSearches(
      aSearch("words", { search: "LOGO" }, { name: "Logos" }),
      aSearch("category", { category: "Design" }),
      aSearch("other-category", { search: "logo", category: "Writing" }),
      aSearch("described", { search: "bakery NEW" }, { name: "Bakeries" }),
      aSearch("described-in-part", { search: "new bakeries" }),
      aSearch("paused", { search: "logo" }, { paused: true }),
      aSearch(ada.uid, { search: "logo" }),
    );
    const described = { category: "Design", description: "For our new bakery." } as const;
    await harness.postTask(ada, { title: "Draw a Logo", ...described });
    await expect
      .poll(() => notified())
      .toEqual([
        "category: A search: Draw a Logo",
        "described: Bakeries: Draw a Logo",
        "words: Logos: Draw a Logo",
      ]);
    await expect.poll(() => harness.database.jobs.countDocuments(PENDING)).toBe(0);
  });

  test("When titles, descriptions, skills and search texts contain any characters, then exactly the searches that would find the task in Browse match", async () => {
    const titles = [
      "Größe ÄNDERN (C++)  #1 - a/b",
      "İstanbul ΣΊΣΥΦΟΣ [draft]",
      "a b c",
      "日本語のロゴ",
      "x😀y  z ^$.*+?{}|\\ end",
      "K\u212a ſ ß ẞ ǅ",
      "Logo for a bakery",
    ];
    const texts = new Set([
      "  ",
      "\\E",
      ".*",
      "(?i)x",
      "[a-z]",
      "ss",
      "SS",
      "k",
      "i",
      "logo  for",
      "b\u00a0c",
      "kerning",
    ]);
    for (const title of titles) {
      const characters = [...title];
      for (let at = 0; at < characters.length; at += 4)
        for (const size of [1, 5]) texts.add(characters.slice(at, at + size).join(""));
    }
    const filters = [...texts].map((text, at): SavedFilters => {
      const search = [text, text.toUpperCase(), text.toLowerCase()][at % 3] as string;
      const category = CATEGORIES[at % 4] as TaskDraft["category"];
      return at % 4 === 0 ? { search, category, minBudget: "50" } : { search };
    });
    await insertSearches(...filters.map((filter, at) => aSearch(`p${at}`, filter)));
    for (const [at, title] of titles.entries())
      await insertDue({
        title,
        description: titles[at - 1] ?? "Kerning.",
        category: CATEGORIES[at % 4] as TaskDraft["category"],
        budget: 40 + 5 * at,
        skills: ["Kerning", "Type (C++)"],
      });
    await sendAlerts();
    const { notifications } = harness.database;
    const lists = await Promise.all(
      filters.map((filter) =>
        harness.as().get(`/tasks?${new URLSearchParams(filter as Record<string, string>)}`),
      ),
    );
    expect(lists.filter(({ body }) => body.length > 0).length).toBeGreaterThan(30);
    expect(lists[[...texts].indexOf("kerning")]?.body).toHaveLength(titles.length);
    for (const [at, filter] of filters.entries()) {
      const mine = await notifications.find({ recipientId: `p${at}` }).toArray();
      expect(mine.map(({ taskTitle }) => taskTitle).sort(), JSON.stringify(filter)).toEqual(
        lists[at]?.body.map((task: { title: string }) => task.title).sort(),
      );
    }
    expect(log.warn).not.toHaveBeenCalled();
  });

  test("When a task is hidden, expired or cancelled before its alerts, then nobody is notified", async () => {
    await insertSearches(aSearch("ben", { category: "Web Development" }));
    await insertDue({ hidden: true });
    await insertDue({ deadline: inDays(-1) });
    await insertDue({ state: "cancelled" });
    await sendAlerts();
    expect(await notified()).toEqual([]);
    expect(await harness.database.jobs.countDocuments(PENDING)).toBe(0);
  });
});

describe("exactly once", () => {
  test("When several searches of a person match, then they are notified once, for the one emailed soonest", async () => {
    const mails: EmailFrequency[] = ["never", "daily", "at-once", "never"];
    await insertSearches(...mails.map((mail) => aSearch("ben", { search: "page" }, { mail, name: mail })));
    await insertDue({ title: "A page" });
    await sendAlerts({ emails: true });
    expect(await notified()).toEqual(["ben: at-once: A page"]);
  });

  test("When searches are emailed at once, daily or never, then their notifications say when, if this installation sends email", async () => {
    const mails: EmailFrequency[] = ["never", "daily", "at-once"];
    const mailOf = async () => {
      const found = await harness.database.notifications.find({ kind: "search-match" }).toArray();
      return Object.fromEntries(found.map(({ recipientId, mail }) => [recipientId, mail]));
    };
    await insertSearches(...mails.map((mail) => aSearch(mail, { search: "page" }, { mail })));
    await insertDue({ title: "A page" });
    const today = (time: string) => new Date(`${inDays(0)}T${time}Z`);
    const at = today("07:00:00");
    await sendAlerts({ emails: true, at });
    expect(await mailOf()).toEqual({
      never: { attempts: 0 },
      daily: { attempts: 0, daily: true, dueAt: today("08:00:00") },
      "at-once": { attempts: 0, dueAt: today("07:01:00") },
    });
    await harness.clear("tasks", "notifications");
    await insertDue({ title: "A page" });
    await sendAlerts({ at });
    expect(Object.values(await mailOf()).map((mail) => mail?.dueAt)).toEqual(Array(3).fill(undefined));
  });

  test("When recording that the alerts were sent fails, then they are sent again later without notifying anybody twice", async () => {
    await insertSearches(aSearch("ben", { category: "Design" }), aSearch("cleo", { category: "Design" }));
    await insertDue({ category: "Design", title: "Twice" });
    const failing = vi.spyOn(harness.database.jobs, "deleteOne").mockRejectedValueOnce(new Error("down"));
    await sendAlerts();
    failing.mockRestore();
    expect(log.warn).toHaveBeenCalledOnce();
    expect(await notified()).toHaveLength(2);
    expect(await harness.database.jobs.countDocuments(PENDING)).toBe(1);
    await sendAlerts({ at: harness.later(60_000) });
    expect(await notified()).toHaveLength(2);
  });
});

test("When a task looks for saved searches, then the query reads only those under its own keys in the index", async () => {
  const others = Array.from({ length: 2_000 }, (_, at) => aSearch(`p${at}`, { search: `zq${at}x` }));
  await insertSearches(...others, aSearch("ben", { search: "bakery" }));
  const task = await insertDue({ title: "A logo for a bakery" });
  expect(task.searchKeys).toEqual(searchKeysOf(task));
  const plan = await harness.database.tasks
    .aggregate(matchPlan([task._id], "never", inDays(0)))
    .explain("executionStats");
  const reads = plan["stages"].find(
    (stage: { $lookup?: { from: string } }) => stage.$lookup?.from === "savedSearches",
  );
  const lookup = JSON.stringify(reads ?? plan);
  expect(lookup).toContain('"match"');
  expect(lookup).not.toMatch(/"collectionScans":"?[1-9]/);
  const [, examined = "9999"] = /"totalDocsExamined":"?(\d+)/.exec(lookup) ?? [];
  expect(Number(examined)).toBeLessThan(10);
});

import { expect, test, vi } from "vitest";
import { aTaskDraft, bidHelpers, runJobs, useHarness, usePeople } from "../../../test/index.ts";

const harness = useHarness();
const { bid, award, move } = bidHelpers(harness);
const [client, ada] = usePeople("Clara Client", "Ada");

const LISTS = [
  "/tasks?limit=1",
  "/tasks?limit=1&state=open&category=Design",
  "/tasks?limit=1&search=fox&sort=asc",
  "/tasks?limit=1&minBudget=10&sort=budget-asc",
  "/tasks/featuretasks",
  "/tasks.atom",
];

test("When a task is unlisted, then no list, count, feed, sitemap or alert has it; its link, its client's list and an invitation lead to it, until it is listed", async () => {
  const draft = aTaskDraft({ title: "A fox", category: "Design", budget: 20, skills: ["Ink"] });
  await harness.ok(ada).post("/me/searches", { name: "Foxes", search: "fox", mail: "never" });
  for (const title of ["First fox", "Second fox"]) await harness.postTask(client, { ...draft, title });
  await runJobs(harness);
  const id = await harness.postTask(client, { ...draft, unlisted: true });
  await runJobs(harness);
  const read = async (path: string) => {
    const { text, headers } = await harness.ok().get(path);
    return { has: text.includes(id), total: headers["x-total-count"] };
  };
  const sitemap = async () => (await harness.ok().get("/sitemap-tasks.xml").buffer(true)).text;
  const notified = async () => JSON.stringify(await harness.read("/me/notifications", ada));

  for (const path of LISTS) {
    const { has, total } = await read(path);
    expect([path, has]).toEqual([path, false]);
    if (path.startsWith("/tasks?limit=1&")) expect([path, total]).toEqual([path, "2"]);
  }
  expect(await sitemap()).not.toContain(id);
  expect(await notified()).not.toContain(id);
  expect(await harness.read(`/tasks/${id}`, ada)).toMatchObject({ unlisted: true });
  const { email } = client;
  const own = await harness.ok(client).get(`/tasks?email=${encodeURIComponent(email)}&limit=9`);
  expect([own.text.includes(id), own.headers["x-total-count"]]).toEqual([true, "3"]);
  await harness.ok(client).post(`/tasks/${id}/invitations`, { personId: ada.uid });
  expect(await notified()).toContain(id);
  await bid(id, ada);

  await harness.ok(client).put(`/tasks/${id}`, { ...draft, unlisted: false });
  for (const path of ["/tasks", "/tasks/featuretasks", "/tasks.atom"])
    expect((await read(path)).has).toBe(true);
  expect(await sitemap()).toContain(id);
});

test("When an unlisted task is completed, then the public reviews of its two sides do not show its title", async () => {
  const reviewed: string[] = [];
  for (const unlisted of [true, false]) {
    const id = await harness.postTask(client, { title: "A secret fox", unlisted });
    await bid(id, ada);
    await award(id, client, ada);
    await move(id, client, "completed");
    for (const side of [client, ada])
      await harness.ok(side).post(`/tasks/${id}/reviews`, { stars: 5, text: "Good." });
    const [newest] = await harness.read(`/profiles/${ada.uid}/reviews`);
    reviewed.push(newest.taskTitle);
  }
  expect(reviewed).toEqual(["Unlisted task", "A secret fox"]);
});

test("When an unlisted task is listed, then those whose saved search it matches are notified", async () => {
  const draft = aTaskDraft({ title: "A heron" });
  await harness.ok(ada).post("/me/searches", { name: "Birds", search: "heron", mail: "never" });
  const id = await harness.postTask(client, { ...draft, unlisted: true });
  await runJobs(harness);
  await harness.ok(client).put(`/tasks/${id}`, { ...draft, unlisted: false });
  // The instance may be at it already.
  const notified = async () => {
    await runJobs(harness);
    expect(JSON.stringify(await harness.read("/me/notifications", ada))).toContain(id);
  };
  await vi.waitFor(notified, { timeout: 30_000 });
});

import { beforeEach, describe, expect, test, vi } from "vitest";
import { aTaskDraft, type Person, useHarness, usePeople } from "../../../test/index.ts";
import type { Task } from "../../contract/index.ts";

const harness = useHarness();

const [ada, decoy] = usePeople("Ada", "Dan Decoy");

beforeEach(() => harness.clear("tasks", "bids"));

const list = (query: Record<string, string>, person?: Person): Promise<Task[]> =>
  harness.read(`/tasks?${new URLSearchParams(query)}`, person);
const titles = (tasks: Task[]) => tasks.map((task) => task.title);

test("When a person lists their own tasks, then they get only theirs, however the email is written", async () => {
  await harness.postTask(ada, { title: "mine" });
  await harness.postTask(decoy, { title: "not mine" });
  // Same address, other account: an address that changed hands gives no access to tasks.
  await harness.insertTask({ title: "same email, other account", email: ada.email });
  expect(titles(await list({ email: ` ${ada.email.toUpperCase()} ` }, ada))).toEqual(["mine"]);
});

describe("a search in descriptions", () => {
  test("When a text is in titles, skills or descriptions, then titles and skills come first, unless another order is asked for", async () => {
    const post = (title: string, fields: object) => harness.postTask(ada, { title, ...fields });
    await post("Zebra quilt", { description: "Sew it.", budget: 20 });
    await post("Sewing", { description: "Sew one.", skills: ["Zebra quilts"], budget: 30 });
    await post("Words apart", { description: "A quilt, with one ZEBRA.", budget: 10 });
    await post("A part of a word", { description: "Zebras on a quilt." });
    await post("One word", { description: "A quilt." });
    const best = ["Sewing", "Zebra quilt", "Words apart"];
    expect(titles(await list({ search: "zebra quilt" }))).toEqual(best);
    expect(titles(await list({ search: "zebra quilt", sort: "budget-asc" }))).toEqual([
      "Words apart",
      "Zebra quilt",
      "Sewing",
    ]);
    expect(titles(await list({ search: "zebra quilt", email: ada.email }, ada))).toEqual(best);
    const { text } = await harness.ok().get("/tasks.atom?search=zebra%20quilt");
    expect([...text.matchAll(/<\/id><title>(.*?)<\/title>/g)].map(([, title]) => title)).toEqual([
      "Words apart",
      "Sewing",
      "Zebra quilt",
    ]);
    expect(await list({ search: "—" })).toEqual([]);
  });

  test("When a description or the skills are edited, then the search follows", async () => {
    const id = await harness.postTask(ada, { title: "Sewing", description: "A zebra.", skills: ["Quilts"] });
    await harness.ok(ada).put(`/tasks/${id}`, aTaskDraft({ title: "Sewing", description: "A giraffe." }));
    expect(await list({ search: "zebra" })).toEqual([]);
    expect(await list({ search: "giraffe" })).toHaveLength(1);
    expect(await list({ search: "quilt" })).toHaveLength(1);
  });
});

describe("the cached counts of a search", () => {
  const search = (query = {}) => list({ search: "zebra quilt", limit: "5", ...query });
  const ORDERS = ["newest", "oldest", "asc", "desc", "budget-asc", "budget-desc"];

  test("When a search has just found nothing, then tasks posted since are found, in every order and range", async () => {
    for (const sort of ORDERS) expect(await search({ sort, minBudget: "50", maxBudget: "60" })).toEqual([]);
    await harness.postTask(ada, { title: "A zebra quilt", budget: 55 });
    await harness.postTask(ada, { title: "Another zebra quilt", budget: 58 });
    for (const sort of ORDERS)
      expect(titles(await search({ sort, minBudget: "50", maxBudget: "60" }))).toHaveLength(2);
  });

  test("When a search is repeated within a minute, then it is not counted again in titles and descriptions, except for another category", async () => {
    await harness.insertTask({ title: "A zebra quilt", category: "Design" });
    const counts = vi.spyOn(harness.database.tasks, "countDocuments");
    const now = vi.spyOn(performance, "now");
    const countedFor = async (query = {}) => {
      counts.mockClear();
      await search(query);
      return counts.mock.calls.length;
    };
    const started = performance.now();
    now.mockImplementation(() => started);
    const category = "Design";
    expect([await countedFor({ category }), await countedFor({ category })]).toEqual([2, 0]);
    expect(await countedFor({ category: "Writing" })).toBe(2);
    now.mockImplementation(() => started + 61_000);
    expect(await countedFor({ category })).toBe(2);
    now.mockRestore();
    counts.mockRestore();
  });
});

// Which ones is tested in task-list-plan-rules.test.ts.
test("When Home asks for tasks, then six are returned", async () => {
  for (let number = 0; number < 7; number++) await harness.insertTask({});
  expect(await harness.read("/tasks/featuretasks")).toHaveLength(6);
});

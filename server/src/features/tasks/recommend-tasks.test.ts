import { expect, test } from "vitest";
import { aBidDoc, aProfileDraft, useHarness, usePeople } from "../../../test/index.ts";
import type { Recommendation } from "../../contract/index.ts";

const harness = useHarness();
const [client, ada] = usePeople("Clara Client", "Ada");

const recommended = (): Promise<Recommendation[]> => harness.read("/me/recommendations", ada);
const post = (title: string, fields: object, as = client) => harness.postTask(as, { title, ...fields });

test("When somebody has skills and bids, then open tasks of others that fit are recommended with the reason, the best first", async () => {
  expect(await recommended()).toEqual([]);
  const bidOn = await post("A poster", { category: "Design", budget: 200 });
  await harness.ok(ada).patch(`/tasks/${bidOn}/bid`, { amount: 200 });
  await harness.ok(ada).put("/me/profile", aProfileDraft({ skills: ["C++", "Ink"] }));
  await post("Drinking water", { category: "Writing", budget: 200 });
  await post("Port it from c++.", { category: "Web Development", budget: 9_000 });
  await post("Vignettes", { category: "Design", budget: 250, description: "In ink, on paper." });
  await post("A flyer", { category: "Design", budget: 5_000 });
  await post("My own in ink", { category: "Design" }, ada);
  const found = await recommended();
  expect(found.map(({ task, ...reason }) => [task.title, reason])).toEqual([
    ["Vignettes", { skill: "Ink", sameCategory: true, similarPrice: true }],
    ["Port it from c++.", { skill: "C++", sameCategory: false, similarPrice: false }],
    ["A flyer", { sameCategory: true, similarPrice: false }],
  ]);
});

test("When somebody has placed many bids since, then a task that they bid on is not recommended", async () => {
  const bidOn = await post("A mural in ink", { category: "Design" });
  await harness.ok(ada).patch(`/tasks/${bidOn}/bid`, { amount: 90 });
  const later = { bidderId: ada.uid, createdAt: harness.later(60_000) };
  await harness.database.bids.insertMany(Array.from({ length: 50 }, () => aBidDoc(later)));
  expect((await recommended()).map(({ task }) => task.title)).not.toContain("A mural in ink");
});

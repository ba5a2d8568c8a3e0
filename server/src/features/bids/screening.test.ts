import { beforeEach, expect, test } from "vitest";
import { aTaskDraft, bidHelpers, expectProblem, useHarness, usePeople } from "../../../test/index.ts";
import type { TaskDraft } from "../../contract/index.ts";

const QUESTION = "Which bakeries have you worked for?";
const OTHER = "When can you start?";
const harness = useHarness();
const { bidOf, bidCounts, notificationKinds } = bidHelpers(harness);
const [client, ada] = usePeople("Clara Client", "Ada");
let id: string;

beforeEach(async () => {
  await harness.clear("bids");
  id = await harness.postTask(client, { screeningQuestion: ` ${QUESTION} ` });
});

const offer = (draft?: object) => harness.as(ada).patch(`/tasks/${id}/bid`, draft);
const ask = (screeningQuestion?: string) => {
  const draft: TaskDraft = aTaskDraft(screeningQuestion === undefined ? {} : { screeningQuestion });
  return harness.as(client).put(`/tasks/${id}`, draft);
};
const refusal = async (draft?: object) => {
  const { errors, detail } = expectProblem(await offer(draft), "invalid");
  expect(errors).toMatchObject([{ pointer: "#/answer" }]);
  return detail;
};

test("When a bid has no valid answer to the screening question, then the refusal points to the answer, and no bid is counted", async () => {
  expect(await refusal()).toContain(QUESTION);
  await refusal({ amount: 5, message: "Hello" });
  await refusal({ answer: " \u200B " });
  await refusal({ answer: "x".repeat(1_001) });
  expect(await bidCounts(id)).toEqual({ onTask: 0, bids: 0 });
  expect(await notificationKinds(client, id)).toEqual([]);
});

test("When a bid answers the screening question, then only the client and the freelancer can read question and answer", async () => {
  await offer({ answer: " Two, in Bremen. ", question: QUESTION }).expect(200);
  const said = { question: QUESTION, answer: "Two, in Bremen." };
  expect(await harness.read(`/tasks/${id}/bids`, client)).toMatchObject([said]);
  expect((await harness.read(`/tasks/${id}`, ada)).viewer.bid).toMatchObject(said);
  expect(await harness.read("/me/bids", ada)).toMatchObject([said]);
  expect((await harness.read("/me/export", ada)).bids).toMatchObject([said]);
  expect((await harness.ok(ada).get("/me/bids.csv")).text).toContain("Two, in Bremen.");
  expect((await harness.ok().get(`/tasks/${id}`)).text).not.toContain("Bremen");
  // Neither a second click nor a new amount needs the answer again.
  expect((await offer().expect(200)).body.modifiedCount).toBe(0);
  expect((await offer({ amount: 9 }).expect(200)).body.modifiedCount).toBe(1);
  expect(await bidOf(id, ada)).toMatchObject({ ...said, amount: 9 });
  await offer({ answer: "Three." }).expect(200);
  expect(await bidOf(id, ada)).toMatchObject({ question: QUESTION, answer: "Three.", amount: 9 });
});

test("When an answer is to an earlier screening question, then the refusal names the current one", async () => {
  await ask(OTHER).expect(200);
  expect(await refusal({ question: QUESTION, answer: "Two." })).toContain(OTHER);
  await offer({ question: OTHER, answer: "Today." }).expect(200);
  expect(await bidOf(id, ada)).toMatchObject({ question: OTHER, answer: "Today." });
});

test("When the screening question changes after a bid, then the bidder is notified, the bid keeps its question and answer, and its next change has to answer the new question", async () => {
  await offer({ answer: "Two." }).expect(200);
  await ask(OTHER).expect(200);
  expect(await notificationKinds(ada, id)).toEqual(["task-changed"]);
  expect(await bidOf(id, ada)).toMatchObject({ question: QUESTION, answer: "Two." });
  expect((await offer().expect(200)).body.modifiedCount).toBe(0);
  await refusal({ amount: 9 });
  await offer({ amount: 9, answer: "Today." }).expect(200);
  expect(await bidOf(id, ada)).toMatchObject({ question: OTHER, answer: "Today.", amount: 9 });
});

test("When a save leaves the screening question out, then it stays; when it is empty, then it is removed and bids need no answer", async () => {
  await ask().expect(200);
  expect(await harness.taskInStore(id)).toMatchObject({ screeningQuestion: QUESTION });
  await ask(" ").expect(200);
  expect(await harness.taskInStore(id)).not.toHaveProperty("screeningQuestion");
  await offer({ answer: "Two.", question: QUESTION }).expect(200);
  expect(await bidOf(id, ada)).not.toHaveProperty("answer");
  const asked = await harness.postTask(client, { screeningQuestion: "" });
  expect(await harness.taskInStore(asked)).not.toHaveProperty("screeningQuestion");
});

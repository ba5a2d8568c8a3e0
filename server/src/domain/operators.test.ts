import { ObjectId } from "mongodb";
import { beforeEach, expect, test } from "vitest";
import { aTaskDraft, bidHelpers, useCrowd, useHarness, usePeople } from "../../test/index.ts";

const harness = useHarness();
const { bid, bidOf } = bidHelpers(harness);

const [client, ada] = usePeople("Clara Client", "Ada");
const others = useCrowd(3);

beforeEach(() => harness.clear("operatorQueue"));

const queued = () =>
  harness.database.operatorQueue.find({ kind: "contact-data" }).sort({ createdAt: 1, _id: 1 }).toArray();

test("When a task is posted with it, then the task is public unchanged, and the operators' queue says where it is", async () => {
  const written = {
    title: "Logo, call +49 170 1234567",
    description: "Or fay@mail.example, Telegram: @faylance.",
  };
  const id = await harness.postTask(client, written);
  expect(await harness.read(`/tasks/${id}`)).toMatchObject(written);
  expect(await queued()).toMatchObject([
    {
      taskId: new ObjectId(id),
      personId: client.uid,
      note: "phone number in the title; email address and messenger in the description",
      settled: false,
    },
  ]);
  expect((await queued())[0]).not.toHaveProperty("bidId");
});

test("When a save adds it, then the task is queued; when a save does not change it, then a settled item stays settled", async () => {
  const id = await harness.postTask(client);
  const save = (fields: object) => harness.ok(client).put(`/tasks/${id}`, aTaskDraft(fields));
  await save({ screeningQuestion: "Why do you not write to fay@mail.example?" });
  expect(await queued()).toMatchObject([{ note: "email address in the screening question" }]);
  await harness.database.operatorQueue.updateMany({}, { $set: { settled: true } });
  await save({ budget: 5, screeningQuestion: "Why do you not write to fay@mail.example?" });
  expect(await queued()).toMatchObject([{ settled: true }]);
  await save({ description: "fay@mail.example", screeningQuestion: "" });
  expect(await queued()).toMatchObject([{ note: "email address in the description", settled: false }]);
});

test("When a bid's message or answer contains it, then only that bid is queued, even if others bid at the same time", async () => {
  const id = await harness.postTask(client, { screeningQuestion: "When?" });
  const offers = others.map((person) => harness.as(person).patch(`/tasks/${id}/bid`, { answer: "Now" }));
  const own = { message: "Call me on 555 010 4477", answer: "Skype: fay.lance" };
  const responses = await Promise.all([...offers, harness.as(ada).patch(`/tasks/${id}/bid`, own)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const placed = await bidOf(id, ada);
  expect(placed).toMatchObject(own);
  const note = "phone number in the message; messenger in the answer";
  expect(await queued()).toMatchObject([
    { taskId: placed.taskId, bidId: placed._id, personId: ada.uid, note },
  ]);
  await bid(id, ada, { amount: 5 });
  expect(await queued()).toHaveLength(1);
});

test("When every text contains every kind, then the task is posted all the same, and the note names all of them", async () => {
  const kinds = ["fay@mail.example", "+49 170 1234567", "t.me/faylance"];
  const all = kinds.join(", ");
  await harness.postTask(client, { title: all, description: all, screeningQuestion: all, skills: kinds });
  const places = ["title", "description", "screening question", "skills"];
  const [item] = await queued();
  for (const place of places)
    expect(item?.note).toContain(`email address, phone number, and messenger in the ${place}`);
});

import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bidHelpers } from "../../../test/bid-helpers.ts";
import { aBidDoc } from "../../../test/builders.ts";
import { type Instance, signUpMany, useHarness } from "../../../test/harness.ts";
import type { Person } from "../../../test/people.ts";
import { MAX_SENT_TO } from "../../contract/index.ts";
import type { MessagePrint } from "../../db/documents/bids.ts";
import { messagePrint } from "./similar-messages.ts";

const harness = useHarness();
const { bidOf } = bidHelpers(harness);
let other: Instance;
let client: Person;
let ada: Person;
let ben: Person;

const message = (title: string) =>
  `Hello, I have read your task “${title}” and I am the best person to do it. I have more than eight years of experience, I deliver on time, and my clients come back.`;
const OTHER = {
  message:
    "Your brief is clear. Two questions before I start: who hosts it today, and may I have read access to the current database?",
};

beforeAll(async () => {
  client = (await signUpMany(1))[0] as Person;
  other = harness.instance();
});

beforeEach(async () => {
  [ada, ben] = (await signUpMany(2)) as [Person, Person];
});

const send = async (draft: object, by = ada, id?: string) => {
  const task = id ?? (await harness.postTask(client));
  await harness.as(by).patch(`/tasks/${task}/bid`, draft).expect(200);
  return task;
};
const sentTo = async (id: string, by = ada) => (await bidOf(id, by)).sentTo;

describe("nearly equal messages", () => {
  test("When somebody sends one on several tasks, then each bid shows its client and sender on how many others it was sent before", async () => {
    const ids = [];
    for (const title of ["Logo", "Flyer", "Menu"]) ids.push(await send({ message: message(title) }));
    expect(await Promise.all(ids.map((id) => sentTo(id)))).toEqual([undefined, 1, 2]);
    const last = String(ids[2]);
    expect((await harness.as(client).get(`/tasks/${last}/bids`).expect(200)).body).toMatchObject([
      { sentTo: 2 },
    ]);
    const own = await harness.as(ada).get(`/tasks/${last}`).expect(200);
    expect(own.body.viewer.bid).toMatchObject({ sentTo: 2 });
    expect((await harness.as(ada).get("/me/export").expect(200)).text).not.toContain("sketch");
  });

  test("When the message is another person's, different or short, then the bid shows no count", async () => {
    await send({ message: message("Logo") });
    await send({ message: "Yes, gladly." });
    expect(await sentTo(await send({ message: message("Logo") }, ben), ben)).toBeUndefined();
    expect(await sentTo(await send(OTHER))).toBeUndefined();
    const short = await bidOf(await send({ message: "Yes, gladly." }), ada);
    expect(short).not.toHaveProperty("sentTo");
    expect(short).not.toHaveProperty("print");
  });

  test("When a message is changed, then it is counted again; when only the amount changes, then it is not", async () => {
    const [first, second] = [
      await send({ message: message("Logo") }),
      await send({ message: message("Flyer") }),
    ];
    await send({ amount: 7 }, ada, second);
    expect(await sentTo(second)).toBe(1);
    await send(OTHER, ada, second);
    expect(await sentTo(second)).toBeUndefined();
    await send({ message: message("Menu") }, ada, second);
    expect(await sentTo(second)).toBe(1);
    await send({ message: "" }, ada, second);
    expect(await bidOf(second, ada)).not.toHaveProperty("print");
    // The earlier text of the same bid does not count.
    await send({ message: `${message("Logo")} Gladly.` }, ada, first);
    expect(await sentTo(first)).toBeUndefined();
  });

  test("When many are sent at the same moment through two instances, then each counts all earlier ones", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => harness.postTask(client)));
    const responses = await Promise.all(
      ids.map((id, at) =>
        (at % 2 === 0 ? harness : other)
          .as(ada)
          .patch(`/tasks/${id}/bid`, { message: message(`Task ${at}`) }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const found = await Promise.all(ids.map((id) => sentTo(id)));
    expect(found.map((count = 0) => count).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  }, 30_000);

  test("When somebody has sent it hundreds of times, then the count stops at its maximum", async () => {
    const bids = Array.from({ length: 300 }, () =>
      aBidDoc({
        bidderId: ada.uid,
        message: message("Old"),
        print: messagePrint(message("Old")) as MessagePrint,
      }),
    );
    await harness.database.bids.insertMany(bids);
    expect(await sentTo(await send({ message: message("New") }))).toBe(MAX_SENT_TO);
    await harness.database.bids.deleteMany({ _id: { $in: bids.map(({ _id }) => _id) } });
  });
});

test("When similar messages are looked up, then the index finds them without reading other bids", async () => {
  const { keys } = messagePrint(message("Logo")) as MessagePrint;
  const bids = Array.from({ length: 50 }, () => aBidDoc({ bidderId: ada.uid, message: "Yes." }));
  await harness.database.bids.insertMany(bids);
  const plan = await harness.database.bids
    .find({ bidderId: ada.uid, "print.keys": { $in: keys } })
    .limit(200)
    .explain("executionStats");
  expect(JSON.stringify(plan["queryPlanner"].winningPlan)).toContain('"bidder-messages"');
  expect(plan["executionStats"].totalDocsExamined).toBe(0);
});

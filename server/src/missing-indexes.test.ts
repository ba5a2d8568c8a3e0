import { MongoClient } from "mongodb";
import { beforeAll, describe, expect, test } from "vitest";
import { bidHelpers } from "../test/bid-helpers.ts";
import { aTaskDraft } from "../test/builders.ts";
import { useHarness } from "../test/harness.ts";
import { type Person, signUp, signUpOperator } from "../test/people.ts";
import { ALL_ENDPOINTS } from "./contract/endpoints.ts";

const harness = useHarness();
const { bid, bidOf, award } = bidHelpers(harness);
let client: Person;
let freelancer: Person;
let operator: Person;
let open: string;
let conversation: string;

beforeAll(async () => {
  operator = await signUpOperator();
  client = await signUp({ name: "Clara Client" });
  freelancer = await signUp({ name: "Fred Freelancer" });
  open = await harness.postTask(client, aTaskDraft({ title: "Design a logo" }));
  const done = await harness.postTask(client, aTaskDraft({ title: "Paint the logo" }));
  for (const id of [open, done])
    for (const [number, person] of [freelancer, operator].entries())
      await bid(id, person, { amount: 50 + number, days: 3 - number });
  await award(done, client, freelancer);
  await harness.as(client).patch(`/tasks/${done}/state`, { state: "completed" }).expect(200);
  for (const person of [client, freelancer])
    await harness.as(person).post(`/tasks/${done}/reviews`, { stars: 5, text: "Good." }).expect(201);
  const ask = async (person: Person) =>
    (await harness.as(person).post(`/tasks/${open}/questions`, { text: "Round?" }).expect(201)).body
      .insertedId;
  await ask(operator);
  const answered = `/tasks/${open}/questions/${await ask(freelancer)}/answer`;
  await harness.as(client).put(answered, { text: "Yes." }).expect(200);
  const { _id } = await bidOf(done, freelancer);
  const opened = await harness.as(client).post(`/tasks/${done}/bids/${_id}/conversation`).expect(201);
  conversation = opened.body.insertedId;
  await harness.as(client).post(`/me/conversations/${conversation}/messages`, { text: "Hello." }).expect(201);
  await harness.as(freelancer).post("/reports", { taskId: open, reason: "spam" }).expect(201);
});

// An event stream does not end; the others return no stored data.
const SKIPPED = new Set(["/me/events", "/health", "/ready", "/openapi.json", "/api-docs"]);
const QUERIES = [
  ...[
    "search=logo",
    "search=logo&category=Web+Development",
    "sort=asc",
    "category=Web+Development",
    "minBudget=1&maxBudget=1000&sort=budget-desc",
    "search=logo&sort=budget-asc",
    "limit=1",
  ].map((query) => `/tasks?${query}`),
  ...["amount-asc", "amount-desc", "days-asc"].map((sort) => `/tasks/:id/bids?sort=${sort}`),
  "/tasks/:id/bids?state=placed",
  "/reports?state=open&reason=spam",
];

function idIn(path: string): string {
  if (path.startsWith("/me/conversations")) return conversation;
  return path.startsWith("/tasks") ? open : freelancer.uid;
}

/** The responses of every readable endpoint, for client, freelancer and operator. */
async function readEverything(): Promise<Record<string, unknown>> {
  const paths = ALL_ENDPOINTS.filter(({ method, path }) => method === "GET" && !SKIPPED.has(path));
  const responses: Record<string, unknown> = {};
  const readAs = async (who: string, person: Person) => {
    for (const path of [...paths.map((endpoint) => endpoint.path), ...QUERIES]) {
      const url = path.replace(":id", idIn(path));
      const { status, body, text = String(body) } = await harness.as(person).get(url);
      // Problems contain the request's id, and links the port, which differ each time.
      responses[`${who} ${url}`] = status === 200 ? text.replaceAll(/localhost:\d+/g, "localhost") : status;
    }
  };
  await Promise.all([
    readAs("client", client),
    readAs("freelancer", freelancer),
    readAs("operator", operator),
  ]);
  return responses;
}

// In this order: deleting the accounts comes last.
describe("When indexes are missing", { shuffle: false }, () => {
  let before: Awaited<ReturnType<typeof readEverything>>;
  beforeAll(async () => {
    before = await readEverything();
    const mongo = await MongoClient.connect(harness.address.uri);
    for (const collection of await mongo.db(harness.address.dbName).collections())
      await collection.dropIndexes();
    await mongo.close();
  });

  test("then every read returns the same as before", async () => {
    expect(await readEverything()).toEqual(before);
  });

  test("then accounts can still be deleted", async () => {
    for (const person of [freelancer, client])
      expect((await harness.as(person).delete("/me")).status).toBe(200);
  });
});

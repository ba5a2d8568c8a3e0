import { beforeAll, expect, test } from "vitest";
import { callerOf, exampleRequests } from "../test/example-requests.ts";
import { type Harness, type Instance, NO_JOBS, type Person, useHarness } from "../test/index.ts";
import { ALL_ENDPOINTS, type EndpointName } from "./contract/endpoints.ts";
import { COLLECTIONS, type CollectionName } from "./db/collections.ts";

const COPIES = 6;
/** Writes that impatient people repeat, here without an Idempotency-Key. */
const WRITES: readonly EndpointName[] = [
  "placeBid",
  "invite",
  "saveTask",
  "openConversation",
  "report",
  "setTaskVisibility",
  "setSuspension",
  "writeReview",
  "writeInvoice",
  "creditInvoice",
];

const harness = useHarness({ jobs: NO_JOBS });
let other: Instance;

let turn = 0;
/** Alternates between two instances of the server. */
const as = (person?: Person) => (turn++ % 2 === 0 ? harness : other).as(person);
const alternating = Object.create(harness, { as: { value: as } }) as Harness;
const { people, createScene, send } = exampleRequests(alternating);
beforeAll(async () => {
  other = harness.instance();
  // Only known people can be suspended.
  for (const person of Object.values(people)) await harness.read("/me", person);
});

const STORED = (Object.keys(COLLECTIONS) as CollectionName[]).filter((name) => name !== "people");

test.each(ALL_ENDPOINTS.filter(({ name }) => WRITES.includes(name)))(
  "When copies of $name arrive at the same moment through two instances, then only one has an effect",
  async (endpoint) => {
    const outcomeOf = async (copies: number) => {
      await harness.clear(...STORED);
      const scene = await createScene(endpoint.name);
      const requests = Array.from({ length: copies }, () => {
        const request = send(endpoint, scene, people[callerOf(endpoint)]);
        // The usual example lifts a suspension that does not exist.
        return endpoint.name === "setSuspension"
          ? request.send({ suspended: true, reason: "spam" })
          : request;
      });
      const changes = (await Promise.all(requests)).map(({ status, body }) => {
        expect(status).toBeLessThan(500);
        return body.modifiedCount ?? Number(status === 201);
      });
      const counts = STORED.map(async (name) => [name, await harness.database[name].countDocuments()]);
      return { changes: changes.reduce((sum, count) => sum + count, 0), stored: await Promise.all(counts) };
    };
    const once = await outcomeOf(1);
    expect(once.changes).toBe(1);
    expect(await outcomeOf(COPIES)).toEqual(once);
  },
);

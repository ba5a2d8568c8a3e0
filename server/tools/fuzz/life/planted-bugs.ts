import { type Filter, ObjectId } from "mongodb";
import type { Database } from "../../../src/db/client.ts";
import type { TaskDoc } from "../../../src/db/documents/tasks.ts";
import type { CheckedResponse } from "../../../test/check-response.ts";
import type { WireRequest } from "../send.ts";
import type { Action, Move, Who } from "./actions.ts";
import type { Interceptor } from "./world.ts";

/**
 * A bug that a product like this could have, planted between the clients and the product or directly in the database, so
 * that the model is tested without any code in the product.
 */
export type PlantedBug = {
  name: string;
  expectedDifference: RegExp;
  intercept(database: Database): Interceptor;
};

const by = (who: Who, action: Action): Move => ({ by: who, task: 0, action });
const wait = (hours: number) => by("visitor", { kind: "wait", for: hours });

/** Moves during which every planted bug occurs. */
export const BUG_SCENARIO: readonly Move[] = [
  by("clara", { kind: "post", deadlineIn: 2, budget: 500 }),
  by("fred", { kind: "bid", days: 3 }),
  by("fay", { kind: "bid", amount: 450 }),
  by("flo", { kind: "bid" }),
  by("flo", { kind: "withdraw" }),
  by("clara", { kind: "edit", change: { budget: 450.5 } }),
  by("flo", { kind: "deliver" }),
  by("olga", { kind: "hide", hidden: true }),
  by("clara", { kind: "triage", bidder: "fay", to: "shortlisted" }),
  by("olga", { kind: "hide", hidden: false }),
  wait(24),
  wait(48),
  by("flo", { kind: "bid" }),
  by("clara", { kind: "award", bidder: "fred" }),
  by("clara", { kind: "award", bidder: "fay" }),
  by("fred", { kind: "deliver" }),
  wait(7 * 24),
  by("clara", { kind: "complete" }),
  by("fred", { kind: "review", stars: 2 }),
];

const ALL: Filter<TaskDoc> = {};
const DONE = JSON.stringify({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: "a bid is accepted after the deadline",
    expectedDifference: /flo: bid .*expected task-expired, got 1/,
    intercept: ({ tasks }) =>
      on(/^PATCH .*\/bid$/, async (request, send) => {
        const task = await tasks.findOne(ALL);
        await tasks.updateOne(ALL, { $set: { deadline: "2099-12-31" } });
        const response = await send(request);
        await tasks.updateOne(ALL, { $set: { deadline: task?.deadline ?? "" } });
        return response;
      }),
  },
  {
    name: "a count is off by one",
    expectedDifference: /bidsCount: expected 1, got 2/,
    intercept: ({ tasks }) =>
      after(/^PATCH .*\/bid$/, () => tasks.updateOne(ALL, { $inc: { bidsCount: 1 } })),
  },
  {
    name: "a withdrawn bid is still listed",
    expectedDifference: /\/bids.*flo/,
    intercept: ({ bids }) =>
      on(/^DELETE .*\/bid$/, async (request, send) => {
        const before = await bids.find().toArray();
        const response = await send(request);
        const left = await bids.distinct("bidderId");
        await bids.insertMany(before.filter(({ bidderId }) => !left.includes(bidderId)));
        return response;
      }),
  },
  {
    name: "somebody is notified twice",
    expectedDifference: /\/me\/notifications.*unexpected.*new-bid/,
    intercept: ({ notifications }) =>
      after(/^PATCH .*\/bid$/, async () => {
        const [last] = await notifications.find().sort({ _id: -1 }).limit(1).toArray();
        if (last) await notifications.insertOne({ ...last, _id: new ObjectId() });
      }),
  },
  {
    name: "a bid is awarded that was declined by an award",
    expectedDifference: /award task-0 bidder fay: expected wrong-state, got 1/,
    intercept: () =>
      on(/^POST .*\/award$/, async (request, send) => {
        const response = await send(request);
        return response.status === 409
          ? { ...response, status: 200, ...asJson(response), text: DONE }
          : response;
      }),
  },
  {
    name: "a hidden task is still in a list",
    expectedDifference: /reads \/tasks.*(unexpected|expected undefined|x-total-count: expected 0, got 1)/,
    intercept: ({ tasks }) =>
      on(/^GET \/tasks\?/, async (request, send) => {
        const { modifiedCount } = await tasks.updateOne({ hidden: true }, { $set: { hidden: false } });
        const response = await send(request);
        if (modifiedCount > 0) await tasks.updateOne(ALL, { $set: { hidden: true } });
        return response;
      }),
  },
  {
    name: "an edit is lost",
    expectedDifference: /budget: expected 450.5, got 500/,
    intercept: () =>
      on(/^PUT /, async (request, send) => {
        const response = await send({
          ...request,
          method: "GET",
          headers: request.headers.slice(0, 1),
          body: undefined,
        });
        return { ...response, text: DONE };
      }),
  },
  {
    name: "a refused action changes something",
    expectedDifference: /version: expected/,
    intercept: ({ tasks }) =>
      on(/^POST .*\/deliveries$/, async (request, send) => {
        const response = await send(request);
        if (response.status === 403) await tasks.updateOne(ALL, { $inc: { revision: 1 } });
        return response;
      }),
  },
  {
    name: "nobody is notified of a near deadline",
    expectedDifference: /missing.*deadline-near/,
    intercept: ({ notifications }) =>
      on(/^GET /, async (request, send) => {
        await notifications.deleteMany({ kind: "deadline-near" });
        return send(request);
      }),
  },
  {
    name: "everybody sees that work was delivered",
    expectedDifference: /state: expected "awarded", got "delivered"/,
    intercept: ({ tasks }) =>
      on(/^GET \/tasks/, async (request, send) => {
        const response = await send(request);
        if (!(await tasks.findOne({ state: "delivered" }))) return response;
        return { ...response, text: response.text.replaceAll('"state":"awarded"', '"state":"delivered"') };
      }),
  },
  {
    name: "a review is not counted",
    expectedDifference: /rating/,
    intercept: ({ reviews }) => after(/^POST .*\/reviews$/, () => reviews.deleteMany({})),
  },
];

/** Affects requests whose method and path match. */
function on(which: RegExp, distort: Interceptor): Interceptor {
  return (request, send) =>
    which.test(`${request.method} ${request.path}`) ? distort(request, send) : send(request);
}

/** Changes the database after a matching request has succeeded. */
function after(which: RegExp, change: () => Promise<unknown>): Interceptor {
  return on(which, async (request: WireRequest, send) => {
    const response = await send(request);
    if (response.status < 400) await change();
    return response;
  });
}

function asJson({ headers }: CheckedResponse) {
  return { headers: { ...headers, "content-type": "application/json; charset=utf-8" } };
}

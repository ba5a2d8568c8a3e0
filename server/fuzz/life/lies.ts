import { type Filter, ObjectId } from "mongodb";
import type { Database } from "../../src/db/client.ts";
import type { TaskDoc } from "../../src/db/documents/tasks.ts";
import type { CheckedResponse } from "../../test/check-response.ts";
import type { WireRequest } from "../send.ts";
import type { Act, Move, Who } from "./acts.ts";
import type { Between } from "./world.ts";

/**
 * A bug that a product like this could have, planted between people and the product or in the database behind its back: so
 * the model is tested, and the product has no code for it.
 */
export type Lie = { name: string; noticed: RegExp; between(database: Database): Between };

const by = (who: Who, act: Act): Move => ({ by: who, task: 0, act });
const wait = (hours: number) => by("visitor", { kind: "wait", for: hours });

/** A life in which every lie has its occasion. */
export const TOLD_LIFE: readonly Move[] = [
  by("clara", { kind: "post", deadlineIn: 2, budget: 500 }),
  by("fred", { kind: "bid", days: 3 }),
  by("fay", { kind: "bid", amount: 450 }),
  by("flo", { kind: "bid" }),
  by("flo", { kind: "withdraw" }),
  by("clara", { kind: "edit", change: { budget: 450.5 } }),
  by("flo", { kind: "deliver" }),
  by("olga", { kind: "hide", hidden: true }),
  by("clara", { kind: "sort", bidder: "fay", to: "shortlisted" }),
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

export const LIES: readonly Lie[] = [
  {
    name: "a bid is accepted after the deadline",
    noticed: /flo: bid .*expected task-expired, got 1/,
    between: ({ tasks }) =>
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
    noticed: /bidsCount: expected 1, got 2/,
    between: ({ tasks }) => after(/^PATCH .*\/bid$/, () => tasks.updateOne(ALL, { $inc: { bidsCount: 1 } })),
  },
  {
    name: "a withdrawn bid is still listed",
    noticed: /\/bids.*flo/,
    between: ({ bids }) =>
      on(/^DELETE .*\/bid$/, async (request, send) => {
        const before = await bids.find().toArray();
        const response = await send(request);
        const left = await bids.distinct("bidderId");
        await bids.insertMany(before.filter(({ bidderId }) => !left.includes(bidderId)));
        return response;
      }),
  },
  {
    name: "somebody is told twice",
    noticed: /\/me\/notifications.*unexpected.*new-bid/,
    between: ({ notifications }) =>
      after(/^PATCH .*\/bid$/, async () => {
        const [last] = await notifications.find().sort({ _id: -1 }).limit(1).toArray();
        if (last) await notifications.insertOne({ ...last, _id: new ObjectId() });
      }),
  },
  {
    name: "a bid is awarded that was declined by an award",
    noticed: /award task-0 bidder fay: expected wrong-state, got 1/,
    between: () =>
      on(/^POST .*\/award$/, async (request, send) => {
        const response = await send(request);
        return response.status === 409
          ? { ...response, status: 200, ...asJson(response), text: DONE }
          : response;
      }),
  },
  {
    name: "a hidden task is still in a list",
    noticed: /reads \/tasks.*(unexpected|expected undefined|x-total-count: expected 0, got 1)/,
    between: ({ tasks }) =>
      on(/^GET \/tasks\?/, async (request, send) => {
        const { modifiedCount } = await tasks.updateOne({ hidden: true }, { $set: { hidden: false } });
        const response = await send(request);
        if (modifiedCount > 0) await tasks.updateOne(ALL, { $set: { hidden: true } });
        return response;
      }),
  },
  {
    name: "an edit is lost",
    noticed: /budget: expected 450.5, got 500/,
    between: () =>
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
    name: "what was refused changes something",
    noticed: /version: expected/,
    between: ({ tasks }) =>
      on(/^POST .*\/deliveries$/, async (request, send) => {
        const response = await send(request);
        if (response.status === 403) await tasks.updateOne(ALL, { $inc: { revision: 1 } });
        return response;
      }),
  },
  {
    name: "nobody is told that a deadline is near",
    noticed: /missing.*deadline-near/,
    between: ({ notifications }) =>
      on(/^GET /, async (request, send) => {
        await notifications.deleteMany({ kind: "deadline-near" });
        return send(request);
      }),
  },
  {
    name: "everybody sees that work was handed in",
    noticed: /state: expected "awarded", got "delivered"/,
    between: ({ tasks }) =>
      on(/^GET \/tasks/, async (request, send) => {
        const response = await send(request);
        if (!(await tasks.findOne({ state: "delivered" }))) return response;
        return { ...response, text: response.text.replaceAll('"state":"awarded"', '"state":"delivered"') };
      }),
  },
  {
    name: "a review counts for nobody",
    noticed: /rating/,
    between: ({ reviews }) => after(/^POST .*\/reviews$/, () => reviews.deleteMany({})),
  },
];

/** Plants it where the request's method and path match. */
function on(which: RegExp, distort: Between): Between {
  return (request, send) =>
    which.test(`${request.method} ${request.path}`) ? distort(request, send) : send(request);
}

/** Changes the database once such a request was done. */
function after(which: RegExp, change: () => Promise<unknown>): Between {
  return on(which, async (request: WireRequest, send) => {
    const response = await send(request);
    if (response.status < 400) await change();
    return response;
  });
}

function asJson({ headers }: CheckedResponse) {
  return { headers: { ...headers, "content-type": "application/json; charset=utf-8" } };
}

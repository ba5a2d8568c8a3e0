import { ObjectId } from "mongodb";
import { whyNotAsDocumented } from "../../../test/check-response.ts";
import { type ActionKind, callerOf, describe, type ExpectedResponse, type Move } from "./actions.ts";
import { type Life, PEOPLE, type Person } from "./model.ts";
import {
  allObservations,
  observationsAfter,
  observationsAfterRefusal,
  observationsAfterWait,
} from "./observations.ts";
import { observe } from "./observe.ts";
import { requestFor } from "./requests.ts";
import { step } from "./rules.ts";
import { isPerson } from "./views.ts";
import type { World } from "./world.ts";

/** How often each action was tried, by result. */
export type Tally = Map<ActionKind, { changed: number; nothing: number; refused: number }>;

/** Makes the move in the product and in the model, and compares the response and what people see afterwards. */
export async function play(world: World, life: Life, move: Move, tally: Tally): Promise<void> {
  const { action } = move;
  const by = callerOf(life, move);
  const request = requestFor(life, move, (person) => world.account(person as Person).uid);
  const before = new Map(PEOPLE.map((person) => [person, life.notifications[person].length]));
  const expected = step(life, move);
  world.clock.now = life.now;
  life.turn += 1;
  count(tally, action.kind, expected);
  const notified = PEOPLE.filter((person) => life.notifications[person].length > (before.get(person) ?? 0));
  if (action.kind === "hold-announcements") return world.holdAnnouncements();
  if (action.kind === "wait") {
    await world.runJobs();
    return observe(world, life, observationsAfterWait(life, notified));
  }
  const response = await world.send(by, request);
  const body: Body = JSON.parse(response.text);
  const wrong =
    whyNotAsDocumented(request.method, request.path, response) ?? whyNotAsExpected(expected, body);
  if (wrong) throw new Error(`${describe(move)}: ${wrong}`);
  if ("refused" in expected || expected.changed === 0)
    return observe(world, life, observationsAfterRefusal(life, life.tasks[move.task], by));
  await noteIds(world, life, move, body);
  await world.deliverAnnouncements();
  const task = action.kind === "post" ? life.tasks.at(-1) : life.tasks[move.task];
  if (action.kind === "suspend" || !task) return observe(world, life, observationsAfterWait(life, notified));
  await observe(world, life, observationsAfter(life, task, by, notified));
}

/** Compares everything that people see. */
export const observeAll = (world: World, life: Life) => observe(world, life, allObservations(life));

type Body = { code?: string; modifiedCount?: number; deletedCount?: number; insertedId?: string };

function whyNotAsExpected(expected: ExpectedResponse, body: Body): string | undefined {
  const { code, modifiedCount, deletedCount, insertedId } = body;
  const actual = code ?? modifiedCount ?? deletedCount ?? (insertedId ? 1 : 0);
  const possible: readonly (string | number)[] =
    "refused" in expected ? expected.refused : [expected.changed];
  return possible.includes(actual) ? undefined : `expected ${possible.join(" or ")}, got ${actual}`;
}

/** Stores the ids of tasks and bids for later moves. */
async function noteIds(world: World, life: Life, move: Move, { insertedId = "" }: Body): Promise<void> {
  const by = callerOf(life, move);
  if (move.action.kind === "post") Object.assign(life.tasks.at(-1) ?? {}, { id: insertedId });
  const task = life.tasks[move.task];
  if (move.action.kind !== "bid" || !task || !isPerson(by)) return;
  const filter = { taskId: new ObjectId(task.id), bidderId: world.account(by).uid };
  const found = await world.database.bids.findOne(filter, { projection: { _id: 1 } });
  task.bidIds.set(by, String(found?._id ?? task.bidIds.get(by)));
}

function count(tally: Tally, kind: ActionKind, answer: ExpectedResponse): void {
  const counts = tally.get(kind) ?? { changed: 0, nothing: 0, refused: 0 };
  const which = "refused" in answer ? "refused" : answer.changed > 0 ? "changed" : "nothing";
  tally.set(kind, { ...counts, [which]: counts[which] + 1 });
}

export function movesIn(tally: Tally): number {
  return [...tally.values()].reduce(
    (sum, { changed, nothing, refused }) => sum + changed + nothing + refused,
    0,
  );
}

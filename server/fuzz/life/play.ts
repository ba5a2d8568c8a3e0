import { ObjectId } from "mongodb";
import { whyNotAsDocumented } from "../../test/check-response.ts";
import { type ActKind, type Answer, callerOf, describe, type Move } from "./acts.ts";
import { allLooks, looksAfter, looksAfterRefusal, looksAfterWait } from "./looks.ts";
import { type Life, PEOPLE, type Person } from "./model.ts";
import { observe } from "./observe.ts";
import { requestFor } from "./requests.ts";
import { step } from "./rules.ts";
import { isPerson } from "./views.ts";
import type { World } from "./world.ts";

/** How often each act was tried, and what it came to. */
export type Tally = Map<ActKind, { changed: number; nothing: number; refused: number }>;

/** Does the move in the product and in the model, and compares the response and what people see then. */
export async function play(world: World, life: Life, move: Move, tally: Tally): Promise<void> {
  const { act } = move;
  const by = callerOf(life, move);
  const request = requestFor(life, move, (person) => world.account(person as Person).uid);
  const before = new Map(PEOPLE.map((person) => [person, life.told[person].length]));
  const expected = step(life, move);
  world.clock.now = life.now;
  life.turn += 1;
  count(tally, act.kind, expected);
  const told = PEOPLE.filter((person) => life.told[person].length > (before.get(person) ?? 0));
  if (act.kind === "hold-news") return world.holdNews();
  if (act.kind === "wait") {
    await world.runJobs();
    return observe(world, life, looksAfterWait(life, told));
  }
  const response = await world.send(by, request);
  const body: Body = JSON.parse(response.text);
  const wrong =
    whyNotAsDocumented(request.method, request.path, response) ?? whyNotAsExpected(expected, body);
  if (wrong) throw new Error(`${describe(move)}: ${wrong}`);
  if ("refused" in expected || expected.changed === 0)
    return observe(world, life, looksAfterRefusal(life, life.tasks[move.task], by));
  await noteIds(world, life, move, body);
  await world.tellEverybody();
  const task = act.kind === "post" ? life.tasks.at(-1) : life.tasks[move.task];
  if (act.kind === "suspend" || !task) return observe(world, life, looksAfterWait(life, told));
  await observe(world, life, looksAfter(life, task, by, told));
}

/** What everybody sees of everything. */
export const observeAll = (world: World, life: Life) => observe(world, life, allLooks(life));

type Body = { code?: string; modifiedCount?: number; deletedCount?: number; insertedId?: string };

function whyNotAsExpected(expected: Answer, body: Body): string | undefined {
  const { code, modifiedCount, deletedCount, insertedId } = body;
  const actual = code ?? modifiedCount ?? deletedCount ?? (insertedId ? 1 : 0);
  const possible: readonly (string | number)[] =
    "refused" in expected ? expected.refused : [expected.changed];
  return possible.includes(actual) ? undefined : `expected ${possible.join(" or ")}, got ${actual}`;
}

/** Later moves name tasks and bids by their ids. */
async function noteIds(world: World, life: Life, move: Move, { insertedId = "" }: Body): Promise<void> {
  const by = callerOf(life, move);
  if (move.act.kind === "post") Object.assign(life.tasks.at(-1) ?? {}, { id: insertedId });
  const task = life.tasks[move.task];
  if (move.act.kind !== "bid" || !task || !isPerson(by)) return;
  const filter = { taskId: new ObjectId(task.id), bidderId: world.account(by).uid };
  const found = await world.database.bids.findOne(filter, { projection: { _id: 1 } });
  task.bidIds.set(by, String(found?._id ?? task.bidIds.get(by)));
}

function count(tally: Tally, kind: ActKind, answer: Answer): void {
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

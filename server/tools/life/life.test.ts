import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/client.ts";
import { deadlineNotices } from "../../src/features/notifications/deadline-notices.ts";
import { suspensionEnforcer } from "../../src/features/suspensions/enforce-suspensions.ts";
import { undecidedTasks } from "../../src/features/undecided/undecided-tasks.ts";
import { instanceJobs, NO_JOBS, useHarness } from "../../test/index.ts";
import { isOperator, type Kind, OPERATOR } from "../model/task.ts";
import { playAll, playLife, playRandom, USUAL, type World } from "./play.ts";
import { emailOf, nameOf, PEOPLE } from "./views.ts";

const session = { loggedInAt: new Date(), tokenExpiresAt: new Date(8.64e15) };
const harness = useHarness({
  // A token is a uid.
  verifier: {
    verify: async (uid) => ({
      ...{ uid, email: emailOf(uid), name: nameOf(uid), ...session },
      ...(isOperator(uid) && { isOperator: true }),
    }),
  },
  // What would happen in the background happens when the world settles.
  jobs: NO_JOBS,
});
const { LIFE_SEED = "1", LIFE_LIVES = "12", LIFE_LENGTH = "10", LIFE_DEPTH } = process.env;
const TOGETHER = 50;
let world: World;

beforeAll(async () => {
  const { database, clock, as } = harness;
  const enforcer = suspensionEnforcer(database, undefined);
  const undecided = undecidedTasks(database);
  const jobs = instanceJobs(harness);
  const settle = async () => {
    await enforcer.pending(clock.now);
    for (const kind of ["announcement", "search-alerts"] as const) await jobs.drain(kind);
  };
  const runJobs = async () => {
    await enforcer.pending(clock.now);
    await jobs.drain("declined-bid");
    await deadlineNotices(database)(clock.now);
    await undecided.closeOverdue(clock.now);
    await undecided.remind(clock.now);
    for (const kind of ["delivery-reminder", "dispute-step", "payment-reminder", "review-shown"] as const)
      await jobs.drain(kind);
    await settle();
  };
  world = { database, clock, as, runJobs, settle };
  for (const uid of PEOPLE) await as({ uid, name: nameOf(uid), email: emailOf(uid), token: uid }).get("/me");
});

test("When all lives of a task are played that leave a usual, a bumpy or a disputed one, then everybody sees what the model predicts", {
  timeout: 900_000,
}, async ({ annotate }) => {
  const isSampled = LIFE_DEPTH === undefined;
  const { states, moves } = await playAll(world, { depth: Number(LIFE_DEPTH ?? 1), isSampled });
  await annotate(`${states} states, ${moves} moves`);
  expect(states).toBeGreaterThan(200);
  expect(moves).toBeGreaterThan(600);
});

test("When random longer lives are played, then everybody sees what the model predicts", {
  timeout: 300_000 + Number(LIFE_LIVES) * 2_000,
}, async ({ annotate }) => {
  const done = new Set<Kind>();
  for (let left = Number(LIFE_LIVES), seed = Number(LIFE_SEED); left > 0; left -= TOGETHER, seed++)
    for (const kind of await playRandom(world, {
      seed,
      lives: Math.min(TOGETHER, left),
      length: Number(LIFE_LENGTH),
    }))
      done.add(kind);
  await annotate(`${LIFE_LIVES} lives, in which these changed something: ${[...done].join(", ")}`);
  expect(done.size).toBeGreaterThan(11);
});

type Bug = (database: Database, kind: Kind) => Promise<unknown>;
const BUGS: Record<string, [bug: Bug, expected: RegExp]> = {
  "a bid is lost": [
    async ({ bids }, kind) => kind === "bid" && bids.deleteMany({}),
    /fred: bid .*unexpected 0 rows|fred reads .(?:me.bids|tasks).*missing/s,
  ],
  "a refused action changes something": [
    async ({ bids }, kind) => kind === "deliver" && bids.updateMany({}, { $inc: { amount: 1 } }),
    /flo: deliver .*the documents have changed/s,
  ],
  "a hidden task is shown": [
    async ({ tasks }, kind) => kind === "hide" && tasks.updateMany({}, { $set: { hidden: false } }),
    /reads .tasks.*unexpected/s,
  ],
};

test.each(Object.entries(BUGS))("When %s, then the model notices", async (_name, [bug, expected]) => {
  const moves = [
    ...USUAL.slice(0, 4),
    { by: "flo", action: { kind: "deliver" } },
    { by: OPERATOR, action: { kind: "hide", hidden: true } },
  ] as const;
  const settle = async (kind: Kind) => {
    await world.settle(kind);
    await bug(world.database, kind);
  };
  await expect(playLife({ ...world, settle }, moves)).rejects.toThrow(expected);
});

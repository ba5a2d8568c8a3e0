import fc from "fast-check";
import { type Action, type Bidder, describe, isPossible, type Move, type Wait, type Who } from "./actions.ts";
import { FREELANCERS, type Life, PEOPLE, type Person } from "./model.ts";
import { play, type Tally } from "./play.ts";
import type { World } from "./world.ts";

type Real = { world: World; tally: Tally };

class Command implements fc.AsyncCommand<Life, Real> {
  readonly move: Move;
  constructor(move: Move) {
    this.move = move;
  }
  check(life: Readonly<Life>): boolean {
    return isPossible(life, this.move);
  }
  async run(life: Life, { world, tally }: Real): Promise<void> {
    await play(world, life, this.move, tally);
  }
  toString(): string {
    return `\n  ${describe(this.move)}`;
  }
}

/** Mostly the people who may, sometimes somebody else. */
function mostly(...usual: Who[]): fc.Arbitrary<Who> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...usual) },
    { weight: 2, arbitrary: fc.constantFrom<Who[]>(...PEOPLE, "visitor") },
  );
}

const bidder = fc.constantFrom<Bidder[]>("last-bidder", "last-bidder", "fred", "fay", "flo", "carl");
const freelancers = mostly(...FREELANCERS, ...FREELANCERS, "carl", "clara", "olga");
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const question = fc.constantFrom("Which tools?", "When can you begin?");
const UNCONDITIONAL = [undefined, undefined, undefined, undefined, undefined];
const sometimes = (weight: number) =>
  fc.oneof({ weight: 10 - weight, arbitrary: fc.constant(false) }, { weight, arbitrary: fc.constant(true) });

const change = fc.oneof(
  fc.record({ title: fc.constantFrom("A poster", "A logo and a poster") }),
  fc.record({ budget: fc.constantFrom(120, 450.5) }),
  fc.record({ question: fc.oneof(question, fc.constant("")) }),
  fc.record({ deadlineIn: fc.constantFrom(-1, 0, 1, 3, 5) }),
  fc.record({ showEmail: fc.boolean() }),
  fc.constant({}),
);

/** How often each action is tried, and by whom. */
const MOVES: readonly [weight: number, by: fc.Arbitrary<Who>, action: fc.Arbitrary<Action>][] = [
  [
    2,
    mostly("clara", "carl"),
    fc.record({
      kind: fc.constant("post" as const),
      deadlineIn: fc.constantFrom(-1, 0, 1, 3, 5),
      budget: fc.constantFrom(300, 99.95),
      question: maybe(question),
    }),
  ],
  [
    6,
    mostly("client"),
    fc.record({
      kind: fc.constant("edit" as const),
      change,
      ifVersion: fc.constantFrom(...UNCONDITIONAL, "present" as const, "other" as const),
    }),
  ],
  [
    14,
    freelancers,
    fc.record({
      kind: fc.constant("bid" as const),
      amount: maybe(fc.constantFrom(250, 310.5)),
      days: maybe(fc.constantFrom(3, 9)),
      answer: fc.constantFrom(undefined, "Mine.", "Mine.", "Tomorrow."),
    }),
  ],
  [5, mostly("last-bidder", ...FREELANCERS), fc.constant({ kind: "withdraw" })],
  [
    9,
    mostly("client"),
    fc.record({
      kind: fc.constant("triage" as const),
      bidder,
      to: fc.constantFrom("placed" as const, "shortlisted" as const, "declined" as const),
    }),
  ],
  [7, mostly("client"), fc.record({ kind: fc.constant("award" as const), bidder })],
  [
    4,
    mostly("client"),
    fc.record({ kind: fc.constant("cancel" as const), reason: maybe(fc.constant("The café closes.")) }),
  ],
  [
    4,
    mostly("client"),
    fc.record({
      kind: fc.constant("reopen" as const),
      deadlineIn: maybe(fc.constantFrom(-1, 0, 2, 5)),
    }),
  ],
  [7, mostly("hired"), fc.constant({ kind: "deliver" })],
  [6, mostly("client"), fc.constant({ kind: "ask-changes" })],
  [5, mostly("client"), fc.constant({ kind: "complete" })],
  [5, mostly("hired"), fc.constant({ kind: "finish" })],
  [
    7,
    mostly("client", "hired"),
    fc.record({ kind: fc.constant("review" as const), stars: fc.constantFrom(2, 5) }),
  ],
  [2, mostly("client"), fc.constant({ kind: "delete" })],
  [5, mostly("olga"), fc.record({ kind: fc.constant("hide" as const), hidden: fc.boolean() })],
  [
    3,
    mostly("olga"),
    fc.record({
      kind: fc.constant("suspend" as const),
      whom: fc.constantFrom<Person[]>("clara", "carl", "fred", "fay", "olga"),
      suspended: fc.boolean(),
    }),
  ],
  [1, mostly("client", ...FREELANCERS), fc.constant({ kind: "read-notifications" })],
  [2, fc.constant("visitor"), fc.constant({ kind: "hold-announcements" })],
  [
    11,
    fc.constant("visitor"),
    fc.record({
      kind: fc.constant("wait" as const),
      for: fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom<Wait[]>(1, 24, "before midnight", "after midnight") },
        { weight: 2, arbitrary: fc.constantFrom<Wait[]>(72, 7 * 24, 14 * 24, 30 * 24) },
      ),
    }),
  ],
];

const MAX_MOVES = 28;

/** Random moves, more often on the first task than on the second. */
export function commands() {
  const each = MOVES.map(([weight, by, action]) => ({
    weight,
    arbitrary: fc
      .record({ by, action, task: sometimes(3).map(Number) })
      .map((move) => new Command(move) as fc.AsyncCommand<Life, Real>),
  }));
  return fc.commands([fc.oneof(...each)], { maxCommands: MAX_MOVES, size: "max", disableReplayLog: true });
}

const by = (who: Who, action: Action, task = 0): Move => ({ by: who, task, action });
const wait = (hours: number) => by("visitor", { kind: "wait", for: hours });
const POSTED = [by("clara", { kind: "post", deadlineIn: 3, budget: 500 })];
const BID_ON = [...POSTED, by("fred", { kind: "bid", days: 3 }), by("fay", { kind: "bid", amount: 450 })];
const TWO = [
  ...BID_ON,
  by("carl", { kind: "post", deadlineIn: 4, budget: 80, question: "Which tools?" }),
  by("flo", { kind: "bid", answer: "Mine." }, 1),
];
const AWARDED = [...BID_ON, by("clara", { kind: "award", bidder: "fred" })];
const DELIVERED = [...AWARDED, by("fred", { kind: "deliver" })];
const UNANSWERED = [...DELIVERED, wait(14 * 24)];
const COMPLETED = [...DELIVERED, by("clara", { kind: "complete" })];
const EXPIRED = [...BID_ON, wait(4 * 24)];

/** Moves with which a sequence can start. */
export const STARTS = {
  POSTED,
  BID_ON,
  TWO,
  AWARDED,
  DELIVERED,
  UNANSWERED,
  COMPLETED,
  EXPIRED,
} as const;
export type Start = keyof typeof STARTS;

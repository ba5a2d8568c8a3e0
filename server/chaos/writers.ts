import { randomUUID } from "node:crypto";
import { aTaskDraft } from "../test/builders.ts";
import type { Person } from "../test/people.ts";
import { type Call, isUndone, type Outcome } from "./balancer.ts";
import type { TaskInput } from "./history/task-model.ts";
import type { BidState } from "./ledger.ts";
import {
  endingOf,
  keep,
  type OpenTask,
  pause,
  type Recorded,
  readTask,
  sendUntilSure,
  type Writing,
} from "./writing.ts";

/** A client: posts task after task; every other one with an `Idempotency-Key`, and that one until it is acknowledged. */
export async function postTasks(writing: Writing, person: Person): Promise<void> {
  const { open, signal } = writing;
  for (let number = 0; !signal.aborted; number++) {
    const task = await postTask(writing, person, { withKey: number % 2 === 0 });
    if (task) keep(open, task);
    await pause(writing);
  }
}

/** @returns undefined if it was not acknowledged. */
export async function postTask(
  writing: Writing,
  person: Person,
  { withKey }: { withKey: boolean },
): Promise<OpenTask | undefined> {
  const title = `Chaos ${person.uid.slice(0, 6)} ${randomUUID()}`;
  const draft = aTaskDraft({ title, budget: 50 + Math.floor(writing.roll() * 900) });
  const call: Call = { method: "POST", path: "/tasks", body: draft, token: person.token };
  if (withKey) call.headers = { "idempotency-key": randomUUID() };
  const record = (outcome: Outcome) =>
    writing.ledger.posted(title, isUndone(outcome) ? "refused" : endingOf(outcome), idOf(outcome));
  const outcome = await sendUntilSure(writing, person, call, withKey ? "post with key" : "post", record);
  const id = idOf(outcome);
  if (id === undefined) return undefined;
  writing.history.begin(id, draft);
  return { id, owner: person, draft };
}

/** A freelancer: places, changes and withdraws bids on the newest tasks, each until there is a response. */
export async function placeBids(writing: Writing, person: Person): Promise<void> {
  const { open, begun, roll, signal } = writing;
  const mine = new Map<string, BidState | "unknown">();
  while (!signal.aborted) {
    // Now and then back to one that they know.
    const known = open.filter(({ id }) => mine.has(id));
    const from = roll() < 0.25 && known.length > 0 ? known : open;
    const task = from[Math.floor(roll() * from.length)];
    const before = task && (mine.get(task.id) ?? "none");
    if (task && before !== undefined && before !== "unknown") {
      mine.set(task.id, await take(writing, task, person, before, nextStep(before, task.draft.budget, roll)));
      if (roll() < 0.3) await readTask(writing, task, person);
      if (roll() < 0.05) await deliver(writing, task, person);
    }
    const job = begun.findLast(({ hired }) => hired === person.uid);
    if (job && roll() < 0.3) await deliver(writing, job, person);
    await pause(writing);
  }
}

/** Bids at the budget. @returns whether it was acknowledged. */
export async function placeFirstBid(writing: Writing, task: OpenTask, person: Person): Promise<boolean> {
  return (await take(writing, task, person, "none", firstBid(task.draft.budget))) !== "none";
}

/** @returns what the freelancer's bid is then. */
async function take(
  writing: Writing,
  { id }: OpenTask,
  person: Person,
  before: BidState,
  { call, what, becomes, input }: Step,
): Promise<BidState | "unknown"> {
  const { ledger, history, arrivals } = writing;
  const { uid, token } = person;
  let unsure = false;
  const record: Recorded = (outcome, span) => {
    ledger.bid(id, uid, becomes, endingOf(outcome));
    history.add(id, input(uid), outcome, span);
    if (endingOf(outcome) !== "unsure" || isUndone(outcome)) return;
    unsure = true;
    if (becomes !== "none") arrivals.unsure(id);
  };
  const request = { ...call, path: `/tasks/${id}/bid`, token };
  const outcome = await sendUntilSure(writing, person, request, what, record);
  if (endingOf(outcome) !== "acknowledged") return unsure ? "unknown" : before;
  if (before === "none" && becomes !== "none") arrivals.placed(id);
  return becomes;
}

/** Hands in work, whether or not they are hired. */
async function deliver(writing: Writing, { id }: OpenTask, person: Person): Promise<void> {
  const body = { note: "Chaos.", links: [] };
  const call: Call = { method: "POST", path: `/tasks/${id}/deliveries`, body, token: person.token };
  await sendUntilSure(writing, person, call, "deliver", (outcome, span) =>
    writing.history.add(id, { kind: "deliver", by: person.uid }, outcome, span),
  );
}

type Step = {
  what: string;
  becomes: BidState;
  call: Pick<Call, "method" | "body">;
  input: (by: string) => TaskInput;
};

function firstBid(budget: number): Step {
  return {
    what: "bid",
    becomes: budget,
    call: { method: "PATCH" },
    input: (by) => ({ kind: "bid", by }),
  };
}

function nextStep(state: BidState, budget: number, roll: () => number): Step {
  if (state === "none" && roll() < 0.4) return firstBid(budget);
  if (state !== "none" && roll() < 0.4)
    return {
      what: "withdraw",
      becomes: "none",
      call: { method: "DELETE" },
      input: (by) => ({ kind: "withdraw", by }),
    };
  const amount = Math.round(1_000 + roll() * 90_000) / 100;
  return {
    what: state === "none" ? "bid with amount" : "change",
    becomes: amount,
    call: { method: "PATCH", body: { amount } },
    input: (by) => ({ kind: "bid", by, amount }),
  };
}

function idOf({ status, body }: Outcome): string | undefined {
  if (status !== 201 || typeof body !== "object" || body === null || !("insertedId" in body))
    return undefined;
  return String(body.insertedId);
}

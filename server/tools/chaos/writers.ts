import { randomUUID } from "node:crypto";
import { aTaskDraft } from "../../test/builders.ts";
import type { Person } from "../../test/people.ts";
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
  type Workload,
} from "./workload.ts";

/** Acts as a client: posts task after task, every other one with an `Idempotency-Key` and retries until acknowledged. */
export async function postTasks(workload: Workload, person: Person): Promise<void> {
  const { open, signal } = workload;
  for (let number = 0; !signal.aborted; number++) {
    const task = await postTask(workload, person, { withKey: number % 2 === 0 });
    if (task) keep(open, task);
    await pause(workload);
  }
}

/** @returns undefined if it was not acknowledged. */
export async function postTask(
  workload: Workload,
  person: Person,
  { withKey }: { withKey: boolean },
): Promise<OpenTask | undefined> {
  const title = `Chaos ${person.uid.slice(0, 6)} ${randomUUID()}`;
  const draft = aTaskDraft({ title, budget: 50 + Math.floor(workload.random() * 900) });
  const call: Call = { method: "POST", path: "/tasks", body: draft, token: person.token };
  if (withKey) call.headers = { "idempotency-key": randomUUID() };
  const record = (outcome: Outcome) =>
    workload.ledger.posted(title, isUndone(outcome) ? "refused" : endingOf(outcome), idOf(outcome));
  const outcome = await sendUntilSure(workload, person, call, withKey ? "post with key" : "post", record);
  const id = idOf(outcome);
  if (id === undefined) return undefined;
  workload.history.begin(id, draft);
  return { id, owner: person, draft };
}

/** Acts as a freelancer: places, changes and withdraws bids on the newest tasks, each with retries until its outcome is known. */
export async function placeBids(workload: Workload, person: Person): Promise<void> {
  const { open, begun, random, signal } = workload;
  const mine = new Map<string, BidState | "unknown">();
  while (!signal.aborted) {
    // Sometimes returns to a task they know.
    const known = open.filter(({ id }) => mine.has(id));
    const from = random() < 0.25 && known.length > 0 ? known : open;
    const task = from[Math.floor(random() * from.length)];
    const before = task && (mine.get(task.id) ?? "none");
    if (task && before !== undefined && before !== "unknown") {
      mine.set(
        task.id,
        await submitBid(workload, task, person, before, nextStep(before, task.draft.budget, random)),
      );
      if (random() < 0.3) await readTask(workload, task, person);
      if (random() < 0.05) await deliver(workload, task, person);
    }
    const job = begun.findLast(({ hired }) => hired === person.uid);
    if (job && random() < 0.3) await deliver(workload, job, person);
    await pause(workload);
  }
}

/** Bids at the budget. @returns false if it was certainly not placed. */
export async function placeFirstBid(workload: Workload, task: OpenTask, person: Person): Promise<boolean> {
  return (await submitBid(workload, task, person, "none", firstBid(task.draft.budget))) !== "none";
}

/** @returns the freelancer's bid afterwards. */
async function submitBid(
  workload: Workload,
  { id }: OpenTask,
  person: Person,
  before: BidState,
  { call, what, becomes, input }: Step,
): Promise<BidState | "unknown"> {
  const { ledger, history, newBidNotices } = workload;
  const { uid, token } = person;
  let unsure = false;
  const record: Recorded = (outcome, span) => {
    ledger.bid(id, uid, becomes, endingOf(outcome));
    history.add(id, input(uid), outcome, span);
    if (endingOf(outcome) !== "unsure" || isUndone(outcome)) return;
    unsure = true;
    if (becomes !== "none") newBidNotices.unsure(id);
  };
  const request = { ...call, path: `/tasks/${id}/bid`, token };
  const outcome = await sendUntilSure(workload, person, request, what, record);
  if (endingOf(outcome) !== "acknowledged") return unsure ? "unknown" : before;
  if (before === "none" && becomes !== "none") newBidNotices.placed(id);
  return becomes;
}

/** Delivers work, whether or not they are hired. */
async function deliver(workload: Workload, { id }: OpenTask, person: Person): Promise<void> {
  const body = { note: "Chaos.", links: [] };
  const call: Call = { method: "POST", path: `/tasks/${id}/deliveries`, body, token: person.token };
  await sendUntilSure(workload, person, call, "deliver", (outcome, span) =>
    workload.history.add(id, { kind: "deliver", by: person.uid }, outcome, span),
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

function nextStep(state: BidState, budget: number, random: () => number): Step {
  if (state === "none" && random() < 0.4) return firstBid(budget);
  if (state !== "none" && random() < 0.4)
    return {
      what: "withdraw",
      becomes: "none",
      call: { method: "DELETE" },
      input: (by) => ({ kind: "withdraw", by }),
    };
  const amount = Math.round(1_000 + random() * 90_000) / 100;
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

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { aTaskDraft } from "../../test/builders.ts";
import { type Person, signUp } from "../../test/people.ts";
import { anyOf } from "../lib/random.ts";
import type { Call } from "../lib/request.ts";
import type { Action } from "../model/task.ts";
import { requestOf } from "../model/task-requests.ts";
import { isAcknowledged, isUndone, type Outcome } from "./balancer.ts";
import {
  endingOf,
  keep,
  listBids,
  type OpenTask,
  pause,
  readTask,
  sendUntilSure,
  type Workload,
} from "./workload.ts";

/** How many people of each kind. */
export type CrowdSize = { clients: number; freelancers: number };

const VISITORS = 4;

/** Signs everybody up and lets them work until the workload's signal. @returns their work. */
export async function startPeople(workload: Workload, size: CrowdSize): Promise<Promise<void>[]> {
  const people = (count: number) => Promise.all(Array.from({ length: count }, () => signUp()));
  const clients = await people(size.clients);
  const freelancers = await people(size.freelancers);
  const posting = clients.map((person) => postTasks(workload, person));
  // Waits for several tasks: bids on a single one would only queue up.
  while (workload.open.length < clients.length) await sleep(50);
  return [
    ...posting,
    ...clients.map((person) => decide(workload, person)),
    ...freelancers.map((person) => placeBids(workload, person)),
    ...Array.from({ length: VISITORS }, () => visit(workload)),
  ];
}

/** Acts as a client: posts task after task, every other one with an `Idempotency-Key` and retries until acknowledged. */
async function postTasks(workload: Workload, person: Person): Promise<void> {
  for (let number = 0; !workload.signal.aborted; number++) {
    const task = await postTask(workload, person, number % 2 === 0);
    if (task) keep(workload.open, task);
    await pause(workload);
  }
}

/** @returns undefined if it was not acknowledged. */
async function postTask(workload: Workload, owner: Person, withKey: boolean): Promise<OpenTask | undefined> {
  const { posted, tasks, allTasks, random } = workload;
  const draft = aTaskDraft({
    title: `Chaos ${owner.uid.slice(0, 6)} ${randomUUID()}`,
    budget: 50 + Math.floor(random() * 900),
  });
  const call: Call = { method: "POST", path: "/tasks", body: draft };
  if (withKey) call.headers = { "idempotency-key": randomUUID() };
  let isUnsure = false;
  const outcome = await sendUntilSure(workload, owner, call, withKey ? "post with key" : "post", (each) => {
    if (endingOf(each) === "unsure" && !isUndone(each)) isUnsure = true;
  });
  if (!isAcknowledged(outcome)) {
    posted.set(draft.title, isUnsure ? "unsure" : "refused");
    return undefined;
  }
  const { insertedId: id } = outcome.body as { insertedId: string };
  posted.set(draft.title, id);
  const task = { id, owner, draft };
  tasks.begin(id, { owner: owner.uid, draft });
  allTasks.push(task);
  return task;
}

/** Does something to a task, with retries until its outcome is known, and records it in the task's history. */
function act(
  workload: Workload,
  task: OpenTask,
  person: Person,
  action: Action,
  bidId?: string,
): Promise<Outcome> {
  const call = requestOf(action, { ...task, bidId, now: Date.now() });
  return sendUntilSure(workload, person, call, action.kind, (outcome, span) =>
    workload.tasks.add(task.id, { by: person.uid, action }, outcome, span),
  );
}

/** Acts as a freelancer: places, changes and withdraws bids on the newest tasks, and delivers, hired or not. */
async function placeBids(workload: Workload, person: Person): Promise<void> {
  const { open, begun, random, signal } = workload;
  const known = new Set<string>();
  while (!signal.aborted) {
    // Sometimes returns to a task they know.
    const mine = open.filter(({ id }) => known.has(id));
    const task = anyOf(random() < 0.25 && mine.length > 0 ? mine : open, random);
    if (task) {
      const amount = Math.round(1_000 + random() * 90_000) / 100;
      const chance = random();
      if (known.has(task.id) && chance < 0.4) await act(workload, task, person, { kind: "withdraw" });
      else await act(workload, task, person, { kind: "bid", ...(chance < 0.7 && { amount }) });
      known.add(task.id);
      if (random() < 0.3) await readTask(workload, task, person);
      if (random() < 0.05) await act(workload, task, person, { kind: "deliver" });
    }
    const job = begun.findLast(({ hired }) => hired === person.uid);
    if (job && random() < 0.3) await act(workload, job, person, { kind: "deliver" });
    await pause(workload);
  }
}

/** Acts as a client: awards, cancels, completes, reopens and edits their own tasks, and reads the bids. */
async function decide(workload: Workload, person: Person): Promise<void> {
  const { open, begun, random, signal } = workload;
  for (let number = 0; !signal.aborted; number++) {
    const ownOf = (tasks: readonly OpenTask[]) => tasks.filter(({ owner }) => owner === person);
    const underWay = random() < 0.5 ? ownOf(begun) : [];
    const task = anyOf(underWay.length > 0 ? underWay : ownOf(open), random);
    if (task) {
      await decideOn(workload, task, number);
      await readTask(workload, task, person);
    }
    await pause(workload);
    await pause(workload);
  }
}

async function decideOn(workload: Workload, task: OpenTask, number: number): Promise<unknown> {
  const { random, begun } = workload;
  const does = (action: Action) => act(workload, task, task.owner, action);
  const chance = random();
  if (chance < 0.35) return award(workload, task);
  if (chance < 0.42) return does({ kind: "request-changes" });
  if (chance < 0.48) {
    const outcome = await does({ kind: "cancel", reason: "Chaos." });
    return isAcknowledged(outcome) && keep(begun, task);
  }
  if (chance < 0.55) return does({ kind: "complete" });
  if (chance < 0.7) return does({ kind: "reopen" });
  if (chance < 0.85) return does({ kind: "edit", description: `Description ${number}` });
  return listBids(workload, task);
}

/** Awards to one or two bidders at the same time, as in two tabs, while others bid and withdraw. */
async function award(workload: Workload, task: OpenTask): Promise<void> {
  const { body, status } = await listBids(workload, task);
  const bids = status === 200 ? (body as { _id: string; freelancerId: string }[]) : [];
  const chosen = [anyOf(bids, workload.random), anyOf(bids, workload.random)];
  await Promise.all(
    chosen.map(async (bid) => {
      if (!bid) return;
      const action = { kind: "award", whose: bid.freelancerId } as const;
      if (!isAcknowledged(await act(workload, task, task.owner, action, bid._id))) return;
      task.hired = bid.freelancerId;
      keep(workload.begun, task);
    }),
  );
}

/** Acts as an anonymous visitor: opens one task after another, new and old ones. */
async function visit(workload: Workload): Promise<void> {
  const { open, allTasks, random, signal } = workload;
  while (!signal.aborted) {
    const task = anyOf(random() < 0.5 ? open : allTasks, random);
    if (task) await readTask(workload, task);
    await pause(workload);
  }
}

import type { TaskDraft } from "../src/contract/index.ts";
import type { Person } from "../test/people.ts";
import type { Call, Outcome } from "./balancer.ts";
import type { TaskInput } from "./history/task-model.ts";
import { isAcknowledged } from "./report.ts";
import { keep, listBids, type OpenTask, pause, readTask, sendUntilSure, type Writing } from "./writing.ts";

/** A client: awards, cancels, completes, reopens and edits the tasks they posted, and looks at their bids. */
export async function decide(writing: Writing, person: Person): Promise<void> {
  const { open, begun, roll, signal } = writing;
  for (let number = 0; !signal.aborted; number++) {
    const ofTheirs = (tasks: readonly OpenTask[]) => tasks.filter(({ owner }) => owner === person);
    const goingOn = roll() < 0.5 ? ofTheirs(begun) : [];
    const own = goingOn.length > 0 ? goingOn : ofTheirs(open);
    const task = own[Math.floor(roll() * own.length)];
    if (task) await decideOn(writing, task, number);
    await pause(writing);
    await pause(writing);
  }
}

async function decideOn(writing: Writing, task: OpenTask, number: number): Promise<unknown> {
  const chance = writing.roll();
  if (chance < 0.35) return award(writing, task);
  if (chance < 0.42) return sendBack(writing, task);
  if (chance < 0.48) return cancel(writing, task);
  if (chance < 0.55) return changeState(writing, task, "completed", { kind: "complete" });
  if (chance < 0.7) return changeState(writing, task, "open", { kind: "reopen" });
  if (chance < 0.85) return edit(writing, task, `Description ${number}`);
  return listBids(writing, task);
}

/** To one of those who bid, usually; while others bid, withdraw, and the same client decides in another tab. */
async function award(writing: Writing, task: OpenTask): Promise<void> {
  const { body, status } = await listBids(writing, task);
  const bids = status === 200 ? (body as { _id: string; freelancerId: string }[]) : [];
  const first = bids[Math.floor(writing.roll() * bids.length)];
  if (!first) return;
  const second = bids[Math.floor(writing.roll() * bids.length)] ?? first;
  await Promise.all(
    [first, second].map(async ({ _id, freelancerId }) => {
      const call = { method: "POST", path: `/tasks/${task.id}/award`, body: { bidId: _id } };
      const outcome = await act(writing, task, { kind: "award", to: freelancerId }, "award", call);
      if (!isAcknowledged(outcome)) return;
      task.hired = freelancerId;
      keep(writing.begun, task);
    }),
  );
}

async function cancel(writing: Writing, task: OpenTask): Promise<void> {
  const outcome = await changeState(writing, task, "cancelled", { kind: "cancel" });
  if (isAcknowledged(outcome)) keep(writing.begun, task);
}

function changeState(
  writing: Writing,
  task: OpenTask,
  state: "open" | "completed" | "cancelled",
  input: TaskInput,
): Promise<Outcome> {
  const body = { state, ...(state === "cancelled" && { reason: "Chaos." }) };
  const call = { method: "PATCH", path: `/tasks/${task.id}/state`, body };
  return act(writing, task, input, state === "open" ? "reopen" : input.kind, call);
}

function sendBack(writing: Writing, task: OpenTask): Promise<Outcome> {
  const call = { method: "POST", path: `/tasks/${task.id}/changes`, body: { reason: "Chaos." } };
  return act(writing, task, { kind: "request-changes" }, "ask for changes", call);
}

function edit(writing: Writing, task: OpenTask, description: string): Promise<Outcome> {
  const body: TaskDraft = { ...task.draft, description };
  const call = { method: "PUT", path: `/tasks/${task.id}`, body };
  return act(writing, task, { kind: "edit", description }, "edit", call);
}

async function act(
  writing: Writing,
  task: OpenTask,
  input: TaskInput,
  what: string,
  call: Omit<Call, "token">,
): Promise<Outcome> {
  const { owner, id } = task;
  const outcome = await sendUntilSure(writing, owner, { ...call, token: owner.token }, what, (each, span) =>
    writing.history.add(id, input, each, span),
  );
  await readTask(writing, task, owner);
  return outcome;
}

/** So many tasks ago a visitor may go back to. */
const REMEMBERED = 40;

/** An anonymous visitor: opens one task after the other, and comes back to some later. */
export async function visit(writing: Writing): Promise<void> {
  const { open, roll, signal } = writing;
  const visited: OpenTask[] = [];
  while (!signal.aborted) {
    const from = roll() < 0.5 ? open : visited;
    const task = from[Math.floor(roll() * from.length)];
    if (task) {
      await readTask(writing, task);
      visited.push(task);
    }
    if (visited.length > REMEMBERED) visited.shift();
    await pause(writing);
  }
}

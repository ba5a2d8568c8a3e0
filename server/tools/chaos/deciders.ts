import type { TaskDraft } from "../../src/contract/index.ts";
import type { Person } from "../../test/people.ts";
import type { Call, Outcome } from "./balancer.ts";
import type { TaskInput } from "./history/task-model.ts";
import { isAcknowledged } from "./report.ts";
import { keep, listBids, type OpenTask, pause, readTask, sendUntilSure, type Workload } from "./workload.ts";

/** Acts as a client: awards, cancels, completes, reopens and edits their own tasks, and reads the bids. */
export async function decide(workload: Workload, person: Person): Promise<void> {
  const { open, begun, random, signal } = workload;
  for (let number = 0; !signal.aborted; number++) {
    const ownOf = (tasks: readonly OpenTask[]) => tasks.filter(({ owner }) => owner === person);
    const underWay = random() < 0.5 ? ownOf(begun) : [];
    const own = underWay.length > 0 ? underWay : ownOf(open);
    const task = own[Math.floor(random() * own.length)];
    if (task) await decideOn(workload, task, number);
    await pause(workload);
    await pause(workload);
  }
}

async function decideOn(workload: Workload, task: OpenTask, number: number): Promise<unknown> {
  const chance = workload.random();
  if (chance < 0.35) return award(workload, task);
  if (chance < 0.42) return requestChanges(workload, task);
  if (chance < 0.48) return cancel(workload, task);
  if (chance < 0.55) return changeState(workload, task, "completed", { kind: "complete" });
  if (chance < 0.7) return changeState(workload, task, "open", { kind: "reopen" });
  if (chance < 0.85) return edit(workload, task, `Description ${number}`);
  return listBids(workload, task);
}

/** Awards to one or two bidders at the same time, as in two tabs, while others bid and withdraw. */
async function award(workload: Workload, task: OpenTask): Promise<void> {
  const { body, status } = await listBids(workload, task);
  const bids = status === 200 ? (body as { _id: string; freelancerId: string }[]) : [];
  const first = bids[Math.floor(workload.random() * bids.length)];
  if (!first) return;
  const second = bids[Math.floor(workload.random() * bids.length)] ?? first;
  await Promise.all(
    [first, second].map(async ({ _id, freelancerId }) => {
      const call = { method: "POST", path: `/tasks/${task.id}/award`, body: { bidId: _id } };
      const outcome = await act(workload, task, { kind: "award", to: freelancerId }, "award", call);
      if (!isAcknowledged(outcome)) return;
      task.hired = freelancerId;
      keep(workload.begun, task);
    }),
  );
}

async function cancel(workload: Workload, task: OpenTask): Promise<void> {
  const outcome = await changeState(workload, task, "cancelled", { kind: "cancel" });
  if (isAcknowledged(outcome)) keep(workload.begun, task);
}

function changeState(
  workload: Workload,
  task: OpenTask,
  state: "open" | "completed" | "cancelled",
  input: TaskInput,
): Promise<Outcome> {
  const body = { state, ...(state === "cancelled" && { reason: "Chaos." }) };
  const call = { method: "PATCH", path: `/tasks/${task.id}/state`, body };
  return act(workload, task, input, state === "open" ? "reopen" : input.kind, call);
}

function requestChanges(workload: Workload, task: OpenTask): Promise<Outcome> {
  const call = { method: "POST", path: `/tasks/${task.id}/changes`, body: { reason: "Chaos." } };
  return act(workload, task, { kind: "request-changes" }, "ask for changes", call);
}

function edit(workload: Workload, task: OpenTask, description: string): Promise<Outcome> {
  const body: TaskDraft = { ...task.draft, description };
  const call = { method: "PUT", path: `/tasks/${task.id}`, body };
  return act(workload, task, { kind: "edit", description }, "edit", call);
}

async function act(
  workload: Workload,
  task: OpenTask,
  input: TaskInput,
  what: string,
  call: Omit<Call, "token">,
): Promise<Outcome> {
  const { owner, id } = task;
  const outcome = await sendUntilSure(workload, owner, { ...call, token: owner.token }, what, (each, span) =>
    workload.history.add(id, input, each, span),
  );
  await readTask(workload, task, owner);
  return outcome;
}

/** How many visited tasks a visitor may return to. */
const MAX_VISITED = 40;

/** Acts as an anonymous visitor: opens one task after another and returns to some later. */
export async function visit(workload: Workload): Promise<void> {
  const { open, random, signal } = workload;
  const visited: OpenTask[] = [];
  while (!signal.aborted) {
    const from = random() < 0.5 ? open : visited;
    const task = from[Math.floor(random() * from.length)];
    if (task) {
      await readTask(workload, task);
      visited.push(task);
    }
    if (visited.length > MAX_VISITED) visited.shift();
    await pause(workload);
  }
}

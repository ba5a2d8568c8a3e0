import { waitUntil } from "../dev/lib/wait-until.ts";
import type { Instance, Target } from "./instance.ts";
import type { Findings, StoredBid, StoredTask } from "./ledger.ts";
import type { Member } from "./replica-set.ts";
import { chaosReport, figuresOf, isAcknowledged, type Phase, type Sent, unansweredIn } from "./report.ts";
import { withStored } from "./stored.ts";
import type { Writing } from "./writing.ts";

/** The result of a run: figures for people, and everything that must not be. */
export type Verdict = {
  report: string;
  problems: string[];
  /** Whole histories of the tasks among them. */
  histories: string;
  acknowledged: number;
};

/** Every request ends within five seconds; the rest is for a busy machine. */
const LONGEST_MS = 6_000;
const SAMPLE = 40;
/** What the state of a task or conversation refuses; whether rightly so, its history says. */
const REFUSALS = [
  ...["task-not-open", "wrong-state", "task-locked", "bid-not-found", "not-hired"],
  "conversation-not-found",
];
/** What it is to kill an instance, which cannot respond then to what it had begun. */
const KILLED = /instance killed/;
const COMPARED = ["tasks", "bids", "conversations", "messages"];
/** A member that was down for a while has much to catch up with on a busy machine. */
const AGREE = { timeoutMs: 60_000, everyMs: 250 };

/** Compares the writers' ledger with the database, its members with each other, and the instances with both. */
export async function judge({
  set,
  instances,
  problems: seen,
  writing,
  mistold,
  lines,
  phases,
}: Omit<Target, "roll"> & {
  writing: Writing;
  mistold: readonly string[];
  /** More figures for the report. */
  lines: readonly string[];
  phases: readonly Phase[];
}): Promise<Verdict> {
  // Work whose response was sent before it was done goes on for some seconds.
  const agreed = await waitUntil(() => membersAgree(set.members), AGREE);
  const stored = await readStored(set.uri);
  const findings = writing.ledger.compare(stored);
  const inexplicable = [...writing.history.problems(), ...writing.conversations.history.problems()];
  const requests = [...writing.sent, ...writing.reads];
  const stale = await staleResponses(instances, stored.tasks.slice(-SAMPLE));
  const problems = [
    ...counted(seen),
    ...problemsOf(findings),
    ...(agreed ? [] : ["the members of the replica set do not hold the same"]),
    ...stale.map((text) => `a stale response: ${text}`),
    ...inexplicable.map(({ line }) => line),
    ...mistold,
    ...problemsOfRequests(requests),
    ...withoutResponse(requests, phases),
    ...phases
      .filter((phase) => figuresOf(phase, writing.sent).acknowledged === 0)
      .map(({ name }) => `nothing was acknowledged during "${name}"`),
  ];
  const acknowledged = writing.sent.filter(isAcknowledged).length;
  const report = chaosReport({
    phases,
    sent: writing.sent,
    reads: writing.reads,
    findings,
    stored,
    counts: writing.ledger.counts(),
    histories: writing.history.counts(),
    inexplicable: inexplicable.length,
    lines,
  });
  const histories = inexplicable.flatMap(({ line, operations }) => [line, ...operations, ""]).join("\n");
  return { report, problems, histories, acknowledged };
}

function problemsOf({ overtaken: _, ...findings }: Findings): string[] {
  return Object.entries(findings).flatMap(([kind, found]) => found.map((text) => `${kind}: ${text}`));
}

/** Responses that nobody should get, and those that took too long. */
export function problemsOfRequests(sent: readonly Sent[]): string[] {
  const odd = sent.filter(
    ({ status = 503, why = "" }) =>
      status >= 300 && status !== 503 && status !== 429 && !REFUSALS.includes(why),
  );
  const slow = sent.filter(({ ms }) => ms > LONGEST_MS);
  return [
    ...counted(odd.map(({ what, status, why }) => `${what} got ${status} ${why ?? ""}`)),
    ...slow.map(({ what, ms, at }) => `${what} took ${ms} ms, ${Math.round(at / 1_000)} s into the run`),
  ];
}

/** Requests that got no response although nobody killed an instance meanwhile. */
export function withoutResponse(sent: readonly Sent[], phases: readonly Phase[]): string[] {
  const during = new Map(
    phases.flatMap((phase) => unansweredIn(phase, sent).map((each) => [each, phase.name] as const)),
  );
  const whys = sent
    .filter(({ status }) => status === undefined)
    .map((each) => ({ ...each, name: during.get(each) ?? "no fault" }))
    .filter(({ name }) => !KILLED.test(name))
    .map(
      ({ name, what, why, ms }) =>
        `during "${name}" no response to ${what}: ${why} after ${(ms / 1_000).toFixed(0)} s`,
    );
  return counted(whys);
}

/** Each text once, with its count. */
function counted(texts: readonly string[]): string[] {
  return [...new Set(texts)].map((text) => `${texts.filter((other) => other === text).length} × ${text}`);
}

/** Tasks and bids as a majority has stored them. */
function readStored(uri: string): Promise<{ tasks: StoredTask[]; bids: StoredBid[] }> {
  return withStored(uri, async ({ tasks, bids }) => {
    const [taskDocs, bidDocs] = [await tasks.find().toArray(), await bids.find().toArray()];
    const budgets = new Map(taskDocs.map(({ _id, budget }) => [_id.toHexString(), budget]));
    return {
      tasks: taskDocs.map(({ _id, title, bidsCount }) => ({ id: _id.toHexString(), title, bidsCount })),
      bids: bidDocs.map(({ taskId, bidderId, amount }) => {
        const id = taskId.toHexString();
        // A bid in one click is at the task's budget.
        return { taskId: id, bidderId, amount: amount ?? budgets.get(id) ?? Number.NaN };
      }),
    };
  });
}

/** Do all members hold the same tasks, bids and messages? Compared by MongoDB's own hash of each collection. */
async function membersAgree(members: readonly Member[]): Promise<boolean> {
  const hashes = new Set<string>();
  for (const each of members) {
    const { collections } = await each.command({ dbHash: 1, collections: COMPARED }, "tasklane");
    if (COMPARED.some((name) => !collections[name])) return false;
    hashes.add(JSON.stringify(COMPARED.map((name) => collections[name])));
  }
  return hashes.size === 1;
}

/** Tasks for which an instance reports another number of bids than is stored, from a stale cache. */
async function staleResponses(
  instances: readonly Instance[],
  tasks: readonly StoredTask[],
): Promise<string[]> {
  const stale: string[] = [];
  for (const { url } of instances) {
    for (const { id, bidsCount } of tasks) {
      const response = await fetch(`${url}/tasks/${id}`);
      const body = (await response.json()) as { bidsCount?: number };
      if (body.bidsCount !== bidsCount)
        stale.push(`${url} ${id}: ${response.status}, bidsCount ${body.bidsCount}, stored ${bidsCount}`);
    }
  }
  return stale;
}

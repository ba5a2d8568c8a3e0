import { setTimeout as sleep } from "node:timers/promises";
import type { TaskDraft } from "../../src/contract/index.ts";
import type { Person } from "../../test/people.ts";
import type { Balancer, Call, Outcome } from "./balancer.ts";
import type { Correspondence } from "./conversations/correspondence.ts";
import type { NewBidNotices } from "./history/new-bid-notices.ts";
import type { Span } from "./history/recorder.ts";
import type { TaskHistory } from "./history/task-history.ts";
import type { TaskInput } from "./history/task-model.ts";
import type { Ending, Ledger } from "./ledger.ts";
import { isAcknowledged, type Sent } from "./report.ts";

/** State shared by everybody who sends requests in a run. */
export type Workload = {
  balancer: Balancer;
  ledger: Ledger;
  history: TaskHistory;
  newBidNotices: NewBidNotices;
  conversations: Correspondence;
  sent: Sent[];
  /** Returns numbers from 0 up to 1, the same for every run with the same seed. */
  random: () => number;
  /** Milliseconds since the run began. */
  now: () => number;
  /** Once aborted, nothing new is begun, but unknown outcomes are still retried. */
  signal: AbortSignal;
  /** Reads; {@link sent} holds the writes, which the figures are about. */
  reads: Sent[];
  /** Tasks in use, newest last. */
  open: OpenTask[];
  /** Tasks that were awarded or cancelled, newest last. */
  begun: OpenTask[];
};

export type OpenTask = {
  id: string;
  owner: Person;
  draft: TaskDraft;
  /** The uid of the freelancer who was last acknowledged as hired. */
  hired?: string;
};
export type Recorded = (outcome: Outcome, span: Span) => void;

/** The rate limits allow two writes a second per person. */
const PAUSE_MS = 700;
/** A writer gives up after this time without a known outcome, and the run reports it. */
const GIVE_UP_MS = 60_000;
const VISITOR = "192.0.2.50";

/** Few, so that writes to the same task compete. */
const KEPT_TASKS = 24;

/** Appends a task, and drops the oldest from a long list. */
export function keep(tasks: OpenTask[], task: OpenTask): void {
  if (!tasks.includes(task)) tasks.push(task);
  if (tasks.length > KEPT_TASKS) tasks.shift();
}

/** Sends a request, and if it is safe to, repeats it until its outcome is known. */
export async function sendUntilSure(
  workload: Workload,
  person: Person,
  call: Call,
  what: string,
  record: Recorded,
): Promise<Outcome> {
  const isRetried = what !== "post";
  const started = workload.now();
  for (;;) {
    const at = workload.now();
    const headers = { ...call.headers, "x-forwarded-for": addressOf(person) };
    const outcome = await workload.balancer.send({ ...call, headers });
    workload.sent.push({
      at,
      ms: outcome.ms,
      status: outcome.status,
      what,
      why: outcome.why ?? codeOf(outcome.body),
    });
    record(outcome, { beganAt: at, endedAt: workload.now() });
    const limited = outcome.status === 429;
    const open = endingOf(outcome) === "unsure" || limited;
    if (!open || !isRetried || workload.now() - started > GIVE_UP_MS) return outcome;
    // Follows Retry-After, but retries sooner after a 503, so that the figures show when writes succeed again.
    await sleep(limited ? outcome.retryAfterS * 1_000 : PAUSE_MS);
  }
}

export function endingOf(outcome: Outcome): Ending {
  if (isAcknowledged(outcome)) return "acknowledged";
  return outcome.status === undefined || outcome.status >= 500 ? "unsure" : "refused";
}

function codeOf(body: unknown): string | undefined {
  return typeof body === "object" && body !== null && "code" in body ? String(body.code) : undefined;
}

/** Each person has their own address, as behind a real proxy. */
function addressOf({ uid }: Person): string {
  const [a = 0, b = 0, c = 0] = Buffer.from(uid);
  return `10.${a}.${b}.${c}`;
}

export function pause({ random, signal }: Workload): Promise<void> {
  return sleep(PAUSE_MS * (0.8 + 0.6 * random()), undefined, { signal }).catch(() => undefined);
}

/** Reads a task; without a person, as an anonymous visitor. */
export async function readTask(workload: Workload, { id }: OpenTask, person?: Person): Promise<void> {
  await see(workload, id, { kind: "read" }, { path: `/tasks/${id}`, person });
}

/** Lists the bids on a task, as its owner. */
export function listBids(workload: Workload, { id, owner }: OpenTask): Promise<Outcome> {
  const path = `/tasks/${id}/bids?limit=100`;
  return see(workload, id, { kind: "list-bids" }, { path, person: owner });
}

async function see(
  workload: Workload,
  id: string,
  input: TaskInput,
  { path, person }: { path: string; person: Person | undefined },
): Promise<Outcome> {
  const { outcome, span } = await get(workload, path, person);
  workload.history.add(id, input, outcome, { ...span, anonymous: !person });
  return outcome;
}

/** Sends one GET request; without a person, as an anonymous visitor. */
export async function get(
  { balancer, now, reads }: Pick<Workload, "balancer" | "now" | "reads">,
  path: string,
  person: Person | undefined,
): Promise<{ outcome: Outcome; span: Span }> {
  const beganAt = now();
  const headers = { "x-forwarded-for": person ? addressOf(person) : VISITOR };
  const outcome = await balancer.send({ method: "GET", path, token: person?.token, headers });
  const { ms, status, body } = outcome;
  const what = `GET ${path.replace(/[\da-f]{24}/g, ":id").replace(/\?.*/, "")}`;
  reads.push({ at: beganAt, ms, status, what, why: outcome.why ?? codeOf(body) });
  return { outcome, span: { beganAt, endedAt: now() } };
}

import { setTimeout as sleep } from "node:timers/promises";
import type { TaskDraft } from "../src/contract/index.ts";
import type { Person } from "../test/people.ts";
import type { Balancer, Call, Outcome } from "./balancer.ts";
import type { Correspondence } from "./conversations/correspondence.ts";
import type { Arrivals } from "./history/arrivals.ts";
import type { Span } from "./history/recorder.ts";
import type { TaskHistory } from "./history/task-history.ts";
import type { TaskInput } from "./history/task-model.ts";
import type { Ending, Ledger } from "./ledger.ts";
import { isAcknowledged, type Sent } from "./report.ts";

/** What the writers share. */
export type Writing = {
  balancer: Balancer;
  ledger: Ledger;
  history: TaskHistory;
  arrivals: Arrivals;
  conversations: Correspondence;
  sent: Sent[];
  /** Numbers from 0 up to 1, the same in every run with one seed. */
  roll: () => number;
  /** Milliseconds since the run began. */
  now: () => number;
  /** Once aborted, nothing new is begun; what is unsure is still retried until there is a response. */
  signal: AbortSignal;
  /** What was read; {@link sent} are the writes, of which the figures are. */
  reads: Sent[];
  /** Tasks that something is done with, the newest last. */
  open: OpenTask[];
  /** Those that were awarded or cancelled, the newest last. */
  begun: OpenTask[];
};

export type OpenTask = {
  id: string;
  owner: Person;
  draft: TaskDraft;
  /** The uid of who was told last to have the job. */
  hired?: string;
};
export type Recorded = (outcome: Outcome, span: Span) => void;

/** The limits allow one person two writes a second. */
const PAUSE_MS = 700;
/** A writer without a response by then gives up, and the run reports it. */
const GIVE_UP_MS = 60_000;
const VISITOR = "192.0.2.50";

/** Few, so that what is done with one task competes. */
const KEPT_TASKS = 24;

/** Puts it at the end of the list, and takes the oldest one out of a long list. */
export function keep(tasks: OpenTask[], task: OpenTask): void {
  if (!tasks.includes(task)) tasks.push(task);
  if (tasks.length > KEPT_TASKS) tasks.shift();
}

/** Sends once, or retries what is safe to retry until it is known how it ended. */
export async function sendUntilSure(
  writing: Writing,
  person: Person,
  call: Call,
  what: string,
  record: Recorded,
): Promise<Outcome> {
  const isRetried = what !== "post";
  const started = writing.now();
  for (;;) {
    const at = writing.now();
    const headers = { ...call.headers, "x-forwarded-for": addressOf(person) };
    const outcome = await writing.balancer.send({ ...call, headers });
    writing.sent.push({
      at,
      ms: outcome.ms,
      status: outcome.status,
      what,
      why: outcome.why ?? codeOf(outcome.body),
    });
    record(outcome, { beganAt: at, endedAt: writing.now() });
    const limited = outcome.status === 429;
    const open = endingOf(outcome) === "unsure" || limited;
    if (!open || !isRetried || writing.now() - started > GIVE_UP_MS) return outcome;
    // As a client that reads Retry-After would, but sooner after a 503: the figures show when writes are taken again.
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

/** Each person has an address of their own, as behind a real proxy. */
function addressOf({ uid }: Person): string {
  const [a = 0, b = 0, c = 0] = Buffer.from(uid);
  return `10.${a}.${b}.${c}`;
}

export function pause({ roll, signal }: Writing): Promise<void> {
  return sleep(PAUSE_MS * (0.8 + 0.6 * roll()), undefined, { signal }).catch(() => undefined);
}

/** What somebody sees of a task: without a person, as an anonymous visitor. */
export async function readTask(writing: Writing, { id }: OpenTask, person?: Person): Promise<void> {
  await see(writing, id, { kind: "read" }, { path: `/tasks/${id}`, person });
}

/** The bids on a task, as its owner sees them. */
export function listBids(writing: Writing, { id, owner }: OpenTask): Promise<Outcome> {
  const path = `/tasks/${id}/bids?limit=100`;
  return see(writing, id, { kind: "list-bids" }, { path, person: owner });
}

async function see(
  writing: Writing,
  id: string,
  input: TaskInput,
  { path, person }: { path: string; person: Person | undefined },
): Promise<Outcome> {
  const { outcome, span } = await get(writing, path, person);
  writing.history.add(id, input, outcome, { ...span, anonymous: !person });
  return outcome;
}

/** Reads once: without a person, as an anonymous visitor. */
export async function get(
  { balancer, now, reads }: Pick<Writing, "balancer" | "now" | "reads">,
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

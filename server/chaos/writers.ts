import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { aTaskDraft } from "../test/builders.ts";
import type { Person } from "../test/people.ts";
import type { Balancer, Call, Outcome } from "./balancer.ts";
import type { BidState, Ending, Ledger } from "./ledger.ts";
import { isAcknowledged, type Sent } from "./report.ts";

/** What the writers share. */
export type Writing = {
  balancer: Balancer;
  ledger: Ledger;
  sent: Sent[];
  /** Numbers from 0 up to 1, the same in every run with one seed. */
  roll: () => number;
  /** Milliseconds since the run began. */
  now: () => number;
  /** Once aborted, nothing new is begun; what is unsure is still retried until there is a response. */
  signal: AbortSignal;
  /** Tasks to bid on, the newest last. */
  open: { id: string; budget: number }[];
};

/** The limits allow one person two writes a second. */
const PAUSE_MS = 700;
/** Few, so that bids on one task compete. */
const OPEN_TASKS = 24;
/** A writer without a response by then gives up, and the run reports it. */
const GIVE_UP_MS = 60_000;

/** A client: posts task after task; every other one with an `Idempotency-Key`, and that one until it is acknowledged. */
export async function postTasks(writing: Writing, person: Person): Promise<void> {
  const { ledger, open, roll, signal } = writing;
  for (let number = 0; !signal.aborted; number++) {
    const title = `Chaos ${person.uid.slice(0, 6)} ${number} ${randomUUID()}`;
    const budget = 50 + Math.floor(roll() * 900);
    const call: Call = {
      method: "POST",
      path: "/tasks",
      body: aTaskDraft({ title, budget }),
      token: person.token,
    };
    const withKey = number % 2 === 0;
    if (withKey) call.headers = { "idempotency-key": randomUUID() };
    const record = (outcome: Outcome) => ledger.posted(title, endingOf(outcome), idOf(outcome));
    const outcome = await sendUntilSure(writing, person, call, withKey ? "post with key" : "post", record);
    const id = idOf(outcome);
    if (id !== undefined) open.push({ id, budget });
    if (open.length > OPEN_TASKS) open.shift();
    await pause(writing);
  }
}

/** A freelancer: places, changes and withdraws bids on the newest tasks, each until there is a response. */
export async function placeBids(writing: Writing, person: Person): Promise<void> {
  const { ledger, open, roll, signal } = writing;
  const mine = new Map<string, BidState>();
  while (!signal.aborted) {
    const task = open[Math.floor(roll() * open.length)];
    if (task) {
      const step = nextStep(mine.get(task.id) ?? "none", task.budget, roll);
      const call: Call = { ...step.call, path: `/tasks/${task.id}/bid`, token: person.token };
      const record = (outcome: Outcome) => ledger.bid(task.id, person.uid, step.becomes, endingOf(outcome));
      const outcome = await sendUntilSure(writing, person, call, step.what, record);
      if (endingOf(outcome) === "acknowledged") mine.set(task.id, step.becomes);
    }
    await pause(writing);
  }
}

type Step = { what: string; becomes: BidState; call: Pick<Call, "method" | "body"> };

function nextStep(state: BidState, budget: number, roll: () => number): Step {
  if (state === "none" && roll() < 0.4) return { what: "bid", becomes: budget, call: { method: "PATCH" } };
  if (state !== "none" && roll() < 0.4)
    return { what: "withdraw", becomes: "none", call: { method: "DELETE" } };
  const amount = Math.round(1_000 + roll() * 90_000) / 100;
  const what = state === "none" ? "bid with amount" : "change";
  return { what, becomes: amount, call: { method: "PATCH", body: { amount } } };
}

/** Sends once, or retries what is safe to retry until it is known how it ended. */
async function sendUntilSure(
  writing: Writing,
  person: Person,
  call: Call,
  what: string,
  record: (outcome: Outcome) => void,
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
    record(outcome);
    const limited = outcome.status === 429;
    const open = endingOf(outcome) === "unsure" || limited;
    if (!open || !isRetried || writing.now() - started > GIVE_UP_MS) return outcome;
    // As a client that reads Retry-After would, but sooner after a 503: the figures show when writes are taken again.
    await sleep(limited ? outcome.retryAfterS * 1_000 : PAUSE_MS);
  }
}

function endingOf(outcome: Outcome): Ending {
  if (isAcknowledged(outcome)) return "acknowledged";
  return outcome.status === undefined || outcome.status >= 500 ? "unsure" : "refused";
}

function idOf({ status, body }: Outcome): string | undefined {
  if (status !== 201 || typeof body !== "object" || body === null || !("insertedId" in body))
    return undefined;
  return String(body.insertedId);
}

function codeOf(body: unknown): string | undefined {
  return typeof body === "object" && body !== null && "code" in body ? String(body.code) : undefined;
}

/** Each person has an address of their own, as behind a real proxy. */
function addressOf({ uid }: Person): string {
  const [a = 0, b = 0, c = 0] = Buffer.from(uid);
  return `10.${a}.${b}.${c}`;
}

function pause({ roll, signal }: Writing): Promise<void> {
  return sleep(PAUSE_MS * (0.8 + 0.6 * roll()), undefined, { signal }).catch(() => undefined);
}

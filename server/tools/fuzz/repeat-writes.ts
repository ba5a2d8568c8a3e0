import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { ObjectId } from "mongodb";
import type { Database } from "../../src/db/client.ts";
import { aTaskDraft } from "../../test/builders.ts";
import { type Person, signUp } from "../../test/people.ts";
import type { Sender, WireRequest } from "./send.ts";

const CONCURRENCY = 6;
const REPORTING = { endOnFailure: true, includeErrorInReport: true } as const;

/** Copies of one write, sent at the same time; some are aborted. */
const copies = fc.record({
  kind: fc.constantFrom("post", "bid", "delete"),
  /** When each copy is aborted, in ms; undefined for one that waits. */
  abortTimes: fc.array(fc.option(fc.nat(60), { nil: undefined, freq: 2 }), { minLength: 1, maxLength: 5 }),
});

/**
 * Sends writes with an `Idempotency-Key` repeatedly and aborts some of the requests. Each write must take effect once, all
 * copies must get the same response, and the key must be refused for any other request.
 */
export async function repeatWrites(
  { send }: Sender,
  database: Database,
  { seed, rounds }: { seed: number; rounds: number },
): Promise<string[]> {
  const [client, freelancer] = await Promise.all([signUp(), signUp()]);
  const property = fc.asyncProperty(copies, async ({ kind, abortTimes }) => {
    const title = `Once ${randomUUID()}`;
    const own = kind === "post" ? "" : await post(send, client, title);
    const key = randomUUID();
    const call = callOf(kind, own, title, kind === "bid" ? freelancer : client);
    const keyed = { ...call, headers: [...call.headers, ["Idempotency-Key", key] as const] };
    const responses = await Promise.all(
      abortTimes.map((abortAfterMs) => send({ ...keyed, abortAfterMs }).catch(() => undefined)),
    );
    const last = await send(keyed);
    const texts = new Set([...responses, last].flatMap((response) => response?.text ?? []));
    if (texts.size !== 1 || last.status >= 300)
      throw new Error(`copies of one ${kind} got ${last.status} ${[...texts].join(" and ")}`);

    const filter = { title, ownerId: client.uid };
    const tasks = await database.tasks.find(filter).toArray();
    const bids = await database.bids.countDocuments({ taskId: new ObjectId(own || undefined) });
    const expected = { post: [1, 0], bid: [1, 1], delete: [0, 0] }[kind];
    if (String([tasks.length, bids]) !== String(expected) || (tasks[0]?.bidsCount ?? 0) !== bids)
      throw new Error(`one ${kind} led to ${tasks.length} tasks and ${bids} bids`);
    const other = await send({ ...keyed, method: "POST", path: "/tasks", body: draft("Something else") });
    if (other.status !== 422 && other.status !== 415)
      throw new Error(`the key of a ${kind} was accepted for something else: ${other.status} ${other.text}`);
  });
  const shares = Array.from({ length: CONCURRENCY }, (_, at) => seed + at);
  const details = await Promise.all(
    shares.map((share) =>
      fc.check(property, { seed: share, numRuns: Math.ceil(rounds / CONCURRENCY), ...REPORTING }),
    ),
  );
  return details.flatMap((run) =>
    run.failed ? [fc.defaultReportMessage(run) ?? "repeated writes failed"] : [],
  );
}

function callOf(kind: string, id: string, title: string, { token }: Person): WireRequest {
  const headers = [
    ["Authorization", `Bearer ${token}`] as const,
    ["Content-Type", "application/json"] as const,
  ];
  if (kind === "post") return { method: "POST", path: "/tasks", headers, body: draft(title) };
  if (kind === "bid")
    return { method: "PATCH", path: `/tasks/${id}/bid`, headers, body: JSON.stringify({ amount: 12.5 }) };
  return { method: "DELETE", path: `/tasks/${id}`, headers: headers.slice(0, 1) };
}

function draft(title: string): string {
  return JSON.stringify(aTaskDraft({ title }));
}

async function post(send: Sender["send"], person: Person, title: string): Promise<string> {
  const { status, text } = await send(callOf("post", "", title, person));
  if (status !== 201) throw new Error(`a task could not be posted: ${status} ${text}`);
  return String(JSON.parse(text).insertedId);
}

import { setTimeout as sleep } from "node:timers/promises";
import type { ConversationRole, Upload } from "../../src/contract/index.ts";
import { UPLOADS_PATH } from "../../src/contract/index.ts";
import type { Person } from "../../test/people.ts";
import { createBalancer, isAcknowledged } from "./balancer.ts";
import type { Target } from "./faults.ts";
import { get, type OpenConversation, sendUntilSure, type Workload } from "./workload.ts";

/** A file of an acknowledged message. */
export type SentFile = { id: string; content: string; by: ConversationRole; conversation: OpenConversation };

const PART_BYTES = 60_000;
const PARTS = 3;
const PAUSE_MS = 300;
/** Somebody who waits longer does without the file. */
const GIVE_UP_MS = 60_000;
const TUS = { "tus-resumable": "1.0.0" };
/** The connection or the instance of an earlier attempt may be gone, but what it sent may still arrive. */
const SENT_BEFORE = [409, 423];

/** Text of a few parts that starts with a key, so that no two are the same. */
export const contentOf = (key: string) => key.padEnd(PARTS * PART_BYTES, `${key} `);

/**
 * Sends a file with the tus protocol, one part to one instance and the next to another, and goes on from what has arrived
 * after a fault.
 * @returns its id once it is checked; undefined if that takes too long, as while the database is down.
 */
export async function uploadFile(
  workload: Workload,
  person: Person,
  content: string,
): Promise<string | undefined> {
  const { now, sent, send } = workload;
  const headers = { ...TUS, "upload-length": String(content.length) };
  const create = { method: "POST", path: UPLOADS_PATH, headers };
  const created = await sendUntilSure(workload, person, create, "begin upload", () => undefined);
  if (!isAcknowledged(created) || !created.location) return undefined;
  const path = created.location;
  const id = path.slice(-24);
  const { token } = person;
  for (const began = now(); now() - began < GIVE_UP_MS; await sleep(PAUSE_MS)) {
    const { offset } = await send({ method: "HEAD", path, token, headers: TUS });
    if (offset !== undefined && offset < content.length) {
      const type = { "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
      const body = Buffer.from(content.slice(offset, offset + PART_BYTES));
      const at = now();
      const { status, ms, why } = await send({
        method: "PATCH",
        path,
        token,
        body,
        headers: { ...TUS, ...type },
      });
      if (!SENT_BEFORE.includes(status ?? 0)) sent.push({ at, ms, status, what: "upload part", why });
    } else if (offset === content.length) {
      const { outcome } = await get(workload, `/files/${id}`, person);
      if (outcome.status === 200 && (outcome.body as Upload).state === "ready") return id;
    }
  }
  return undefined;
}

/** Reads every file that was sent from both instances, as its sender, as the other side, and as somebody else. */
export async function fileProblems({ instances }: Target, { sentFiles }: Workload): Promise<string[]> {
  const problems: string[] = [];
  for (const [index, { id, content, by, conversation }] of sentFiles.entries())
    for (const who of ["client", "freelancer", "outsider"] as const) {
      const turn = (index + Number(who === by)) % instances.length;
      const send = createBalancer(instances.slice(turn, turn + 1));
      const { token } = conversation[who];
      const { status, body } = await send({ method: "GET", path: `/files/${id}/content`, token });
      const isRight = who === "outsider" ? status === 404 : status === 200 && body === content;
      if (!isRight) problems.push(`the ${who} got ${status} for the file ${id} of the ${by}, or other bytes`);
    }
  return problems;
}

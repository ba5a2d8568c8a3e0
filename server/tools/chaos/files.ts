import { setTimeout as sleep } from "node:timers/promises";
import { CONVERSATION_ROLES, type Upload } from "../../src/contract/index.ts";
import type { Person } from "../../test/people.ts";
import { send } from "../../test/send-file.ts";
import { anyOf } from "../lib/random.ts";
import { createBalancer } from "./balancer.ts";
import type { Target } from "./faults.ts";
import { get, type Workload } from "./workload.ts";

const PART_BYTES = 60_000;
const PAUSE_MS = 500;
/** Somebody who waits longer does without the file. */
const GIVE_UP_MS = 60_000;

/** Text of a few parts that starts with a key, so that no two are the same. */
export const contentOf = (key: string) => key.padEnd(3 * PART_BYTES, `${key} `);

/**
 * Uploads a file in parts; after a fault, another instance goes on from what has arrived.
 * @returns its id once it is checked; undefined if that takes too long, as while the database is down.
 */
export async function uploadFile(
  workload: Workload,
  person: Person,
  content: string,
): Promise<string | undefined> {
  const { now, origins, reached } = workload;
  let place: string | undefined;
  let id: string | undefined;
  for (const began = now(); now() - began < GIVE_UP_MS; await sleep(PAUSE_MS)) {
    const origin = anyOf(origins, workload.random) ?? "";
    if (place && !id) reached["upload resumed after a fault"] += 1;
    id ??= await send(origin, person, "text.txt", Buffer.from(content), {
      chunkSize: PART_BYTES,
      ...(place && { uploadUrl: origin + place }),
      onAfterResponse: (_, response) => {
        place = response.getHeader("Location") ?? place;
      },
    }).catch(() => undefined);
    if (!id) continue;
    const { status, body } = (await get(workload, `/files/${id}`, person)).outcome;
    if (status === 200 && (body as Upload).state === "ready") return id;
  }
  return undefined;
}

/** Reads every file that was sent from both instances: its two sides get each byte, and others nothing. */
export async function fileProblems({ instances }: Target, { sentFiles }: Workload): Promise<string[]> {
  const problems: string[] = [];
  for (const { id, content, conversation } of sentFiles)
    for (const [index, who] of [...CONVERSATION_ROLES, "outsider" as const].entries()) {
      const ask = createBalancer(instances.slice(index % instances.length).slice(0, 1));
      const { status, body } = await ask({
        ...{ method: "GET", path: `/files/${id}/content`, token: conversation[who].token },
      });
      const isRight = who === "outsider" ? status === 404 : status === 200 && body === content;
      if (!isRight) problems.push(`${status} or other bytes for the ${who} of the file ${id}`);
    }
  return problems;
}

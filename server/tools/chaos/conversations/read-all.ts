import { CONVERSATION_ROLES, type Me } from "../../../src/contract/index.ts";
import type { Person } from "../../../test/people.ts";
import { type Balancer, createBalancer } from "../balancer.ts";
import type { Instance } from "../instance.ts";
import type { Listening } from "../listeners.ts";
import { get, type Workload } from "../workload.ts";
import type { Readings } from "./message-ledger.ts";
import { readConversation, readPages } from "./talk.ts";

/** What people read at the end of a run. */
export type FinalReadings = {
  /** All messages by conversation, read by its client from one instance and by its freelancer from the other. */
  readings: Map<string, Readings>;
  problems: string[];
};

const ALL = { limit: 50, pages: 1_000 };

/** Everybody reads all of their conversations once more, which becomes part of each history. */
export async function readAll(
  workload: Workload,
  instances: readonly Instance[],
  intercept: (balancer: Balancer) => Balancer,
  listening: readonly Listening[],
): Promise<FinalReadings> {
  const { opened } = workload.conversations;
  const at = instances.map((each) => ({ ...workload, balancer: intercept(createBalancer([each])) }));
  const readings = new Map<string, Readings>();
  const unread = new Map<string, number>();
  const problems: string[] = [];
  for (const conversation of opened) {
    const read = await Promise.all(
      CONVERSATION_ROLES.map(async (role, index) => {
        const there = at[index % at.length] as Workload;
        const seen = await readConversation(there, conversation, role);
        const { uid } = conversation[role];
        if (seen && seen.unread > 0) unread.set(uid, (unread.get(uid) ?? 0) + 1);
        return { seen, messages: await readPages(there, conversation, role, ALL) };
      }),
    );
    const [client, freelancer] = read.map(({ messages }) => messages);
    if (client && freelancer && read.every(({ seen }) => seen))
      readings.set(conversation.id, { client, freelancer });
    else problems.push(`${conversation.id} could not be read at the end`);
  }
  for (const { person, streams } of listening) {
    const sent = streams.at(-1)?.unread.at(-1)?.conversations;
    const counts = await Promise.all(at.map((there) => unreadOf(there, person)));
    const all = [sent, ...counts, unread.get(person.uid) ?? 0];
    if (new Set(all).size > 1)
      problems.push(
        `${person.uid}: unread conversations sent live, reported by each instance, and read: ${all.join(", ")}`,
      );
  }
  return { readings, problems };
}

async function unreadOf(workload: Workload, person: Person): Promise<number | undefined> {
  const { outcome } = await get(workload, "/me", person);
  return outcome.status === 200 ? (outcome.body as Me).unreadConversations : undefined;
}

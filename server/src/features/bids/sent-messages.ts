import type { ClientSession } from "mongodb";
import { MAX_SENT_TO } from "../../contract/index.ts";
import { type Database, READ_LIMITS } from "../../db/client.ts";
import type { BidDoc, MessagePrint } from "../../db/documents/bids.ts";
import { isNearlySame } from "./similar-messages.ts";

/** A message that somebody sent with a bid. */
export type SentMessage = Pick<BidDoc, "bidderId" | "taskId" | "print">;

/** So many of one person's messages are compared; others who share a key with a new one are left out. */
const MAX_COMPARED = 200;
const SENT = { bidderId: 1, taskId: 1, print: 1 } as const;

/** Messages of the same people that may be nearly the same as these. */
export async function findSentMessages(
  { bids }: Pick<Database, "bids">,
  messages: readonly { bidderId: string; print: MessagePrint | undefined }[],
  session: ClientSession,
): Promise<SentMessage[]> {
  const keysOf = new Map<string, number[]>();
  for (const { bidderId, print } of messages)
    if (print) keysOf.set(bidderId, [...(keysOf.get(bidderId) ?? []), ...print.keys]);
  const found: SentMessage[] = [];
  // A limit of each one's own, so that nobody's many messages hide another's. A session does one thing at a time.
  for (const [bidderId, keys] of keysOf) {
    const options = { session, projection: SENT, limit: MAX_COMPARED, ...READ_LIMITS };
    found.push(...(await bids.find({ bidderId, "print.keys": { $in: keys } }, options).toArray()));
  }
  return found;
}

/** On how many other tasks the bid's freelancer has sent nearly the same message, up to {@link MAX_SENT_TO}. */
export function countSentTo(bid: BidDoc, print: MessagePrint, sent: Iterable<SentMessage>): number {
  let count = 0;
  for (const other of sent) {
    if (other.bidderId !== bid.bidderId || other.taskId.equals(bid.taskId)) continue;
    if (other.print && isNearlySame(print, other.print)) count++;
    if (count === MAX_SENT_TO) break;
  }
  return count;
}

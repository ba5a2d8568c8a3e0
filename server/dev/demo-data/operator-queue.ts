import type { ObjectId } from "mongodb";
import type { BidDoc } from "../../src/db/documents/bids.ts";
import type { QueueItemDoc } from "../../src/db/documents/operators.ts";
import { contactNote } from "../../src/db/operators.ts";

/** The bids that operators are to look at, as placing them would have told. */
export function queueDocs(bids: readonly BidDoc[], idOf: (key: string) => ObjectId): QueueItemDoc[] {
  return bids.flatMap(({ _id: bidId, taskId, bidderId: personId, message, answer, createdAt }) => {
    const note = contactNote({ message, answer });
    if (!note) return [];
    const key = `contact-data bid:${bidId.toHexString()}`;
    return {
      _id: idOf(key),
      key,
      kind: "contact-data",
      note,
      taskId,
      bidId,
      personId,
      settled: false,
      createdAt,
    };
  });
}

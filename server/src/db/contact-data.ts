import type { ClientSession, ObjectId } from "mongodb";
import { type ContactKind, contactKindsIn } from "../contract/index.ts";
import type { Collections } from "./collections.ts";
import { queueForOperators } from "./operator-queue.ts";

const WORDS: Record<ContactKind, string> = {
  email: "email address",
  phone: "phone number",
  messenger: "messenger",
};
const LIST = new Intl.ListFormat("en-US");

/** A text as people call it, by where it stands. */
type Texts = Readonly<Record<string, string | undefined>>;

/** Which contact data stands where: "email address and phone number in the title"; undefined if there is none. */
export function contactNote(texts: Texts): string | undefined {
  const notes = Object.entries(texts).flatMap(([place, text]) => {
    const kinds = contactKindsIn(text).map((kind) => WORDS[kind]);
    return kinds.length > 0 ? `${LIST.format(kinds)} in the ${place}` : [];
  });
  return notes.length > 0 ? notes.join("; ") : undefined;
}

/**
 * Shows operators a task or a bid whose texts hold contact data before an award; in the transaction that writes it. It
 * stays as it was written.
 */
export async function markContactData(
  database: Pick<Collections, "operatorQueue">,
  texts: Texts,
  subject: { taskId: ObjectId; bidId?: ObjectId; personId: string },
  to: { session: ClientSession | undefined; now: Date },
): Promise<void> {
  const note = contactNote(texts);
  if (note) await queueForOperators(database, "contact-data", subject, { note, ...to });
}

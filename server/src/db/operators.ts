import { type ClientSession, ObjectId } from "mongodb";
import { type ContactKind, contactKindsIn, type QueueKind } from "../contract/index.ts";
import type { Collections } from "./collections.ts";
import type { OperatorActDoc } from "./documents/operators.ts";

/** What operators are to look at: a task, or a bid on it. */
type Subject = {
  taskId: ObjectId;
  bidId?: ObjectId | undefined;
  /** The uid of who wrote it. */
  personId: string;
};

/**
 * Puts something into the operators' queue; it stays as public as it was. There is one item for each kind and subject: one
 * that was looked at comes back only with another note, as a new one. To be called in the transaction that writes the subject.
 * @param note what was found, in a few words ("a phone number in the description"), where the kind does not say it.
 */
export async function queueForOperators(
  { operatorQueue }: Pick<Collections, "operatorQueue">,
  kind: QueueKind,
  { taskId, bidId, personId }: Subject,
  { note, now, session }: { note?: string; now: Date; session?: ClientSession | undefined },
): Promise<void> {
  const subject = bidId ? `bid:${bidId.toHexString()}` : `task:${taskId.toHexString()}`;
  const item = { kind, taskId, personId, ...(bidId && { bidId }), ...(note !== undefined && { note }) };
  const literally = Object.entries(item).map(([field, value]) => [field, { $literal: value }]);
  const isKnown = { $eq: [{ $ifNull: ["$note", ""] }, { $literal: note ?? "" }] };
  await operatorQueue.updateOne(
    { key: `${kind} ${subject}` },
    [
      {
        $set: {
          settled: { $and: [{ $ifNull: ["$settled", false] }, isKnown] },
          createdAt: { $cond: [isKnown, { $ifNull: ["$createdAt", now] }, now] },
        },
      },
      { $set: Object.fromEntries(literally) },
    ],
    { upsert: true, ...(session && { session }) },
  );
}

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

/** What an operator did. `person` is whom it concerns, `task` what. */
type Act = Pick<OperatorActDoc, "kind" | "reason" | "text"> & {
  person?: { uid: string; name: string } | undefined;
  task?: { _id: ObjectId; title: string } | undefined;
};

/** Writes an operator's act into the log, in the transaction of the act itself: there is never one without the other. */
export async function logAct(
  { operatorLog }: Pick<Collections, "operatorLog">,
  { kind, person, task, reason, text }: Act,
  operator: { uid: string; name: string },
  { session, now }: { session: ClientSession; now: Date },
): Promise<void> {
  const act: OperatorActDoc = {
    _id: new ObjectId(),
    kind,
    operatorId: operator.uid,
    operatorName: operator.name,
    ...(person && { personId: person.uid, personName: person.name }),
    ...(task && { taskId: task._id, taskTitle: task.title }),
    ...(reason && { reason }),
    ...(text && { text }),
    createdAt: now,
  };
  await operatorLog.insertOne(act, { session });
}

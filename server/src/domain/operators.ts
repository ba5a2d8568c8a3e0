import { ObjectId } from "mongodb";
import {
  type ContactKind,
  contactKindsIn,
  MAX_COUNTED,
  type QueueKind,
  REPORT_REASON_LABELS,
  type ReportReason,
} from "../contract/index.ts";
import type { Collections } from "../db/collections.ts";
import type { OperatorActDoc } from "../db/documents/operators.ts";
import { ProblemError } from "./problem-error.ts";

/** What operators should check: a task, or a bid on it. */
type Subject = {
  taskId: ObjectId;
  bidId?: ObjectId | undefined;
  /** The uid of its author. */
  personId: string;
};

/** What makes an item the only one of its kind and subject. */
const itemKey = (kind: QueueKind, { taskId, bidId }: Omit<Subject, "personId">) =>
  `${kind} ${bidId ? `bid:${bidId}` : `task:${taskId}`}`;

/**
 * Puts a task or bid into the operators' queue, in the transaction that writes it; its visibility does not change.
 * There is one item per kind and subject: a settled one is reopened, as new, only if its note changes.
 * @param note what was found, in a few words ("a phone number in the description"), unless the kind says it.
 */
export async function queueForOperators(
  { operatorQueue }: Collections,
  kind: QueueKind,
  { taskId, bidId, personId }: Subject,
  { note, now }: { note?: string; now: Date },
): Promise<void> {
  const item = { kind, taskId, personId, ...(bidId && { bidId }), ...(note !== undefined && { note }) };
  const literally = Object.entries(item).map(([field, value]) => [field, { $literal: value }]);
  const isKnown = { $eq: [{ $ifNull: ["$note", ""] }, { $literal: note ?? "" }] };
  await operatorQueue.updateOne(
    { key: itemKey(kind, { taskId, bidId }) },
    [
      {
        $set: {
          settled: { $and: [{ $ifNull: ["$settled", false] }, isKnown] },
          createdAt: { $cond: [isKnown, { $ifNull: ["$createdAt", now] }, now] },
        },
      },
      { $set: Object.fromEntries(literally) },
    ],
    { upsert: true },
  );
}

/** Puts a task that operators have checked back into their queue, as new, in the transaction that changes it. */
export async function requeueChecked(
  { operatorQueue }: Collections,
  kind: QueueKind,
  taskId: ObjectId,
  now: Date,
): Promise<void> {
  const checked = { key: itemKey(kind, { taskId }), settled: true };
  await operatorQueue.updateOne(checked, { $set: { settled: false, createdAt: now } });
}

/** Settles a task's item in the operators' queue, in the transaction after which there is nothing left to check. */
export async function settleItem(
  { operatorQueue }: Collections,
  kind: QueueKind,
  taskId: ObjectId,
): Promise<void> {
  await operatorQueue.updateOne({ key: itemKey(kind, { taskId }) }, { $set: { settled: true } });
}

const WORDS: Record<ContactKind, string> = {
  email: "email address",
  phone: "phone number",
  messenger: "messenger",
};
const LIST = new Intl.ListFormat("en-US");

/** Texts by the name of their place, such as "title". */
type Texts = Readonly<Record<string, string | undefined>>;

/** Which contact data is where: "email address and phone number in the title"; undefined if there is none. */
function contactNote(texts: Texts): string | undefined {
  const notes = Object.entries(texts).flatMap(([place, text]) => {
    const kinds = contactKindsIn(text).map((kind) => WORDS[kind]);
    return kinds.length > 0 ? `${LIST.format(kinds)} in the ${place}` : [];
  });
  return notes.length > 0 ? notes.join("; ") : undefined;
}

/**
 * Puts a task or bid into the operators' queue if its texts contain contact data before an award, in the transaction
 * that writes it. The texts are stored unchanged.
 */
export async function markContactData(
  database: Collections,
  texts: Texts,
  subject: { taskId: ObjectId; bidId?: ObjectId; personId: string },
  now: Date,
): Promise<void> {
  const note = contactNote(texts);
  if (note) await queueForOperators(database, "contact-data", subject, { note, now });
}

/** An operator's reason and explanation, for the person concerned. */
export function reasonInWords(reason: ReportReason, text: string | undefined): string {
  return `${REPORT_REASON_LABELS[reason]}.${text ? ` “${text}”` : ""}`;
}

/** How many reports and items of the queue wait for an operator, each up to `MAX_COUNTED`. */
export async function countForOperators({ reports, operatorQueue }: Collections) {
  const options = { limit: MAX_COUNTED };
  const [openReports, openItems] = await Promise.all([
    reports.countDocuments({ settled: false }, options),
    operatorQueue.countDocuments({ settled: false }, options),
  ]);
  return { openReports, openItems };
}

/** What an operator did, to which person or task. */
export type Act = Pick<OperatorActDoc, "kind" | "reason" | "text"> & {
  person?: { uid: string; name: string } | undefined;
  task?: { _id: ObjectId; title: string; ownerId?: string } | undefined;
};

/**
 * Logs an operator's act, in the transaction of the act itself, so that neither exists without the other.
 * @throws {ProblemError} `own-case` if it concerns the operator.
 */
export async function logAct(
  { operatorLog }: Collections,
  { kind, person, task, reason, text }: Act,
  operator: { uid: string; name: string },
  now: Date,
): Promise<void> {
  if ([person?.uid, task?.ownerId].includes(operator.uid)) throw new ProblemError("own-case");
  const act: OperatorActDoc = {
    _id: new ObjectId(),
    kind,
    operatorId: operator.uid,
    operatorName: operator.name,
    personId: person?.uid,
    personName: person?.name,
    taskId: task?._id,
    taskTitle: task?.title,
    reason,
    text: text || undefined,
    createdAt: now,
  };
  await operatorLog.insertOne(act);
}

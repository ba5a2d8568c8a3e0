import { ObjectId } from "mongodb";
import {
  addDays,
  type CalendarDate,
  calendarDate,
  type MailChoices,
  type ProfileDraft,
  type TaskDraft,
} from "../src/contract/index.ts";
import type { AgreementDoc } from "../src/db/documents/agreements.ts";
import type { BidDoc } from "../src/db/documents/bids.ts";
import type { ConversationDoc } from "../src/db/documents/conversations.ts";
import type { DisputeDoc } from "../src/db/documents/disputes.ts";
import type { FileDoc } from "../src/db/documents/files.ts";
import type { InvoiceDoc } from "../src/db/documents/invoices.ts";
import type { NotificationDoc } from "../src/db/documents/notifications.ts";
import type { ReportDoc, SuspensionDoc } from "../src/db/documents/operators.ts";
import type { PersonDoc, SavedSearchDoc } from "../src/db/documents/people.ts";
import type {
  AwardDoc,
  DeliveryDoc,
  QuestionDoc,
  ReviewDoc,
  SavedTaskDoc,
  TaskDoc,
} from "../src/db/documents/tasks.ts";
import { ProblemError } from "../src/domain/problem-error.ts";
import { gramsOf, searchKeysOf } from "../src/domain/text-search.ts";
import { exampleTask } from "../tools/lib/example-task.ts";

/** When the test file began. The product's clock starts and `inDays` counts from there, so no midnight intervenes. */
export const testStart = { at: new Date() };

/** The calendar date (UTC) that many days after the test file began. */
export function inDays(days: number): CalendarDate {
  return addDays(calendarDate(testStart.at), days);
}

/** A valid draft; a test overrides only what it is about. */
export function aTaskDraft(fields: Partial<TaskDraft> = {}): TaskDraft {
  return exampleTask({ deadline: inDays(30), ...fields });
}

/** A valid profile. */
export function aProfileDraft(fields: Partial<ProfileDraft> = {}): ProfileDraft {
  return {
    headline: "Booking pages that load at once",
    about: "Ten years of small shops.\nI answer on weekdays.",
    skills: ["TypeScript", "MongoDB"],
    links: ["https://ada.example/work"],
    languages: ["en", "de"],
    ...fields,
  };
}

/** A stored task of an unrelated client. */
export function aTaskDoc(fields: Partial<TaskDoc> = {}): TaskDoc {
  const now = new Date();
  const draft = aTaskDraft();
  return {
    _id: new ObjectId(),
    ...draft,
    ownerId: "some-client",
    email: "some-client@people.example",
    name: "Some Client",
    showEmail: true,
    state: "open",
    hidden: false,
    bidsCount: 0,
    awardCount: fields.award ? 1 : 0,
    revision: 0,
    bidsRevision: 0,
    questionsClosed: false,
    questionsRevision: 0,
    createdAt: now,
    updatedAt: now,
    searchKeys: searchKeysOf({ ...draft, ...fields }),
    ...fields,
  };
}

/** A stored bid of an unrelated freelancer. */
export function aBidDoc(fields: Partial<BidDoc> = {}): BidDoc {
  const { createdAt = new Date() } = fields;
  return {
    _id: new ObjectId(),
    taskId: new ObjectId(),
    bidderId: "some-freelancer",
    bidderName: "Some Freelancer",
    bidderEmail: "some-freelancer@people.example",
    amount: 400,
    state: "placed",
    createdAt,
    updatedAt: createdAt,
    ...fields,
  };
}

type Named = { uid: string; name: string; email: string };
/** Whose task it is. */
export const ownedBy = ({ uid, name, email }: Named) => ({ ownerId: uid, name, email });
/** Whose bid it is. */
export const placedBy = ({ uid, name, email }: Named) => ({
  ...{ bidderId: uid, bidderName: name, bidderEmail: email },
});

/** The award that a task stores for its winning bid. */
export function anAwardOf(bid: BidDoc): AwardDoc {
  const { _id: bidId, bidderId: freelancerId, bidderName: name, bidderEmail: email, amount, days } = bid;
  return { bidId, freelancerId, name, email, amount, ...(days && { due: inDays(days) }), at: new Date() };
}

/** A stored, unanswered question of an unrelated person. */
export function aQuestionDoc(fields: Partial<QuestionDoc> = {}): QuestionDoc {
  return {
    _id: new ObjectId(),
    taskId: new ObjectId(),
    askerId: "some-asker",
    clientId: "some-client",
    text: "May I use stock photos?",
    answered: fields.answer !== undefined,
    hidden: false,
    createdAt: new Date(),
    ...fields,
  };
}

/** An open report of a task by an unrelated person. */
export function aReportDoc(fields: Partial<ReportDoc> = {}): ReportDoc {
  const { taskId = new ObjectId() } = fields;
  return {
    _id: new ObjectId(),
    subject: `task:${taskId.toHexString()}`,
    taskId,
    taskTitle: "Build a booking page",
    personId: "some-client",
    reporterId: "some-reporter",
    reason: "spam",
    settled: false,
    createdAt: new Date(),
    ...fields,
  };
}

/** Work that was delivered at that time and waits for the client. */
export function aDelivery(at = new Date()): DeliveryDoc {
  const after = (days: number) => new Date(at.getTime() + days * 86_400_000);
  return { at, mayCompleteFrom: after(14) };
}

/** The choices of somebody who wants emails of every kind at once, but for these. */
export const atOnceBut = (choices: Partial<MailChoices>): MailChoices => ({
  ...{ bids: "at-once", work: "at-once", payments: "at-once", messages: "at-once", other: "at-once" },
  ...choices,
});

/** A stored person who gets no emails. */
export function aPersonDoc(fields: Partial<PersonDoc> & Pick<PersonDoc, "_id">): PersonDoc {
  const { name = "Somebody", profile } = fields;
  return {
    name,
    nameGrams: gramsOf([name]),
    ...(profile && { profileGrams: gramsOf([profile.headline, ...profile.skills]) }),
    email: `${fields._id}@people.example`,
    emailVerified: false,
    emailNotices: false,
    memberSince: new Date(),
    lastActiveOn: inDays(0),
    ...fields,
  };
}

/** The suspension of this person's account. */
export function aSuspensionDoc(_id: string): SuspensionDoc {
  return { _id, reason: "spam", liftedAt: null, changedAt: new Date() };
}

/** The agreement of unrelated people. */
export function anAgreementDoc(fields: Partial<AgreementDoc> = {}): AgreementDoc {
  const createdAt = new Date();
  return {
    ...{
      _id: new ObjectId(),
      taskId: new ObjectId(),
      clientId: "some-client",
      freelancerId: "some-freelancer",
    },
    ...{
      clientName: "Some Client",
      freelancerName: "Some Freelancer",
      title: "A logo",
      description: "Blue.",
    },
    versions: [{ amount: 400, due: "2026-12-31", scope: "", at: createdAt }],
    createdAt,
    ...fields,
  };
}

/** A proposal of a client that waits for the freelancer. */
export function aProposal(): NonNullable<AgreementDoc["proposal"]> {
  const terms = { amount: 450, due: "2027-01-31", scope: "", note: "More pages." };
  return { _id: new ObjectId(), by: "client", ...terms, at: new Date() };
}

/** The first invoice of a freelancer. */
export function anInvoiceDoc(fields: Partial<InvoiceDoc> = {}): InvoiceDoc {
  return {
    ...{
      _id: new ObjectId(),
      taskId: new ObjectId(),
      clientId: "some-client",
      freelancerId: "some-freelancer",
    },
    ...{ number: 1, title: "A logo", from: "Some Freelancer", to: "Some Client" },
    ...{ total: 400, taxRate: 0, taxNote: "", due: "2026-12-31", createdAt: new Date() },
    ...fields,
  };
}

/** A client's proposal to end a task early, in this state. */
export function aDisputeDoc(fields: Partial<DisputeDoc> = {}): DisputeDoc {
  const { state = "proposed", createdAt = new Date() } = fields;
  const decision = { share: 200, reason: "Half of it is there.", operatorId: "some-operator", at: createdAt };
  return {
    ...{
      _id: new ObjectId(),
      taskId: new ObjectId(),
      clientId: "some-client",
      freelancerId: "some-freelancer",
    },
    ...{ clientName: "Some Client", freelancerName: "Some Freelancer", by: "client" as const },
    ...{ share: 100, reason: "It takes too long.", statements: {} },
    decisions: state === "decided" ? [decision] : [],
    createdAt,
    ...fields,
    state,
  };
}

/** A file that was uploaded and checked, and hangs nowhere yet. */
export function aFileDoc(fields: Partial<FileDoc> = {}): FileDoc {
  return {
    ...{ _id: new ObjectId(), uid: "some-person", name: "plan.txt", size: 5, received: 5, state: "ready" },
    ...{ type: "application/octet-stream", scanned: true, createdAt: new Date() },
    ...(!fields.place && { expireAt: new Date(Date.now() + 86_400_000) }),
    ...fields,
  };
}

/** A stored review between unrelated people. */
export function aReviewDoc(fields: Partial<ReviewDoc> = {}): ReviewDoc {
  return {
    _id: new ObjectId(),
    taskId: new ObjectId(),
    taskTitle: "A logo",
    authorId: `author-${new ObjectId()}`,
    authorName: "Ann Author",
    anonymous: false,
    role: "freelancer",
    subjectId: "some-freelancer",
    shown: true,
    stars: 4,
    text: "Good.",
    createdAt: new Date(),
    ...fields,
  };
}

/** A stored conversation without messages. */
export function aConversationDoc(fields: Partial<ConversationDoc> = {}): ConversationDoc {
  const { clientId = "some-client", freelancerId = "some-freelancer", createdAt = new Date() } = fields;
  return {
    _id: new ObjectId(),
    taskId: new ObjectId(),
    taskTitle: "A logo",
    clientId,
    freelancerId,
    memberIds: [clientId, freelancerId],
    count: 0,
    seen: { client: 0, freelancer: 0 },
    blockedBy: [],
    lastAt: createdAt,
    createdAt,
    ...fields,
  };
}

/** The task that somebody saved. */
export function aSavedTaskDoc(
  personId: string,
  taskId = new ObjectId(),
  createdAt = new Date(),
): SavedTaskDoc {
  return { _id: new ObjectId(), personId, taskId, createdAt };
}

/** A saved search for logos, emailed daily. */
export function aSavedSearchDoc(fields: Partial<SavedSearchDoc> = {}): SavedSearchDoc {
  return {
    _id: new ObjectId(),
    ownerId: "some-freelancer",
    slot: 0,
    name: "Logos",
    search: "logo",
    mail: "daily",
    paused: false,
    match: { keys: [":log", ":word:logo"], pattern: "logo", words: ["word:logo"] },
    createdAt: new Date(),
    ...fields,
  };
}

/** An unread notification of a bid. */
export function aNotificationDoc(fields: Partial<NotificationDoc> = {}): NotificationDoc {
  const { createdAt = new Date() } = fields;
  return {
    // Emails go by the time in the id.
    _id: new ObjectId(ObjectId.generate(Math.floor(createdAt.getTime() / 1_000))),
    recipientId: "some-client",
    kind: "new-bid",
    taskId: new ObjectId(),
    taskTitle: "Build a booking page",
    asClient: true,
    readAt: null,
    createdAt,
    ...fields,
  };
}

/** What the work returns, or the problem that it throws. */
export function problemOf<T>(work: () => T): T | ProblemError {
  try {
    return work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
    throw error;
  }
}

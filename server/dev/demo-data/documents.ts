import type { ObjectId } from "mongodb";
import { addDays, type Category, calendarDate } from "../../src/contract/index.ts";
import type { BidDoc } from "../../src/db/documents/bids.ts";
import type { ConversationDoc, MessageDoc } from "../../src/db/documents/conversations.ts";
import type { NotificationDoc } from "../../src/db/documents/notifications.ts";
import type { QueueItemDoc, ReportDoc } from "../../src/db/documents/operators.ts";
import type { PersonDoc, SavedSearchDoc } from "../../src/db/documents/people.ts";
import type {
  QuestionDoc,
  ReviewDoc,
  SavedTaskDoc,
  TaskDoc,
  TimelineDoc,
} from "../../src/db/documents/tasks.ts";
import { titleGrams } from "../../src/db/task-search.ts";
import { countSentTo } from "../../src/features/bids/sent-messages.ts";
import { messagePrint } from "../../src/features/bids/similar-messages.ts";
import { deliveredAt } from "../../src/features/delivery/delivery-schedule.ts";
import { matchOf } from "../../src/features/saved-searches/match-searches.ts";
import { conversationDocs, messageDocs } from "./conversations.ts";
import { type DemoHire, demoHires } from "./hires.ts";
import { idOf } from "./id-of.ts";
import { queueDocs } from "./operator-queue.ts";
import { type DemoAccount, type DemoTask, demoAccount, demoAccounts } from "./people.ts";
import { demoProfiles } from "./profiles.ts";
import { demoQuestions } from "./questions.ts";
import { demoReports } from "./reports.ts";
import { demoSearches } from "./saved-searches.ts";
import { demoSavedTasks } from "./saved-tasks.ts";
import { demoScreening, SENDS_THE_SAME } from "./screening.ts";
import { demoTasks } from "./tasks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Newer notifications are unread. */
const UNREAD_DAYS = 3;
/** Older notifications are not loaded. */
const NOTIFIED_DAYS = 30;

type Documents = {
  tasks: TaskDoc[];
  bids: BidDoc[];
  questions: QuestionDoc[];
  people: PersonDoc[];
  reviews: ReviewDoc[];
  notifications: NotificationDoc[];
  reports: ReportDoc[];
  conversations: ConversationDoc[];
  messages: MessageDoc[];
  savedTasks: SavedTaskDoc[];
  timeline: TimelineDoc[];
  savedSearches: SavedSearchDoc[];
  operatorQueue: QueueItemDoc[];
};

/**
 * The demo data as it is stored, relative to a day. Ids are derived from the keys, and amounts, days and messages from the
 * ids: the same every time, so an interrupted load can go on.
 */
export function demoDocuments(today: Date): Documents {
  const reports = demoReports.map((demo) => reportDoc(demo, today));
  const questions = demoQuestions.map((demo) => questionDoc(demo, today));
  const savedSearches = demoSearches.map((demo, at) => savedSearchDoc(demo, at, today));
  const documents: Documents = {
    tasks: [],
    bids: [],
    questions,
    people: [],
    reviews: [],
    notifications: [],
    reports,
    conversations: [],
    messages: messageDocs(today),
    savedTasks: demoSavedTasks.map((demo) => savedTaskDoc(demo, today)),
    timeline: [],
    savedSearches,
    operatorQueue: [],
  };
  for (const [index, { key, uid, displayName: name, email }] of demoAccounts.entries()) {
    const memberSince = daysBefore(today, 400 - 23 * index);
    const written = demoProfiles[key];
    documents.people.push({
      _id: uid,
      name,
      email,
      emailVerified: true,
      emailNotices: false,
      memberSince,
      lastActiveOn: addDays(calendarDate(today), -(index % 6)),
      ...(written && { profile: { ...written, version: 1 } }),
    });
  }
  for (const demo of demoTasks) {
    const hire = demoHires.find(({ key }) => key === demo.key);
    const bids = bidDocs(demo, hire, today);
    const task = taskDoc(demo, hire, bids, today);
    const reviews = reviewDocs(task, hire, today);
    documents.tasks.push(task);
    documents.bids.push(...bids);
    documents.reviews.push(...reviews);
    const steps = timelineOf(task, hire, today);
    documents.timeline.push(...steps);
    documents.notifications.push(...notificationDocs(task, bids, reviews, steps, today));
  }
  markSentMessages(documents.bids);
  documents.operatorQueue.push(...queueDocs(documents.bids, idOf));
  documents.conversations.push(...conversationDocs(documents.tasks, today));
  return documents;
}

function taskDoc(demo: DemoTask, hire: DemoHire | undefined, bids: BidDoc[], today: Date): TaskDoc {
  const { key, title, category, description, budget, due } = demo;
  const { uid, email, displayName } = demoAccount(demo.by);
  const createdAt = postedAt(demo, today);
  const screening = demoScreening.find((each) => each.key === key);
  const winner = bids.find(({ state }) => state === "awarded");
  const hiredAt = winner && hire?.state !== "cancelled" && daysBefore(today, hire?.awardedDaysAgo ?? 0);
  return {
    _id: idOf(`task:${key}`),
    title,
    category,
    description,
    deadline: addDays(calendarDate(today), due),
    budget,
    ...(screening && { screeningQuestion: screening.question }),
    ownerId: uid,
    email,
    name: displayName,
    bidsCount: bids.length,
    createdAt,
    updatedAt: createdAt,
    revision: 0,
    bidsRevision: bids.length,
    questionsClosed: false,
    questionsRevision: 0,
    showEmail: true,
    hidden: false,
    titleGrams: titleGrams(title),
    state: hire?.state ?? "open",
    ...(hire &&
      hire.state !== "awarded" &&
      hire.state !== "delivered" && { endedAt: endedAtOf(hire, today) }),
    ...(hiredAt && { award: awardOf(winner, hiredAt) }),
    ...(hire?.state === "delivered" && { delivery: deliveredAt(stepsOf(hire, today).at(-1)?.at ?? today) }),
    awardCount: winner ? 1 : 0,
  };
}

function awardOf(bid: BidDoc, hiredAt: Date): NonNullable<TaskDoc["award"]> {
  const { _id: bidId, bidderId: freelancerId, bidderName: name, bidderEmail: email, amount } = bid;
  const at = new Date(Math.max(hiredAt.getTime(), bid.createdAt.getTime() + HOUR_MS));
  return { bidId, freelancerId, name, email, amount, at };
}

function bidDocs(demo: DemoTask, hire: DemoHire | undefined, today: Date): BidDoc[] {
  const posted = postedAt(demo, today).getTime();
  const awardedDaysAgo = hire && hire.state !== "cancelled" ? hire.awardedDaysAgo : 0;
  // Spread between the posting and now, or the deadline or award if that has passed.
  const closed = daysBefore(today, Math.max(0, -demo.due, awardedDaysAgo)).getTime();
  const screening = demoScreening.find(({ key }) => key === demo.key);
  return demo.bids.map((name, index) => {
    const answer = screening?.answers[name];
    const { uid, displayName, email } = demoAccount(name);
    const _id = idOf(`bid:${demo.key}:${uid}`);
    const share = (index + 1) / (demo.bids.length + 1);
    const createdAt = new Date(posted + Math.max(0, (closed - posted) * share));
    return {
      _id,
      taskId: idOf(`task:${demo.key}`),
      bidderId: uid,
      bidderName: displayName,
      bidderEmail: email,
      ...offerOf(demo, _id),
      ...(screening && answer && { question: screening.question, answer }),
      state: hire && hire.state !== "cancelled" && hire.hired === name ? "awarded" : "placed",
      createdAt,
      updatedAt: createdAt,
    };
  });
}

/** Every fourth bid is one of a single click: the task's budget, no message. */
function offerOf({ budget, category }: DemoTask, id: ObjectId): Pick<BidDoc, "amount" | "days" | "message"> {
  const [roll = 0, share = 0, days = 0, message = 0] = id.id.subarray(0, 4);
  if (roll % 4 === 0) return { amount: budget };
  const amount = budget * pick(SHARES, share);
  return {
    amount: amount > 200 ? Math.round(amount / 10) * 10 : Math.round(amount),
    days: pick(DAYS, days),
    ...(roll % 4 !== 1 && { message: pick(MESSAGES[category], message) }),
  };
}

/** Marks messages that one freelancer had sent before, as placing them would have. */
function markSentMessages(bids: BidDoc[]): void {
  const inOrder = bids
    .filter(({ bidderId }) => bidderId === demoAccount(SENDS_THE_SAME).uid)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  for (const [index, bid] of inOrder.entries()) {
    const print = messagePrint(bid.message);
    if (!print) continue;
    const sentTo = countSentTo(bid, print, inOrder.slice(0, index));
    Object.assign(bid, { print, ...(sentTo > 0 && { sentTo }) });
  }
}

/** Tasks that hired nobody were cancelled yesterday. */
function endedAtOf(hire: DemoHire, today: Date): Date {
  return daysBefore(today, hire.state === "cancelled" ? 1 : Math.max(1, hire.awardedDaysAgo - 8));
}

function reviewDocs(task: TaskDoc, hire: DemoHire | undefined, today: Date): ReviewDoc[] {
  if (!hire || hire.state === "cancelled") return [];
  const client = demoAccounts.find(({ uid }) => uid === task.ownerId) as DemoAccount;
  const freelancer = demoAccount(hire.hired);
  const completedAt = endedAtOf(hire, today);
  const sides = [
    { role: "client" as const, author: client, subject: freelancer, review: hire.byClient, hours: 0 },
    { role: "freelancer" as const, author: freelancer, subject: client, review: hire.byFreelancer, hours: 2 },
  ];
  return sides.flatMap(({ role, author, subject, review, hours }) => {
    if (!review) return [];
    return {
      _id: idOf(`review:${hire.key}:${author.uid}`),
      taskId: task._id,
      taskTitle: task.title,
      authorId: author.uid,
      authorName: author.displayName,
      anonymous: false,
      role,
      subjectId: subject.uid,
      ...review,
      createdAt: new Date(completedAt.getTime() + hours * HOUR_MS),
    };
  });
}

function savedTaskDoc({ key, by, daysAgo }: (typeof demoSavedTasks)[number], today: Date): SavedTaskDoc {
  const personId = demoAccount(by).uid;
  return {
    _id: idOf(`saved:${key}:${by}`),
    personId,
    taskId: idOf(`task:${key}`),
    createdAt: daysBefore(today, daysAgo),
  };
}

function questionDoc(demo: (typeof demoQuestions)[number], today: Date): QuestionDoc {
  const { key, by, daysAgo, text, answer } = demo;
  const createdAt = daysBefore(today, daysAgo);
  const answeredAt = new Date(createdAt.getTime() + 12 * HOUR_MS);
  return {
    _id: idOf(`question:${key}:${by}`),
    taskId: idOf(`task:${key}`),
    askerId: demoAccount(by).uid,
    clientId: demoAccount(demoTasks.find((task) => task.key === key)?.by ?? by).uid,
    text,
    answered: answer !== undefined,
    ...(answer !== undefined && { answer: { text: answer, createdAt: answeredAt, updatedAt: answeredAt } }),
    hidden: false,
    createdAt,
  };
}

type Hired = Exclude<DemoHire, { state: "cancelled" }>;

/** What was handed in and sent back. */
function stepsOf({ steps = [] }: Hired, today: Date) {
  return steps.map(({ daysAgo, ...said }) => ({
    at: daysBefore(today, daysAgo),
    ...("note" in said
      ? ({ kind: "delivered", by: "freelancer", ...said } as const)
      : ({ kind: "changes-requested", by: "client", ...said } as const)),
  }));
}

function timelineOf(task: TaskDoc, hire: DemoHire | undefined, today: Date): TimelineDoc[] {
  if (!hire) return [];
  const { _id: taskId, ownerId: clientId, award } = task;
  const steps: Pick<TimelineDoc, "kind" | "by" | "at">[] =
    hire.state === "cancelled" || !award
      ? [{ kind: "cancelled", by: "client", at: endedAtOf(hire, today) }]
      : [{ kind: "awarded", by: "client", at: award.at }, ...stepsOf(hire, today)];
  if (hire.state === "completed") steps.push({ kind: "completed", by: "client", at: endedAtOf(hire, today) });
  const sides = { clientId, ...(award && { freelancerId: award.freelancerId }) };
  return steps.map((step, index) => ({ _id: idOf(`step:${hire.key}:${index}`), taskId, ...sides, ...step }));
}

function reportDoc({ key, by, daysAgo, ...report }: (typeof demoReports)[number], today: Date): ReportDoc {
  const { uid: reporterId, displayName: reporterName } = demoAccount(by);
  const taskId = idOf(`task:${key}`);
  const subject = `task:${taskId.toHexString()}`;
  const createdAt = daysBefore(today, daysAgo);
  return {
    _id: idOf(`report:${key}:${by}`),
    subject,
    taskId,
    reporterId,
    reporterName,
    ...report,
    createdAt,
  };
}

function savedSearchDoc(
  { by, daysAgo, paused = false, ...draft }: (typeof demoSearches)[number],
  slot: number,
  today: Date,
): SavedSearchDoc {
  const { uid: ownerId } = demoAccount(by);
  const _id = idOf(`search:${by}:${draft.name}`);
  const createdAt = daysBefore(today, daysAgo);
  return { _id, ...draft, ownerId, slot, paused, match: matchOf(draft), createdAt };
}

function notificationDocs(
  task: TaskDoc,
  bids: BidDoc[],
  reviews: ReviewDoc[],
  steps: TimelineDoc[],
  today: Date,
): NotificationDoc[] {
  const { award, ownerId } = task;
  type Event = Pick<
    NotificationDoc,
    "kind" | "recipientId" | "actorId" | "actor" | "amount" | "text" | "createdAt"
  >;
  const byClient = { actorId: ownerId, actor: task.name };
  const events: Event[] = [
    ...bids.map(({ bidderId: actorId, bidderName: actor, createdAt, amount = 0 }) => {
      return { kind: "new-bid" as const, recipientId: ownerId, actorId, actor, createdAt, amount };
    }),
    ...(award ? bids : []).map(({ _id, bidderId: recipientId, amount = 0 }) => {
      const createdAt = award?.at as Date;
      return award?.bidId.equals(_id)
        ? { kind: "awarded" as const, recipientId, ...byClient, createdAt, amount }
        : { kind: "declined" as const, recipientId, ...byClient, createdAt };
    }),
    ...steps.flatMap(({ kind, reason, at: createdAt }): Event[] => {
      if (!award) return [];
      const { freelancerId, name } = award;
      if (kind === "delivered")
        return [
          { kind: "work-delivered", recipientId: ownerId, actorId: freelancerId, actor: name, createdAt },
        ];
      if (kind !== "changes-requested") return [];
      return [{ kind, recipientId: freelancerId, ...byClient, ...(reason && { text: reason }), createdAt }];
    }),
    ...reviews.map(({ subjectId: recipientId, authorId: actorId, authorName: actor, createdAt }) => {
      return { kind: "review" as const, recipientId, actorId, actor, createdAt };
    }),
  ];
  return events
    .filter(({ createdAt }) => createdAt > daysBefore(today, NOTIFIED_DAYS))
    .map((event) => {
      const { kind, recipientId, actorId, createdAt } = event;
      const isUnread = createdAt > daysBefore(today, UNREAD_DAYS);
      return {
        _id: idOf(`notification:${task._id}:${kind}:${recipientId}:${actorId}`),
        ...event,
        taskId: task._id,
        taskTitle: task.title,
        asClient: recipientId === ownerId,
        readAt: isUnread ? null : createdAt,
        ...(!isUnread && { readBy: recipientId }),
      };
    });
}

// Tasks posted on the same day are minutes apart, so that their order is defined.
function postedAt({ key, posted }: DemoTask, today: Date): Date {
  const minutes = Number.parseInt(idOf(key).toHexString().slice(0, 4), 16) % 600;
  return new Date(daysBefore(today, posted).getTime() - minutes * 60_000);
}

const daysBefore = (today: Date, days: number) => new Date(today.getTime() - days * DAY_MS);

const pick = <T>(from: readonly T[], number: number) => from[number % from.length] as T;

/** Messages of freelancers. */
const MESSAGES: Record<Category, string[]> = {
  "Web Development": [
    "I built two systems like this last year and can show you both. I would start with a small working version in the first week, so that you see early whether we mean the same.",
    "Your brief is clear. Two questions before I start: who hosts it today, and may I have read access to the current database?",
    "Price includes tests and a short handbook for whoever maintains it after me.",
    "I can begin on Monday. Fixed price, two rounds of changes included, bugs are on me for three months.",
  ],
  Design: [
    "I would send three directions as rough sketches first, then work out the one you choose. Source files are yours.",
    "I like this one. My last project of the kind is in my portfolio, the second from the top.",
    "Print is half of my work, so the printer will not call you with questions.",
    "Two rounds of changes are included; I have never needed a third.",
  ],
  Writing: [
    "I write the way people talk, and cut what nobody would miss. I can send a sample paragraph of your text before you decide.",
    "I would like to talk to one of your customers first: fifteen minutes on the phone are enough.",
    "English is my second language and editing my first profession. Every text is read by a colleague before you get it.",
  ],
  Marketing: [
    "Before spending anything I would look at what your last campaign did. The first week is measuring, the rest is doing.",
    "I work in small tests and tell you weekly what each of them cost and brought.",
    "I have done this for two businesses of your size. Happy to share the figures on a call.",
  ],
};

/** Shares of the budget that they bid, and days they need. */
const SHARES = [0.8, 0.85, 0.9, 0.95, 1, 1, 1.05, 1.1] as const;
const DAYS = [3, 5, 7, 10, 14, 21, 28] as const;

import { createHash } from "node:crypto";
import { ObjectId } from "mongodb";
import { addDays, calendarDate, type NotificationKind } from "../src/contract/index.ts";
import type { BidDoc, NotificationDoc, PersonDoc, ReviewDoc, TaskDoc } from "../src/db/documents.ts";
import { titleGrams } from "../src/features/tasks/task-search.ts";
import { DAYS, MESSAGES, SHARES } from "./demo-data/bid-terms.ts";
import {
  type DemoAccount,
  type DemoHire,
  type DemoReview,
  type DemoTask,
  demoAccounts,
  demoHires,
  demoTasks,
} from "./demo-data/index.ts";

const DAY_MS = 86_400_000;
/** News of the last days is unread. */
const UNREAD_DAYS = 3;
/** Older news is not loaded: nobody would scroll so far. */
const NEWS_DAYS = 30;

type Documents = {
  tasks: TaskDoc[];
  bids: BidDoc[];
  people: PersonDoc[];
  reviews: ReviewDoc[];
  notifications: NotificationDoc[];
};

/**
 * The demo data as it is stored, on a day. Ids come from the keys, and what is not written down (amounts, days,
 * messages) from the ids: the same every time, so an interrupted loading can go on.
 */
export function demoDocuments(today: Date): Documents {
  const stories = demoTasks.map((task) => storyOf(task, today));
  return {
    tasks: stories.map(({ task }) => task),
    bids: stories.flatMap(({ bids }) => bids),
    people: demoAccounts.map((account, index) => ({
      _id: account.uid,
      name: account.displayName,
      email: account.email,
      emailVerified: true,
      emailNotices: false,
      memberSince: new Date(today.getTime() - (400 - 23 * index) * DAY_MS),
    })),
    reviews: stories.flatMap(({ reviews }) => reviews),
    notifications: stories.flatMap(({ notifications }) => notifications),
  };
}

function storyOf(demo: DemoTask, today: Date) {
  const hire = demoHires.find(({ key }) => key === demo.key);
  const bids = bidDocs(demo, hire, today);
  const task = taskDoc(demo, hire, bids, today);
  const reviews = hire && hire.state !== "cancelled" ? reviewDocs(task, hire, today) : [];
  return { task, bids, reviews, notifications: newsOf(task, bids, reviews, today) };
}

function taskDoc(task: DemoTask, hire: DemoHire | undefined, bids: BidDoc[], today: Date): TaskDoc {
  const owner = account(task.ownerUid);
  const createdAt = postedAt(task, today);
  const winner = bids.find(({ state }) => state === "awarded");
  return {
    _id: idOf(`task:${task.key}`),
    title: task.title,
    category: task.category,
    description: task.description,
    deadline: addDays(calendarDate(today), task.deadlineInDays),
    budget: task.budget,
    ownerId: owner.uid,
    email: owner.email,
    name: owner.displayName,
    ...(owner.photoURL ? { clientImage: owner.photoURL } : {}),
    bidsCount: bids.length,
    createdAt,
    updatedAt: createdAt,
    revision: 0,
    bidsRevision: bids.length,
    showEmail: true,
    hidden: false,
    titleGrams: titleGrams(task.title),
    state: hire?.state ?? "open",
    ...(hire &&
      hire.state !== "cancelled" &&
      winner && { award: awardOf(winner, hire.awardedDaysAgo, today) }),
    awardCount: winner ? 1 : 0,
  };
}

function awardOf(winner: BidDoc, daysAgo: number, today: Date) {
  const { _id, bidderId, bidderName, bidderEmail, amount } = winner;
  const at = new Date(Math.max(today.getTime() - daysAgo * DAY_MS, winner.createdAt.getTime() + 3_600_000));
  return { bidId: _id, freelancerId: bidderId, name: bidderName, email: bidderEmail, amount, at };
}

function bidDocs(task: DemoTask, hire: DemoHire | undefined, today: Date): BidDoc[] {
  const posted = postedAt(task, today).getTime();
  const bidders = [...new Set(task.bidderUids)].map(account);
  // Spread between the posting and now, or the deadline or award if that is past.
  const awardedDaysAgo = hire && hire.state !== "cancelled" ? hire.awardedDaysAgo : 0;
  const closed = today.getTime() - Math.max(0, -task.deadlineInDays, awardedDaysAgo) * DAY_MS;
  return bidders.map((bidder, index) => {
    const _id = idOf(`bid:${task.key}:${bidder.uid}`);
    const createdAt = new Date(
      posted + Math.max(0, ((closed - posted) * (index + 1)) / (bidders.length + 1)),
    );
    const isHired = hire && hire.state !== "cancelled" && hire.hired === bidder.uid;
    return {
      _id,
      taskId: idOf(`task:${task.key}`),
      bidderId: bidder.uid,
      bidderName: bidder.displayName,
      bidderEmail: bidder.email,
      ...termsOf(task, _id),
      state: isHired ? "awarded" : "placed",
      createdAt,
      updatedAt: createdAt,
    };
  });
}

/** Every fourth bid is one of a single click: at the task's price, with nothing said. */
function termsOf({ budget, category }: DemoTask, id: ObjectId): Pick<BidDoc, "amount" | "days" | "message"> {
  const [roll = 0, share = 0, days = 0, message = 0] = id.id.subarray(0, 4);
  if (roll % 4 === 0) return { amount: budget };
  const amount = budget * pick(SHARES, share);
  return {
    amount: amount > 200 ? Math.round(amount / 10) * 10 : Math.round(amount),
    days: pick(DAYS, days),
    ...(roll % 4 !== 1 && { message: pick(MESSAGES[category], message) }),
  };
}

function reviewDocs(
  task: TaskDoc,
  hire: Exclude<DemoHire, { state: "cancelled" }>,
  today: Date,
): ReviewDoc[] {
  const client = account(task.ownerId);
  const freelancer = account(hire.hired);
  const days = Math.max(1, hire.awardedDaysAgo - 8);
  const of = (role: ReviewDoc["role"], author: DemoAccount, subject: DemoAccount, review?: DemoReview) =>
    review
      ? [
          {
            _id: idOf(`review:${hire.key}:${author.uid}`),
            taskId: task._id,
            taskTitle: task.title,
            authorId: author.uid,
            authorName: author.displayName,
            anonymous: false,
            role,
            subjectId: subject.uid,
            ...review,
            createdAt: new Date(today.getTime() - days * DAY_MS + (role === "client" ? 0 : 7_200_000)),
          },
        ]
      : [];
  return [
    ...of("client", client, freelancer, hire.byClient),
    ...of("freelancer", freelancer, client, hire.byFreelancer),
  ];
}

function newsOf(task: TaskDoc, bids: BidDoc[], reviews: ReviewDoc[], today: Date): NotificationDoc[] {
  const news = (
    kind: NotificationKind,
    to: string,
    from: { uid: string; name: string },
    at: Date,
    amount?: number,
  ) => ({
    _id: idOf(`news:${task._id}:${kind}:${to}:${from.uid}`),
    recipientId: to,
    kind,
    taskId: task._id,
    taskTitle: task.title,
    asClient: to === task.ownerId,
    actor: from.name,
    actorId: from.uid,
    ...(amount !== undefined && { amount }),
    readAt: today.getTime() - at.getTime() < UNREAD_DAYS * DAY_MS ? null : at,
    ...(today.getTime() - at.getTime() < UNREAD_DAYS * DAY_MS ? {} : { readBy: to }),
    createdAt: at,
  });
  const client = { uid: task.ownerId, name: task.name };
  const { award } = task;
  const all: NotificationDoc[] = [
    ...bids.map(({ bidderId, bidderName, createdAt, amount }) =>
      news("new-bid", task.ownerId, { uid: bidderId, name: bidderName }, createdAt, amount),
    ),
    ...bids.flatMap(({ _id, bidderId, amount }) => {
      if (!award) return [];
      return award.bidId.equals(_id)
        ? [news("awarded", bidderId, client, award.at, amount)]
        : [news("declined", bidderId, client, award.at)];
    }),
    ...reviews.map(({ authorId, authorName, subjectId, createdAt }) =>
      news("review", subjectId, { uid: authorId, name: authorName }, createdAt),
    ),
  ];
  return all.filter(({ createdAt }) => today.getTime() - createdAt.getTime() < NEWS_DAYS * DAY_MS);
}

// Tasks posted on the same day are minutes apart, so that "newest first" has one answer.
function postedAt(task: DemoTask, today: Date): Date {
  const minutes = Number.parseInt(idOf(task.key).toHexString().slice(0, 4), 16) % 600;
  return new Date(today.getTime() - task.postedDaysAgo * DAY_MS - minutes * 60_000);
}

function account(uid: string): DemoAccount {
  const found = demoAccounts.find((candidate) => candidate.uid === uid);
  if (!found) throw new Error(`The demo data names an account that is not there: ${uid}`);
  return found;
}

const pick = <T>(from: readonly T[], number: number) => from[number % from.length] as T;

function idOf(key: string): ObjectId {
  return new ObjectId(createHash("sha256").update(`tasklane:${key}`).digest("hex").slice(0, 24));
}

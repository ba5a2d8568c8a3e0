import {
  BID_LIMITS,
  BID_STATES,
  CATEGORIES,
  MAX_USD,
  REPORT_LIMITS,
  REPORT_REASONS,
  REVIEW_LIMITS,
  STORED_TASK_STATES,
  TASK_LIMITS,
} from "../contract/index.ts";
import type {
  AwardDoc,
  BidDoc,
  Collections,
  IdempotencyKeyDoc,
  ReportDoc,
  ReviewDoc,
  TaskDoc,
} from "./collections.ts";

type Rule = { bsonType?: string | readonly string[]; [keyword: string]: unknown };
/** One rule for each field of a document: a field that is added to its type needs one here too. */
type Rules<T> = { [field in keyof Required<T>]: Rule };
type Required<T> = { [field in keyof T]-?: T[field] };

const id = { bsonType: "objectId" } as const;
const instant = { bsonType: "date" } as const;
const yes = { enum: [true] } as const;
const flag = { bsonType: "bool" } as const;
const usd = { bsonType: "number", minimum: 0, exclusiveMinimum: true, maximum: MAX_USD } as const;
const count = { bsonType: "number", minimum: 0, multipleOf: 1 } as const;
const text = (maxLength: number, minLength = 0) => ({ bsonType: "string", minLength, maxLength }) as const;
const oneOf = (values: readonly string[]) => ({ enum: values }) as const;

// What Firebase and tokens can hold: longer ones were made up.
const uid = text(128, 1);
const name = text(100, 1);
// Empty once its owner deleted their account.
const email = text(320);
const image = { ...text(2_000, 9), pattern: "^https://" } as const;

const award = object<AwardDoc>({ bidId: id, freelancerId: uid, name, email, amount: usd, at: instant }, [
  "bidId",
  "freelancerId",
  "name",
  "email",
  "amount",
  "at",
]);

/**
 * The shape of stored documents, enforced by the database itself: whatever gets past the schemas of the API, or is written
 * by another program, is refused with what it should have been. Fields that are not named here are refused.
 */
export const DOCUMENT_RULES: Partial<Record<keyof Collections, object>> = {
  tasks: object<TaskDoc & { grams?: unknown }>(
    {
      _id: id,
      title: text(TASK_LIMITS.title, 1),
      category: oneOf(CATEGORIES),
      description: text(TASK_LIMITS.description, 1),
      deadline: { bsonType: "string", pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" },
      budget: usd,
      ownerId: uid,
      email,
      name,
      clientImage: image,
      bidsCount: count,
      createdAt: instant,
      updatedAt: instant,
      revision: count,
      grams2: { bsonType: ["array", "null"] },
      // Of an earlier version, in tasks that were not saved since.
      grams: {},
      state: oneOf(STORED_TASK_STATES),
      hidden: yes,
      showEmail: { enum: [false] },
      award,
      voidedAwards: count,
      wasAwarded: yes,
      bidsRevision: count,
    },
    [
      ...["title", "category", "description", "deadline", "budget", "ownerId", "email", "name"],
      ...["bidsCount", "createdAt", "updatedAt", "revision"],
    ],
  ),
  bids: object<BidDoc>(
    {
      _id: id,
      taskId: id,
      bidderId: uid,
      bidderName: name,
      bidderEmail: email,
      bidderImage: image,
      amount: usd,
      days: { ...count, minimum: 1, maximum: BID_LIMITS.days },
      message: text(BID_LIMITS.message, 1),
      state: oneOf(BID_STATES),
      createdAt: instant,
      updatedAt: instant,
    },
    ["taskId", "bidderId", "bidderName", "bidderEmail", "createdAt"],
  ),
  reviews: object<ReviewDoc>(
    {
      _id: id,
      taskId: id,
      taskTitle: text(TASK_LIMITS.title, 1),
      authorId: uid,
      authorName: name,
      authorImage: image,
      anonymous: yes,
      role: oneOf(["client", "freelancer"]),
      subjectId: uid,
      stars: { ...count, minimum: 1, maximum: REVIEW_LIMITS.stars },
      text: text(REVIEW_LIMITS.text, 1),
      createdAt: instant,
    },
    ["taskId", "taskTitle", "authorId", "authorName", "role", "subjectId", "stars", "text", "createdAt"],
  ),
  reports: object<ReportDoc>(
    {
      _id: id,
      subject: text(200, 1),
      taskId: id,
      bidId: id,
      reporterId: uid,
      reporterName: name,
      reason: oneOf(REPORT_REASONS),
      text: text(REPORT_LIMITS.text),
      settled: flag,
      createdAt: instant,
    },
    ["subject", "taskId", "reporterId", "reporterName", "reason", "settled", "createdAt"],
  ),
  idempotencyKeys: object<IdempotencyKeyDoc>(
    {
      _id: id,
      personId: uid,
      key: text(200, 1),
      fingerprint: text(100, 1),
      holder: id,
      lockedUntil: instant,
      outcome: { bsonType: "object" },
      response: {
        bsonType: "object",
        required: ["status", "headers", "body"],
        properties: { status: count, headers: { bsonType: "object" }, body: text(100_000) },
      },
      createdAt: instant,
    },
    ["personId", "key", "fingerprint", "holder", "createdAt"],
  ),
};

function object<T>(properties: Rules<T>, required: readonly (keyof T & string)[] | readonly string[]) {
  return { bsonType: "object", required, properties, additionalProperties: false };
}

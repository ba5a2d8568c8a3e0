import type { Collection, Db } from "mongodb";
import type * as z from "zod/mini";
import * as documents from "./documents.ts";

/** Every collection of the product and what is stored in it. */
export const COLLECTIONS = {
  tasks: documents.taskDocument,
  bids: documents.bidDocument,
  questions: documents.questionDocument,
  people: documents.personDocument,
  notifications: documents.notificationDocument,
  announcements: documents.announcementDocument,
  savedSearches: documents.savedSearchDocument,
  reviews: documents.reviewDocument,
  reports: documents.reportDocument,
  savedTasks: documents.savedTaskDocument,
  conversations: documents.conversationDocument,
  messages: documents.messageDocument,
  timeline: documents.timelineDocument,
  operatorQueue: documents.queueItemDocument,
  operatorLog: documents.operatorActDocument,
  suspensions: documents.suspensionDocument,
  closures: documents.closureDocument,
  rateLimits: documents.rateLimitDocument,
  idempotencyKeys: documents.idempotencyKeyDocument,
  bidDays: documents.bidDayDocument,
  addressViews: documents.addressViewsDocument,
} as const;

export type CollectionName = keyof typeof COLLECTIONS;
export type Collections = { [name in CollectionName]: Collection<z.infer<(typeof COLLECTIONS)[name]>> };

/** The product's collections, typed. */
export function collectionsOf(db: Db): Collections {
  const names = Object.keys(COLLECTIONS);
  return Object.fromEntries(names.map((name) => [name, db.collection(name)])) as Collections;
}

import type { Collection, Db } from "mongodb";
import type * as z from "zod/mini";
import { bidDayDocument, bidDocument } from "./documents/bids.ts";
import { conversationDocument, messageDocument } from "./documents/conversations.ts";
import { announcementDocument, notificationDocument } from "./documents/notifications.ts";
import {
  operatorActDocument,
  queueItemDocument,
  reportDocument,
  suspensionDocument,
} from "./documents/operators.ts";
import { closureDocument, personDocument, savedSearchDocument } from "./documents/people.ts";
import { addressViewsDocument, idempotencyKeyDocument, rateLimitDocument } from "./documents/system.ts";
import {
  questionDocument,
  reviewDocument,
  savedTaskDocument,
  taskDocument,
  timelineDocument,
} from "./documents/tasks.ts";

/**
 * Every collection of the product and what is stored in it. Each stored thing is declared once, in `documents/`: what of it
 * people write and read comes from the contract, the rest stands there. The documents' types, what the database itself
 * accepts ($jsonSchema) and what lists read are all derived from these.
 */
export const COLLECTIONS = {
  tasks: taskDocument,
  bids: bidDocument,
  questions: questionDocument,
  people: personDocument,
  notifications: notificationDocument,
  announcements: announcementDocument,
  savedSearches: savedSearchDocument,
  reviews: reviewDocument,
  reports: reportDocument,
  savedTasks: savedTaskDocument,
  conversations: conversationDocument,
  messages: messageDocument,
  timeline: timelineDocument,
  operatorQueue: queueItemDocument,
  operatorLog: operatorActDocument,
  suspensions: suspensionDocument,
  closures: closureDocument,
  rateLimits: rateLimitDocument,
  idempotencyKeys: idempotencyKeyDocument,
  bidDays: bidDayDocument,
  addressViews: addressViewsDocument,
} as const;

export type CollectionName = keyof typeof COLLECTIONS;
export type Collections = { [name in CollectionName]: Collection<z.infer<(typeof COLLECTIONS)[name]>> };

/** The product's collections, typed. */
export function collectionsOf(db: Db): Collections {
  const names = Object.keys(COLLECTIONS);
  return Object.fromEntries(names.map((name) => [name, db.collection(name)])) as Collections;
}

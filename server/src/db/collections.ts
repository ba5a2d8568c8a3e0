import type { Collection, Db } from "mongodb";
import type * as z from "zod/mini";
import { agreementDocument } from "./documents/agreements.ts";
import { bidDocument } from "./documents/bids.ts";
import { conversationDocument, messageDocument } from "./documents/conversations.ts";
import { disputeDocument } from "./documents/disputes.ts";
import { fileDocument, filePartDocument } from "./documents/files.ts";
import { invoiceDocument } from "./documents/invoices.ts";
import { jobDocument } from "./documents/jobs.ts";
import { notificationDocument } from "./documents/notifications.ts";
import {
  operatorActDocument,
  queueItemDocument,
  reportDocument,
  suspensionDocument,
} from "./documents/operators.ts";
import { deletionDocument, personDocument, savedSearchDocument } from "./documents/people.ts";
import {
  addressViewsDocument,
  dayCountDocument,
  idempotencyKeyDocument,
  rateLimitDocument,
} from "./documents/system.ts";
import {
  questionDocument,
  reviewDocument,
  savedTaskDocument,
  taskDocument,
  timelineDocument,
} from "./documents/tasks.ts";

/**
 * Every collection and the schema of its documents. `documents/` extends the contract's schemas with the fields that
 * are only stored. Types, validation in the database ($jsonSchema) and projections are all derived from these schemas.
 */
export const COLLECTIONS = {
  tasks: taskDocument,
  bids: bidDocument,
  questions: questionDocument,
  people: personDocument,
  notifications: notificationDocument,
  jobs: jobDocument,
  savedSearches: savedSearchDocument,
  agreements: agreementDocument,
  invoices: invoiceDocument,
  disputes: disputeDocument,
  files: fileDocument,
  fileParts: filePartDocument,
  reviews: reviewDocument,
  reports: reportDocument,
  savedTasks: savedTaskDocument,
  conversations: conversationDocument,
  messages: messageDocument,
  timeline: timelineDocument,
  operatorQueue: queueItemDocument,
  operatorLog: operatorActDocument,
  suspensions: suspensionDocument,
  deletions: deletionDocument,
  rateLimits: rateLimitDocument,
  idempotencyKeys: idempotencyKeyDocument,
  dayCounts: dayCountDocument,
  addressViews: addressViewsDocument,
} as const;

export type CollectionName = keyof typeof COLLECTIONS;
export type Collections = { [name in CollectionName]: Collection<z.infer<(typeof COLLECTIONS)[name]>> };

export function collectionsOf(db: Db): Collections {
  const names = Object.keys(COLLECTIONS);
  return Object.fromEntries(names.map((name) => [name, db.collection(name)])) as Collections;
}

import * as z from "zod/mini";
import {
  categorySchema,
  mailChoicesSchema,
  ownProfileSchema,
  paymentDetailsSchema,
  savedSearchFields,
} from "../../contract/index.ts";
import { count, email, image, instant, name, objectId, text, uid, usd } from "../mongo-schema.ts";

/** A person with an account. `_id` is their uid; name, image and email are those of their latest token. */
export const personDocument = z.object({
  _id: uid,
  name,
  /** For the search of the directory: the grams of the name, see `gramsOf`. */
  nameGrams: z.array(z.string()),
  email,
  /** Is the address verified? Nothing is emailed to unverified ones. */
  emailVerified: z.boolean(),
  image: z.optional(image),
  /** When the token they come from expires: an older one, still in use on another device, does not replace them. */
  tokenExpiresAt: z.optional(instant),
  memberSince: instant,
  /** The last day (UTC) on which they were active; of the time only `tokenExpiresAt` is kept. */
  lastActiveOn: text(10, 10),
  /** When they first posted a task, were hired or wrote a profile. Search engines may list their profile from then on. */
  publicSince: z.optional(instant),
  /** True if they do not want to be in the directory of people. */
  notInDirectory: z.optional(z.literal(true)),
  /** Absent until they write one. */
  profile: z.optional(ownProfileSchema),
  /** The grams of its headline and skills. */
  profileGrams: z.optional(z.array(z.string())),
  /** Of the reviews about them that are shown; absent without any. Like `jobs`, stored for the directory. */
  rating: z.optional(z.object({ average: z.number().check(z.gte(1), z.lte(5)), count })),
  /** Of the completed tasks that they were hired for, with the lowest and the highest price; absent without any. */
  jobs: z.optional(z.object({ count, categories: z.array(categorySchema), from: usd, to: usd })),
  /** How they are paid, for clients who have hired them. */
  payment: z.optional(paymentDetailsSchema),
  /** How many invoices and credit notes they have written. */
  invoices: z.optional(count),
  /** Is this person an operator? An administrator sets and removes it, with effect on the next request. */
  operator: z.optional(z.literal(true)),
  /** Do they want notifications by email? */
  emailNotices: z.boolean(),
  /** When they turned that on: earlier notifications are not emailed. */
  emailNoticesSince: z.optional(instant),
  mailChoices: z.optional(z.partial(mailChoicesSchema)),
  /** The secret in their unsubscribe links. */
  unsubscribeKey: z.optional(text(100, 1)),
  /** Incremented when they open the first conversation with somebody, save files or post a task, so that two at once collide. */
  pairRevision: z.optional(count),
});
export type PersonDoc = z.infer<typeof personDocument>;

/** A saved search, whose owner is notified of new tasks that match. */
export const savedSearchDocument = z.extend(savedSearchFields, {
  _id: objectId,
  ownerId: uid,
  /** Its number among its owner's searches. The unique index on it enforces the limit. */
  slot: count,
  paused: z.boolean(),
  /** Derived from the filters, so that a new task finds the searches it matches; see `matchOf`. */
  match: z.object({
    keys: z.array(z.string()),
    pattern: z.string(),
    words: z.array(z.string()),
  }),
  createdAt: instant,
});
export type SavedSearchDoc = z.infer<typeof savedSearchDocument>;

/**
 * The deletion of an account; `_id` is its uid. It ends earlier sessions, and allows cleaning up after requests that
 * were still running. Removed some hours after the login was deleted too; without that it is kept, because a session can
 * be renewed for ever.
 */
export const deletionDocument = z.object({
  _id: uid,
  at: instant,
  /** Sessions started before this are invalid, and documents created before it are deleted. */
  until: instant,
  /** Replaces the uid in documents that remain. Random, so it cannot be traced back once this document is removed. */
  alias: text(128, 1),
  /** Null until everything created before `until` is deleted. */
  finishedAt: z.nullable(instant),
  /** Tasks that nobody was hired for stay, without the person's name. */
  keepsTasks: z.optional(z.literal(true)),
  /** When it is removed. */
  expireAt: z.optional(instant),
});
export type DeletionDoc = z.infer<typeof deletionDocument>;

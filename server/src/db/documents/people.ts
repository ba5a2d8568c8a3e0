import * as z from "zod/mini";
import { ownProfileSchema, savedSearchFields } from "../../contract/index.ts";
import { count, email, image, instant, name, objectId, text, uid } from "../mongo-schema.ts";

/** Somebody the product has met. `_id` is their uid; name, image and email are those of their last token. */
export const personDocument = z.object({
  _id: uid,
  name,
  email,
  /** Did they prove that the address is theirs? Nothing is mailed to any other. */
  emailVerified: z.boolean(),
  image: z.optional(image),
  memberSince: instant,
  /** The last day (UTC) on which they did anything; no more is kept of that. */
  lastActiveOn: text(10, 10),
  /** Missing until they write one. */
  profile: z.optional(ownProfileSchema),
  /** Do they want notifications by email too? */
  emailNotices: z.boolean(),
  /** Since when: what happened before is not sent. */
  emailNoticesSince: z.optional(instant),
  /** The secret of the link that ends emails. */
  unsubscribeKey: z.optional(text(100, 1)),
  /** When new tasks of their saved searches are due in one email; or, while it is sent, when its sender is given up for dead. */
  digestDueAt: z.optional(instant),
  /** Raised where they and somebody else open their first conversation: so that two of those collide. */
  pairRevision: z.optional(count),
});
export type PersonDoc = z.infer<typeof personDocument>;

/** A search that somebody saved, to be told of new tasks that match. */
export const savedSearchDocument = z.extend(savedSearchFields, {
  _id: objectId,
  ownerId: uid,
  /** Which of the searches that one person may have. Its unique index is the limit. */
  slot: count,
  paused: z.boolean(),
  /** The filters the other way round, for a task to find the search by; derived, see `matchOf`. */
  match: z.object({
    key: z.string(),
    pattern: z.string(),
    minBudget: z.number(),
    maxBudget: z.number(),
  }),
  createdAt: instant,
});
export type SavedSearchDoc = z.infer<typeof savedSearchDocument>;

/**
 * That somebody deleted their account; `_id` is their uid. It ends the sessions from before, and lets what was still under
 * way be swept up. Forgotten some hours after it is finished.
 */
export const closureDocument = z.object({
  _id: uid,
  at: instant,
  /** Sessions begun before this are over, and documents created before it go. */
  until: instant,
  /** Stands in for the uid in what stays behind. Random: once this document is gone, nothing leads back. */
  alias: uid,
  /** Null until everything is gone that was created before `until`. */
  finishedAt: z.nullable(instant),
});
export type ClosureDoc = z.infer<typeof closureDocument>;

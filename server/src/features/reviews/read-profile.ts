import * as z from "zod/mini";
import { calendarDate, type Profile, type Review } from "../../contract/index.ts";
import { isFormerMember } from "../../db/former-member.ts";
import { cutPage, idKey, instantKey, readCursor, writeCursor } from "../../http/pagination.ts";
import { ProblemError } from "../../http/problem-error.ts";
import { presentReview, publicName } from "./present-review.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { ReviewStore } from "./review-store.ts";
import { taskFigures } from "./task-figures.ts";

/**
 * What everybody may know about a person. No e-mail address is part of it.
 * @throws {ProblemError} `person-not-found`, also for somebody who deleted their account.
 */
export async function readProfile(store: ProfileStore, id: string, now: Date): Promise<Profile> {
  if (isFormerMember(id)) throw new ProblemError("person-not-found");
  const [person, counts, jobsCompleted, rating] = await Promise.all([
    store.find(id).then((found) => found ?? store.findByTasks(id)),
    store.countTasks(id, calendarDate(now)),
    store.countJobs(id),
    store.rating(id),
  ]);
  if (!person) throw new ProblemError("person-not-found");
  const { name, image, memberSince } = person;
  return {
    id,
    name: publicName(name),
    ...(image && { image }),
    memberSince: memberSince.toISOString(),
    ...taskFigures(counts),
    jobsCompleted,
    rating,
  };
}

const placeSchema = z.tuple([instantKey, idKey]);

/** One page of reviews about somebody; `next` is the cursor of the page after it, if there is one. */
export type ReviewPage = { reviews: Review[]; next?: string; total: number };

/**
 * What others say about a person, newest first.
 * @throws {ProblemError} `person-not-found` or `invalid-cursor`.
 */
export async function listReviews(
  stores: { profiles: ProfileStore; reviews: ReviewStore },
  id: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<ReviewPage> {
  if (isFormerMember(id)) throw new ProblemError("person-not-found");
  const list = `reviews ${id}`;
  const place = readCursor(list, page.cursor, placeSchema);
  const after = place && { at: place[0], id: place[1] };
  const [person, { count }, found] = await Promise.all([
    stores.profiles.find(id).then((met) => met ?? stores.profiles.findByTasks(id)),
    stores.profiles.rating(id),
    stores.reviews.listAbout(id, { after, limit: page.limit + 1 }),
  ]);
  if (!person) throw new ProblemError("person-not-found");
  const { page: shown, last } = cutPage(found, page.limit);
  return {
    reviews: shown.map(presentReview),
    ...(last && { next: writeCursor(list, [last.createdAt.toISOString(), last._id.toHexString()]) }),
    total: count,
  };
}

import * as z from "zod/mini";
import { avatarQuerySchema } from "./avatar.ts";
import { endpoints, INSERTED, list, ok } from "./endpoint.ts";
import {
  amountBound,
  atMost,
  inOrder,
  listOf,
  normalizeHttpsUrl,
  optionalLine,
  optionalParagraph,
  pageQuerySchema,
  parameter,
  searchText,
  skills,
} from "./fields.ts";
import { fileListSchema } from "./file.ts";
import { clientRecordSchema, ratingSchema } from "./person.ts";
import { reviewDraftSchema, reviewReplySchema, reviewSchema } from "./review.ts";
import { categorySchema, minRatingSchema } from "./task-fields.ts";

/** Bounds of a profile: characters of its texts, and the number of skills, links and languages. */
export const PROFILE_LIMITS = {
  headline: 120,
  about: 2_000,
  skills: 10,
  link: 300,
  links: 5,
  languages: 10,
} as const;

/** Languages a person can work in, as BCP 47 codes; `Intl.DisplayNames` has their names. */
export const LANGUAGES: string[] = /* @__PURE__ */ [
  "af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu ha he hi hr hu hy id ig is it ja jv ka",
  "kk km kn ko ku ky lo lt lv mg mk ml mn mr ms mt my nb ne nl pa pl ps pt ro ru rw sd si sk sl so sq sr sv sw ta te tg",
  "th ti tk tr uk ur uz vi yo yue zh zu",
].flatMap((codes) => codes.split(" "));

const NO_LINK = "Enter a full https address, like https://example.com/portfolio.";

const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** Adds the scheme that people leave out: `example.com/me` becomes `https://example.com/me`. */
function toHttpsUrl(text: string): string {
  const typed = text.trim();
  return normalizeHttpsUrl(SCHEME.test(typed) ? typed : `https://${typed}`) ?? typed;
}

// @__NO_SIDE_EFFECTS__
function link() {
  const short = atMost(PROFILE_LIMITS.link, `A link can have at most ${PROFILE_LIMITS.link} characters.`);
  return z.string({ error: NO_LINK }).check(
    short,
    z.overwrite(toHttpsUrl),
    // The normalized form can be longer than what was typed.
    short,
    z.refine((text) => normalizeHttpsUrl(text) === text),
  );
}

/**
 * `PUT /me/profile`: what people write about themselves, all of it public; every field may be empty. Name and photo
 * come from the verified token.
 */
export const profileDraftSchema = z.object({
  headline: optionalLine("Headline", PROFILE_LIMITS.headline),
  about: optionalParagraph("About", PROFILE_LIMITS.about),
  skills: skills(PROFILE_LIMITS.skills),
  links: listOf("links", PROFILE_LIMITS.links, link()),
  languages: listOf(
    "languages",
    PROFILE_LIMITS.languages,
    z.enum(LANGUAGES, { error: "Choose languages from the list." }),
  ),
});
export type ProfileDraft = z.infer<typeof profileDraftSchema>;

/** `GET /me/profile`. `version` increases with every save; 0 before the first. */
export const ownProfileSchema = z.extend(profileDraftSchema, {
  version: z.int().check(z.gte(0)),
  /** Absent without any, and after a save, which does not change it. */
  portfolio: z.optional(fileListSchema),
});
export type OwnProfile = z.infer<typeof ownProfileSchema>;

/** The profile of somebody who has not written one. */
export const EMPTY_PROFILE: OwnProfile = {
  headline: "",
  about: "",
  skills: [],
  links: [],
  languages: [],
  version: 0,
};

/** `GET /profiles/:id`. Public, so no email address. Suspended people have none. */
export const profileSchema = z.extend(z.extend(clientRecordSchema, profileDraftSchema.shape), {
  id: z.string(),
  name: z.string(),
  image: z.optional(z.string()),
  /** Completed tasks that they were hired for. */
  jobsCompleted: z.number(),
  /** Pictures and documents of earlier work; absent without any. */
  portfolio: z.optional(fileListSchema),
  /** Absent if `unlisted`. */
  lastActiveOn: z.optional(z.string()),
  /** True until they first post a task, are hired or write a profile: search engines must not list it. */
  unlisted: z.optional(z.boolean()),
  /** False if they have left the directory: nobody can invite them to bid. */
  takesInvitations: z.boolean(),
});
export type Profile = z.infer<typeof profileSchema>;

/** The query of `GET /profiles`. Category and prices are those of the completed tasks that people were hired for. */
export const directoryQuerySchema = directoryQuery();

// @__NO_SIDE_EFFECTS__
function directoryQuery() {
  return z
    .extend(pageQuerySchema, {
      /** A text in their name, their headline or a skill. */
      search: parameter(searchText(PROFILE_LIMITS.headline)),
      language: parameter(z.enum(LANGUAGES, { error: "Choose a language from the list." })),
      category: parameter(categorySchema),
      minRating: parameter(minRatingSchema),
      /** In USD, inclusive: people whose prices, from the lowest to the highest, overlap this range. */
      minPrice: parameter(amountBound("lowest price")),
      maxPrice: parameter(amountBound("highest price")),
    })
    .check(inOrder("price", "minPrice", "maxPrice"));
}
export type DirectoryQuery = z.infer<typeof directoryQuerySchema>;

/** Somebody who offers work (`GET /profiles`). */
export const directoryEntrySchema = z.object({
  id: z.string(),
  name: z.string(),
  image: z.optional(z.string()),
  headline: z.string(),
  skills: z.array(z.string()),
  languages: z.array(z.string()),
  rating: ratingSchema,
  jobsCompleted: z.number(),
  /** Those of their jobs; empty without any. */
  categories: z.array(categorySchema),
  /** The lowest and the highest price of their jobs, in USD; absent without any. */
  prices: z.optional(z.object({ from: z.number(), to: z.number() })),
  lastActiveOn: z.string(),
});
export type DirectoryEntry = z.infer<typeof directoryEntrySchema>;

export const peopleEndpoints = /* @__PURE__ */ endpoints("People", {
  listPeople: {
    method: "GET",
    path: "/profiles",
    summary: "People who offer work, the most recently active first",
    description:
      "Those who have written a headline or skills in their profile and have not opted out. A category and prices in USD find those with a completed job in that category, and with jobs at prices that overlap the range.",
    access: "anyone",
    query: directoryQuerySchema,
    responses: [list(directoryEntrySchema, "Link")],
  },
  readProfile: {
    method: "GET",
    path: "/profiles/:id",
    summary: "A person's public profile",
    access: "anyone",
    responses: [ok(profileSchema)],
    errors: ["person-not-found"],
  },
  editReview: {
    method: "PUT",
    path: "/tasks/:id/reviews",
    summary: "Change the caller's review, within a day",
    access: "signed-in",
    body: reviewDraftSchema,
    errors: ["review-not-found", "review-fixed"],
  },
  replyToReview: {
    method: "PUT",
    path: "/me/reviews/:id/reply",
    summary: "Reply to a review of the caller, once",
    access: "signed-in",
    body: reviewReplySchema,
    errors: ["review-not-found", "review-fixed"],
  },
  listReviews: {
    method: "GET",
    path: "/profiles/:id/reviews",
    summary: "Reviews about a person, newest first",
    access: "anyone",
    query: pageQuerySchema,
    responses: [list(reviewSchema, "Link", "X-Total-Count")],
    errors: ["person-not-found"],
  },
  drawAvatar: {
    method: "GET",
    path: "/avatar.svg",
    summary: "A picture of somebody's initials",
    access: "anyone",
    query: avatarQuerySchema,
    responses: [{ status: 200, type: "image/svg+xml" }],
  },
  writeReview: {
    method: "POST",
    path: "/tasks/:id/reviews",
    summary: "Review the other side of a completed task",
    access: "sides",
    body: reviewDraftSchema,
    responses: [INSERTED],
    errors: ["person-not-found", "wrong-state", "already-reviewed"],
  },
});

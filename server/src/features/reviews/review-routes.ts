import { type Request, type RequestHandler, Router } from "express";
import { pageQuerySchema, reviewDraftSchema } from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { linkToNext } from "../../http/pagination.ts";
import { parseInput } from "../../http/parse-input.ts";
import { pathId } from "../../http/path-id.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { ProfileStore } from "./profile-store.ts";
import { listReviews, readProfile } from "./read-profile.ts";
import type { ReviewStore } from "./review-store.ts";
import { writeReview } from "./write-review.ts";

type Deps = { profiles: ProfileStore; reviews: ReviewStore; now: () => Date };

const PAGE = 20;
// Firebase's uids have at most so many characters.
const UID_LENGTH = 128;

/** Reviews of completed tasks, and the public profile they lead to. Profiles are for everybody to read. */
export function reviewRoutes({ profiles, reviews, now }: Deps): RequestHandler {
  const router = Router();

  router.post("/tasks/:id/reviews", requireUser, jsonBody, async (request, response) => {
    const id = pathId(request);
    const draft = parseInput(reviewDraftSchema, request.body, "body");
    response.status(201).json(await writeReview(reviews, id, draft, userOf(response), now()));
  });

  router.get("/profiles/:id", async (request, response) => {
    response.json(await readProfile(profiles, personId(request), now()));
  });

  router.get("/profiles/:id/reviews", async (request, response) => {
    const id = personId(request);
    const { limit, cursor } = parseInput(pageQuerySchema, request.query, "query");
    const page = await listReviews({ profiles, reviews }, id, { limit: Number(limit ?? PAGE), cursor });
    linkToNext(request, response, page.next);
    response.setHeader("X-Total-Count", page.total).json(page.reviews);
  });

  return router;
}

function personId({ params: { id } }: Request<{ id: string }>): string {
  if (id.length <= UID_LENGTH) return id;
  throw new ProblemError("person-not-found");
}

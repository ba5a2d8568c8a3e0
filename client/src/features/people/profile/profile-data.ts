import type { Profile, Review } from "@tasklane/server/contract";
import type { LoaderFunctionArgs } from "react-router-dom";
import { apiOf } from "../../../lib/api-context.ts";
import type { Page } from "../../../lib/pages.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { listReviews, readProfile } from "../people-api.ts";

/** A person and the first page of their reviews; null when there is nobody at this address. */
export type ProfileData = { profile: Profile; first: Page<Review> } | null;

/** Loads both at once. */
export async function loader(args: LoaderFunctionArgs): Promise<ProfileData> {
  const api = apiOf(args);
  const id = args.params["id"] ?? "";
  const { signal } = args.request;
  try {
    const [profile, first] = await Promise.all([
      readProfile(api, id, signal),
      listReviews(api, id, { signal }),
    ]);
    return { profile, first };
  } catch (error) {
    if (error instanceof ApiProblem && [400, 404].includes(error.status)) return null;
    throw error;
  }
}

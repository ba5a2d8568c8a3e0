import type { EmailFrequency } from "@tasklane/server/contract";
import { endpointQuery } from "../../lib/queries.ts";

/** The viewer's saved searches, newest first. */
export const savedSearchesQuery = endpointQuery(["saved-searches"], "GET /me/searches", {});

/** How often new tasks are emailed, as the options of a select. */
export const MAIL_OPTIONS = [
  ["at-once", "Immediately"],
  ["daily", "Once a day"],
  ["never", "Never"],
] as const satisfies [EmailFrequency, string][];

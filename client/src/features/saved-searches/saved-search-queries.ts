import { queryOptions } from "@tanstack/react-query";
import type { EmailFrequency } from "@tasklane/server/contract";
import type { Api } from "../../lib/api.ts";

/** The viewer's saved searches, newest first. */
export function savedSearchesQuery(api: Api) {
  return queryOptions({
    queryKey: ["saved-searches"],
    queryFn: async () => (await api.call("GET /me/searches", {})).data,
  });
}

/** How often new tasks are emailed, as the options of a select. */
export const MAIL_OPTIONS = [
  ["at-once", "Immediately"],
  ["daily", "Once a day"],
  ["never", "Never"],
] as const satisfies [EmailFrequency, string][];

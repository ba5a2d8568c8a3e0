import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../../lib/api.ts";

/** Open tasks that fit the signed-in person. */
export function recommendationsQuery(api: Api) {
  return queryOptions({
    queryKey: ["tasks", "recommended"],
    queryFn: async () => (await api.call("GET /me/recommendations", {})).data,
  });
}

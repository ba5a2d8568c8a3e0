import { queryOptions } from "@tanstack/react-query";
import { meSchema } from "@tasklane/server/contract";
import type { Api } from "./api.ts";

/** GET /me: the signed-in person's permissions and settings. */
export function meQuery(api: Api) {
  return queryOptions({
    queryKey: ["me"],
    queryFn: async () => (await api.call("/me", { schema: meSchema, auth: "required" })).data,
  });
}

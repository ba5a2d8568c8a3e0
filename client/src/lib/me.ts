import { queryOptions } from "@tanstack/react-query";
import type { Api } from "./api.ts";

/** GET /me: the signed-in person's permissions and settings. */
export function meQuery(api: Api) {
  return queryOptions({
    queryKey: ["me"],
    queryFn: async () => (await api.call("GET /me", {})).data,
  });
}

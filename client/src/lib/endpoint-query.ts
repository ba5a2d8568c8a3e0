import { type QueryKey, queryOptions } from "@tanstack/react-query";
import type { Api, EndpointKey } from "./api.ts";

/** The query whose data is the body of an endpoint's response. */
export function endpointQuery<E extends EndpointKey, const K extends QueryKey>(
  api: Api,
  queryKey: K,
  endpoint: E,
  options: Parameters<typeof api.call<E>>[1],
) {
  return queryOptions({ queryKey, queryFn: async () => (await api.call(endpoint, options)).data });
}

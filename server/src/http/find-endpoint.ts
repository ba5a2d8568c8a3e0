import type { Endpoint } from "../contract/endpoint.ts";
import { ALL_ENDPOINTS, type EndpointName } from "../contract/endpoints.ts";

type Named = Endpoint & { name: EndpointName };

const BY_METHOD = new Map<string, { segments: string[]; endpoint: Named }[]>();
for (const endpoint of ALL_ENDPOINTS) {
  const known = BY_METHOD.get(endpoint.method) ?? [];
  // Those that come first in the table win, as in a router: `/tasks/featuretasks` is nobody's id.
  BY_METHOD.set(endpoint.method, [...known, { segments: endpoint.path.split("/"), endpoint }]);
}

/**
 * The row of the table that a request is for, or undefined. Reads addresses as Express does: the case of letters does not
 * matter, nor does one slash at the end.
 * @param path without a query, not decoded.
 */
export function findEndpoint(method: string, path: string): Named | undefined {
  const asked = path.split("/");
  if (asked.length > 2 && asked.at(-1) === "") asked.pop();
  const found = BY_METHOD.get(method === "HEAD" ? "GET" : method)?.find(
    ({ segments }) =>
      segments.length === asked.length &&
      segments.every((segment, at) => {
        const given = asked[at] as string;
        return segment.startsWith(":") ? given !== "" : segment === given.toLowerCase();
      }),
  );
  return found?.endpoint;
}

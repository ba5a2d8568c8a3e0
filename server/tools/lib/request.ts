/** A request to the API; without a token it is an anonymous visitor's. */
export type Call = {
  method?: string;
  path: string;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};

/** The request as `fetch` and autocannon take it: with its token, and its body as JSON. */
export function toRequest({ method = "GET", path, token, body, headers }: Call) {
  return {
    method,
    path,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    } as Record<string, string>,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

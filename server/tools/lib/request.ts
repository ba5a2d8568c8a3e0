/** A request to the API; without a token it is an anonymous visitor's. */
export type Call = {
  method?: string;
  path: string;
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
};

/** Sends a request. @returns the body of the response. @throws {Error} if it is refused. */
export async function fetchJson<T>(origin: string, call: Call): Promise<T> {
  const { path, ...request } = toRequest(call);
  const response = await fetch(origin + path, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${request.method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text || "{}") as T;
}

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

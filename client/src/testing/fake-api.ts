import { ALL_ENDPOINTS } from "@tasklane/server/contract/endpoints";
import * as z from "zod/mini";
import { type Api, type ApiResponse, type CallOptions, type EndpointKey, requestOf } from "../lib/api.ts";

export type Call = {
  endpoint: EndpointKey;
  method: string;
  path: string;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
  body: unknown;
  headers?: Record<string, string> | undefined;
  auth: "none" | "required";
  keepsCache: boolean;
};
type Response = { data: unknown; headers?: Record<string, string> };

/** A response with headers. */
export class Reply {
  readonly data: unknown;
  readonly headers: Record<string, string>;
  constructor(data: unknown, headers: Record<string, string> = {}) {
    this.data = data;
    this.headers = headers;
  }
}

/** Responds with a page of `items`, whose cursor is an index, as the API does. */
export function pageOfItems(
  items: readonly unknown[],
  { path, query }: Call,
  size = Number(query["limit"]),
): Reply {
  const from = Number(query["cursor"] ?? 0);
  const to = from + size;
  const link = to < items.length ? { Link: `<${path}?cursor=${to}>; rel="next"` } : {};
  return new Reply(items.slice(from, to), { "X-Total-Count": String(items.length), ...link });
}

/** An in-memory API: `reply` responds to each call or throws; `calls` records them. */
export function createFakeApi(reply: (call: Call) => Response | Promise<Response>): Api & { calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    async call(endpoint: EndpointKey, options: CallOptions): Promise<ApiResponse<never>> {
      const { method, path, headers: sent } = requestOf(endpoint, options);
      const { params = {}, query = {}, body, asVisitor, keepsCache = false } = options;
      const headers: Record<string, string> = {};
      for (const name of ["If-Match", "Idempotency-Key"]) {
        const value = sent.get(name);
        if (value !== null) headers[name] = value;
      }
      const call = {
        endpoint,
        method,
        path,
        params,
        query,
        body,
        headers,
        auth: asVisitor ? "none" : "required",
        keepsCache,
      } as const;
      calls.push(call);
      const { data, headers: received } = await reply(call);
      const row = ALL_ENDPOINTS.find((one) => `${one.method} ${one.path}` === endpoint);
      const schema = row?.responses[0]?.schema;
      if (!schema) throw new Error(`${endpoint} has no JSON response.`);
      return { data: z.parse(schema, data) as never, headers: new Headers(received) };
    },
  };
}

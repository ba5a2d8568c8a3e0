import { ALL_ENDPOINTS } from "@tasklane/server/contract/endpoints";
import * as z from "zod/mini";
import { type Api, type ApiResponse, type CallOptions, type EndpointKey, requestOf } from "../lib/api.ts";

type Call = {
  method: string;
  path: string;
  query: Record<string, string | undefined>;
  body: unknown;
  headers?: Record<string, string> | undefined;
  auth: "none" | "required";
  keepsCache: boolean;
};
type Reply = { data: unknown; headers?: Record<string, string> };

/** An in-memory API: `reply` responds to each call or throws; `calls` records them. */
export function createFakeApi(reply: (call: Call) => Reply | Promise<Reply>): Api & { calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    async call(endpoint: EndpointKey, options: CallOptions): Promise<ApiResponse<never>> {
      const { method, path, headers: sent } = requestOf(endpoint, options);
      const { query = {}, body, asVisitor, keepsCache = false } = options;
      const headers: Record<string, string> = {};
      for (const name of ["If-Match", "Idempotency-Key"]) {
        const value = sent.get(name);
        if (value !== null) headers[name] = value;
      }
      const call = {
        method,
        path,
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

/** A promise and the function that resolves it, to hold back a response. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

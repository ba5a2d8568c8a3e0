import type { Api, ApiResponse, CallOptions } from "../lib/api.ts";

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
    async call<T>(
      path: string,
      {
        method = "GET",
        query = {},
        body,
        headers: sent,
        auth = "none",
        keepsCache = false,
        schema,
      }: CallOptions<T>,
    ): Promise<ApiResponse<T>> {
      const call = { method, path, query, body, headers: sent, auth, keepsCache };
      calls.push(call);
      const { data, headers } = await reply(call);
      return { data: schema.parse(data), headers: new Headers(headers) };
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

import { Agent, request } from "node:http";
import { gunzipSync } from "node:zlib";
import type { CheckedResponse } from "../../test/check-response.ts";

/** A request exactly as it is sent: nothing is added or corrected. */
export type WireRequest = {
  method: string;
  path: string;
  headers: readonly (readonly [string, string])[];
  body: string | undefined;
};

const RESPONSE_LIMIT_MS = 15_000;

/** Sends requests to one server over persistent connections. */
export function createSender(port: number) {
  const agent = new Agent({ keepAlive: true });

  function send({ method, path, headers, body }: WireRequest): Promise<CheckedResponse> {
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const given = new Set(headers.map(([name]) => name.toLowerCase()));
    const all = [
      ...(given.has("host") ? [] : ["Host", `127.0.0.1:${port}`]),
      ...headers.flat(),
      ...(bytes ? ["Content-Length", String(bytes.length)] : []),
    ];
    return new Promise((resolve, reject) => {
      const call = request({ port, host: "127.0.0.1", agent, method, path, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        const done = () => {
          const packed = response.headers["content-encoding"] === "gzip" && chunks.length > 0;
          const bytes = Buffer.concat(chunks);
          const text = (packed ? gunzipSync(bytes) : bytes).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        };
        // An event stream never ends by itself.
        if (response.headers["content-type"]?.startsWith("text/event-stream") && method !== "HEAD") {
          response.on("error", () => undefined);
          response.destroy();
          return done();
        }
        response.on("data", (chunk: Buffer) => void chunks.push(chunk));
        response.on("end", done);
        response.on("error", reject);
      });
      call.setTimeout(RESPONSE_LIMIT_MS, () =>
        call.destroy(new Error(`no response within ${RESPONSE_LIMIT_MS} ms`)),
      );
      call.on("error", reject);
      call.end(bytes);
    });
  }

  return { send, [Symbol.dispose]: () => agent.destroy() };
}

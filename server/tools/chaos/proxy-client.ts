import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from "node:http2";
import { connect as connectTls } from "node:tls";
import {
  type Balancer,
  type Call,
  type Headers,
  headersOf,
  type Outcome,
  outcomeOf,
  REQUEST_LIMIT_MS,
} from "./balancer.ts";

/** Caddy's own status if an instance accepted a request but sent no response: the outcome is unknown. */
const NO_RESPONSE = [502, 504];
/** Caddy's own status if no instance is ready, so that nothing was sent. */
const NOT_SENT = 503;
const HOST = "localhost";
const PORT = 443;

type Streamed = {
  headers: IncomingHttpHeaders & IncomingHttpStatusHeader;
  chunks: AsyncIterable<Uint8Array>;
};

/**
 * A client of the reverse proxy, over TLS and HTTP/2, with one connection per client address. It connects from a loopback
 * address of that person, because the proxy trusts no `X-Forwarded-For`.
 * @param ca the certificate of the proxy's issuer, as PEM.
 */
export function createProxyClient(ca: string): Balancer & { close(): void } {
  const sessions = new Map<string, ClientHttp2Session>();

  function sessionFrom(localAddress: string): ClientHttp2Session {
    const known = sessions.get(localAddress);
    if (known && !known.closed && !known.destroyed) return known;
    const tls = { host: "127.0.0.1", port: PORT, servername: HOST, ca, localAddress, ALPNProtocols: ["h2"] };
    const session = connect(`https://${HOST}`, { createConnection: () => connectTls(tls) });
    const forget = () => void (sessions.get(localAddress) === session && sessions.delete(localAddress));
    session.on("error", forget).on("goaway", forget).on("close", forget);
    sessions.set(localAddress, session);
    return session;
  }

  function open(
    { "x-forwarded-for": from = "127.0.0.1", ...headers }: Headers,
    { method, path, body }: Pick<Call, "method" | "path" | "body">,
    signal: AbortSignal,
  ): Promise<Streamed> {
    return new Promise((resolve, reject) => {
      const address = from.replace(/^\d+/, "127");
      const pseudo = { ":method": method, ":path": path };
      const stream = sessionFrom(address).request(
        { ...pseudo, ...headers },
        { signal, endStream: body === undefined },
      );
      stream.once("error", reject);
      stream.once("close", () => reject(new Error("closed without a response")));
      stream.once("response", (received) => resolve({ headers: received, chunks: stream }));
      if (body !== undefined) stream.end(JSON.stringify(body));
    });
  }

  async function send(call: Call): Promise<Outcome> {
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const none = (why: string) => ({
      status: undefined,
      body: undefined,
      retryAfterS: 0,
      ms: elapsed(),
      why,
    });
    try {
      const signal = AbortSignal.timeout(REQUEST_LIMIT_MS);
      const { headers, chunks } = await open(headersOf(call), call, signal);
      const parts: Uint8Array[] = [];
      for await (const chunk of chunks) parts.push(chunk);
      const status = headers[":status"] ?? 0;
      if (NO_RESPONSE.includes(status)) return none(`${status} from the proxy`);
      const text = Buffer.concat(parts).toString();
      const outcome = outcomeOf(status, text, (name) => headers[name], elapsed());
      return status === NOT_SENT && text === "" ? { ...outcome, body: { code: "unavailable" } } : outcome;
    } catch (error) {
      return none(error instanceof Error ? error.message : String(error));
    }
  }

  return {
    send,
    close() {
      for (const session of sessions.values()) session.destroy();
    },
  };
}

import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";

/**
 * A `fetch` to which this process responds itself: for pages that are filled with what the API says. Each call goes
 * through the whole application, with limits and deadline, and counts for the address of the request it is made for.
 * Only GET, without a token: what everybody may read.
 */
export function localFetch(
  app: RequestListener,
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
): typeof fetch {
  return (address) => {
    const from = Object.defineProperty(new Socket(), "remoteAddress", { value: socket.remoteAddress });
    const request = new IncomingMessage(from);
    const forwarded = headers["x-forwarded-for"];
    Object.assign(request, {
      method: "GET",
      url: String(address),
      headers: { accept: "application/json", ...(forwarded && { "x-forwarded-for": forwarded }) },
    });
    request.push(null);
    return new Promise((resolve) => {
      app(request, keeping(new ServerResponse(request), resolve));
    });
  };
}

type Chunk = string | Uint8Array;

/** Keeps what would be sent. On the response itself, because Express gives it another prototype. */
function keeping(response: ServerResponse, resolve: (sent: Response) => void): ServerResponse {
  const pieces: Buffer[] = [];
  const write = (chunk: Chunk, encoding?: BufferEncoding) => {
    pieces.push(typeof chunk === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    return true;
  };
  const end = (chunk?: Chunk | null, encoding?: BufferEncoding) => {
    if (response.headersSent) return response;
    if (chunk) write(chunk, encoding);
    // From now on the headers count as sent, as for any response.
    response.writeHead(response.statusCode);
    const { statusCode: status } = response;
    const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
    const body = status === 204 || status === 304 ? null : Buffer.concat(pieces);
    resolve(new Response(body, { status, headers: Object.fromEntries(headers) }));
    response.emit("finish");
    response.emit("close");
    return response;
  };
  return Object.assign(response, { write, end });
}

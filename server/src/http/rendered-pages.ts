import { addAbortListener, once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Response as ExpressResponse, Request } from "express";
import type { ReadCache } from "../db/read-cache.ts";
import { addressKey } from "./connections.ts";
import { localLimit } from "./rate-limit.ts";
import { SerializedBody, sendSerialized, sizeOf } from "./response-body.ts";
import type { SiteOrigin } from "./site.ts";

/** The client's server-side renderer, built from client/src/prerender.tsx. */
type Renderer = {
  /** The URL of the same page with only the parameters that it reads. */
  renderedUrl(url: string): string;
  renderPage(page: {
    template: string;
    origin: string;
    url: string;
    send: typeof fetch;
  }): Promise<{ status: number; html: string } | undefined>;
};

type Rendered = { status: number; body: SerializedBody } | undefined;

/** Sends the rendered page of a path and query; false if it has to be sent without content. */
export type SendRendered = (request: Request, response: ExpressResponse, url: string) => Promise<boolean>;

/** A page that takes longer, on a slow machine or with a slow database, is given up and sent without content. */
const RENDER_TIMEOUT_MS = 3_000;
/** Rendering blocks the event loop, so while this many pages are being rendered, others are sent without content. */
const MAX_RENDERING = 8;
/** Pages rendered for one address in a minute, not those sent from the cache; above that, they are sent without content. */
const RENDERS = 600;
/** Not logged: a flood of pages would fill the log. */
const BUSY = new Error("Too many pages are being rendered.");

/**
 * Renders pages with their content, for link previews, search engines and visitors whose scripts have not run yet. They
 * are rendered by the client's components on top of this API, as an anonymous visitor sees them, and cached like other
 * responses to them.
 */
export function renderedPages(
  webRoot: string,
  { readCache, origin }: { readCache: ReadCache; origin: SiteOrigin },
): SendRendered {
  const program = join(webRoot, ".render", "prerender.mjs");
  if (!existsSync(program)) return async () => false;
  const template = readFileSync(join(webRoot, "app.html"), "utf8");
  const renderer = import(pathToFileURL(program).href) as Promise<Renderer>;
  const limit = localLimit("renders", RENDERS);
  let rendering = 0;

  async function render({ renderPage }: Renderer, request: Request, url: string): Promise<Rendered> {
    if (rendering >= MAX_RENDERING) throw BUSY;
    const deadline = AbortSignal.timeout(RENDER_TIMEOUT_MS);
    const send = localFetch(request.app, request);
    rendering++;
    try {
      const { allowed } = await limit.consume(addressKey(request.ip));
      if (!allowed) throw BUSY;
      const sendUntilDeadline: typeof fetch = async (address) => {
        deadline.throwIfAborted();
        return await send(address, { signal: deadline });
      };
      const page = await Promise.race([
        renderPage({ template, url, origin: origin(request), send: sendUntilDeadline }),
        once(deadline, "abort").then((): never => {
          throw deadline.reason;
        }),
      ]);
      return page && { status: page.status, body: new SerializedBody(Buffer.from(page.html)) };
    } finally {
      rendering--;
    }
  }

  async function cached(request: Request, url: string): Promise<Rendered> {
    const loaded = await renderer;
    const known = loaded.renderedUrl(url);
    return readCache(
      `page ${known}`,
      () => render(loaded, request, known),
      (page) => (page ? sizeOf(page.body) : 0),
    );
  }

  return async (request, response, url) => {
    const page = await cached(request, url).catch((error: unknown) => {
      if (error !== BUSY) request.log.warn({ err: error }, "a page is sent without its content");
      return undefined;
    });
    if (!page) return false;
    response.status(page.status);
    response.setHeader("Cache-Control", "no-cache");
    response.vary("Accept-Encoding");
    await sendSerialized(request, response, page.body, "text/html; charset=utf-8");
    return true;
  };
}

/**
 * A `fetch` that calls the application within this process, to fill pages from the API. Each call passes through the
 * whole application, including rate limits and deadline, and counts for the address of the visitor's request. Only for
 * anonymous GET requests.
 */
export function localFetch(
  app: RequestListener,
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
): typeof fetch {
  return (address, { signal } = {}) => {
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
      const response = captureResponse(new ServerResponse(request), resolve);
      if (signal) {
        // As if the visitor had disconnected: the call's reads are aborted. A response closes only once.
        const listening = addAbortListener(signal, () => response.emit("close"));
        response.once("close", () => listening[Symbol.dispose]());
      }
      app(request, response);
    });
  };
}

type Chunk = string | Uint8Array;

/** Collects what is sent. It overrides methods of the instance, because Express replaces the response's prototype. */
function captureResponse(response: ServerResponse, resolve: (sent: Response) => void): ServerResponse {
  const pieces: Buffer[] = [];
  const write = (chunk: Chunk, encoding?: BufferEncoding) => {
    pieces.push(typeof chunk === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    return true;
  };
  const end = (chunk?: Chunk | null, encoding?: BufferEncoding) => {
    if (response.headersSent) return response;
    if (chunk) write(chunk, encoding);
    // Marks the headers as sent, as for any response.
    response.writeHead(response.statusCode);
    const { statusCode: status } = response;
    const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
    const body = status === 204 || status === 304 ? null : Buffer.concat(pieces);
    resolve(new Response(body, { status, headers: Object.fromEntries(headers) }));
    // Node's own `end`, which sets these, does not run.
    Object.assign(response, { finished: true });
    Object.defineProperty(response, "writableFinished", { value: true });
    response.emit("finish");
    response.emit("close");
    return response;
  };
  return Object.assign(response, { write, end });
}

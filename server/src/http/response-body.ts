import { hash } from "node:crypto";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";
import type { Request, Response } from "express";
import type { ReadCache } from "../db/read-cache.ts";

/** A serialized response, which can be sent any number of times. */
export class SerializedBody {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  /** The compressed body, once a client has accepted gzip. */
  gzipped: Promise<Buffer> | undefined;

  /** @param version makes the `ETag` a strong one, `"<version>-…"`, which `If-Match` can name. */
  constructor(body: Buffer, headers: Record<string, string> = {}, version?: number) {
    this.body = body;
    this.headers = headers;
    const digest = hash("sha1", body, "base64url");
    // Weak, because the plain and the compressed bytes have the same tag.
    const weak = `W/"${body.length.toString(36)}-${digest}"`;
    this.etag = version === undefined ? weak : `"${version}-${digest}"`;
  }
}

/** A serialized JSON response. */
export class SerializedJson<T> extends SerializedBody {
  declare readonly value?: T;

  constructor(value: T, headers: Record<string, string> = {}, version?: number) {
    super(Buffer.from(JSON.stringify(value)), headers, version);
  }
}

/** Returns a cached response if allowed, or loads it. @param key everything it depends on, except the caller. */
export type CachedResponses = <T>(
  user: unknown,
  key: string,
  load: () => Promise<SerializedJson<T>>,
) => Promise<SerializedJson<T>>;

/**
 * Anonymous visitors share serialized responses, since they all see the same. Signed-in people see more (email
 * addresses, their role in a task), so their responses are never cached.
 */
export function cachedResponses(readCache: ReadCache): CachedResponses {
  return (user, key, load) => (user ? load() : readCache(key, load, sizeOf));
}

/** The approximate memory use in bytes. */
export function sizeOf({ body }: SerializedBody): number {
  // The compressed body may be kept too; JSON shrinks to less than half.
  return Math.ceil(body.length * 1.5);
}

const compress = promisify(gzip);
// Smaller responses fit into one or two packets anyway.
const MIN_COMPRESSED_BYTES = 1_500;
const MAX_SINGLE_WRITE_BYTES = 16_384;
/** Most of the compression for a third of the CPU time. */
const GZIP_OPTIONS = { level: constants.Z_BEST_SPEED + 2 } as const;

/** Sends the bytes, or 304 if the client has them already. */
export async function sendSerialized(
  request: Request,
  response: Response,
  json: SerializedBody,
  type = "application/json; charset=utf-8",
): Promise<void> {
  for (const [name, value] of Object.entries(json.headers)) response.setHeader(name, value);
  let { body } = json;
  const compressed = body.length >= MIN_COMPRESSED_BYTES && acceptsGzip(request);
  response.setHeader("ETag", compressed ? compressedTag(json.etag) : json.etag);
  if (request.fresh) {
    response.status(304).end();
    return;
  }
  if (compressed) {
    json.gzipped ??= compress(body, GZIP_OPTIONS);
    body = await json.gzipped;
    response.setHeader("Content-Encoding", "gzip");
  }
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Length", body.length);
  // Node sends a string and the headers in a single write, which makes small responses 10 % cheaper.
  if (body.length <= MAX_SINGLE_WRITE_BYTES) response.end(body.toString("latin1"), "latin1");
  else response.end(body);
}

// Different bytes need a different strong tag.
function compressedTag(etag: string): string {
  return etag.startsWith("W/") ? etag : `${etag.slice(0, -1)}-gzip"`;
}

function acceptsGzip(request: Request): boolean {
  return request.headers["accept-encoding"] !== undefined && request.acceptsEncodings("gzip") === "gzip";
}

/** Returned by handlers that have sent the response themselves. */
export type Sent = { readonly sent: true };
export const SENT: Sent = { sent: true };

const PIPELINE_LISTENERS = 6;

/**
 * Sends chunks no faster than the client reads them, so that memory does not grow with the response, and compressed if
 * the client accepts it. If the client disconnects, or `connections` disconnects it as too slow, `chunks` is closed.
 * If reading a chunk fails, the connection is cut, because a response that ends properly would be mistaken for a
 * complete one.
 */
export async function sendStream(
  request: Request,
  response: Response,
  chunks: AsyncIterable<string>,
): Promise<Sent> {
  const compressed = acceptsGzip(request);
  if (compressed) response.setHeader("Content-Encoding", "gzip");
  if (request.method === "HEAD") {
    response.end();
    return SENT;
  }
  const source = Readable.from(onePerIteration(chunks), { objectMode: false });
  return await sendBytes(response, compressed ? [source, createGzip(GZIP_OPTIONS)] : [source]);
}

/** Sends bytes as they are read and transformed. That the client disconnects is not an error. */
export async function sendBytes(
  response: Response,
  [source, ...transforms]: [Readable, ...Transform[]],
): Promise<Sent> {
  // A pipeline adds six listeners, and Node warns of a leak from eleven.
  response.setMaxListeners(response.getMaxListeners() + PIPELINE_LISTENERS);
  await pipeline([source, ...transforms, response]).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
  return SENT;
}

let lastIteration: Promise<void> = Promise.resolve();

/**
 * Waits for an iteration of the event loop that no other stream uses. Node accepts one connection per iteration, so if
 * every stream produced a chunk in each, new connections would wait for a long time.
 */
function nextFreeIteration(): Promise<void> {
  lastIteration = lastIteration.then(() => setImmediate());
  return lastIteration;
}

/** Yields one chunk per iteration of the event loop. */
async function* onePerIteration(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    await nextFreeIteration();
    yield chunk;
  }
}

/** Sends a JSON array in chunks of several items; see {@link sendStream}. */
export function streamJsonArray(
  request: Request,
  response: Response,
  chunks: AsyncIterable<readonly unknown[]>,
): Promise<Sent> {
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  return sendStream(request, response, jsonArrayOf(chunks));
}

async function* jsonArrayOf(chunks: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let separator = "[";
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    yield `${separator}${JSON.stringify(chunk).slice(1, -1)}`;
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

/**
 * Sends a file in chunks; see {@link sendStream}. An error before the first chunk is sent as a problem. Downloads
 * contain personal data, so they are not cached.
 */
export async function sendDownload(
  request: Request,
  response: Response,
  { name, type }: { name: string; type: string },
  chunks: AsyncIterable<string>,
): Promise<Sent> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Disposition", `attachment; filename="${name}"`);
  response.setHeader("Cache-Control", "no-store");
  if (request.method === "HEAD") await iterator.return?.();
  return await sendStream(request, response, startingWith(first, iterator));
}

/** Sends a PDF as a download; `name` without its ending. */
export function sendPdf(response: Response, name: string, file: Buffer): Sent {
  const filename = `tasklane-${name.toLowerCase().replaceAll(" ", "-")}.pdf`;
  response.set({ "Content-Disposition": `attachment; filename="${filename}"`, "Cache-Control": "no-store" });
  response.type("pdf").send(file);
  return SENT;
}

async function* startingWith(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let chunk = first; !chunk.done; chunk = await rest.next()) yield chunk.value;
  } finally {
    await rest.return?.();
  }
}

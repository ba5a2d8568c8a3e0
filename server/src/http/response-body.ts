import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { constants, createGzip, gzip } from "node:zlib";
import type { Request, Response } from "express";
import type { ReadCache } from "../db/read-cache.ts";

/** A response turned into bytes, which can be sent any number of times. */
export class SerializedBody {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Tells whether the bytes are still the same. */
  readonly etag: string;
  /** The compressed body, once a client accepted it. */
  gzipped: Promise<Buffer> | undefined;

  /** @param version makes the `ETag` `"<version>-…"`, a strong one that `If-Match` can name. */
  constructor(body: Buffer, headers: Record<string, string> = {}, version?: number) {
    this.body = body;
    this.headers = headers;
    const digest = hash("sha1", body, "base64url");
    // Weak: the same tag stands for the plain and the compressed bytes.
    const weak = `W/"${body.length.toString(36)}-${digest}"`;
    this.etag = version === undefined ? weak : `"${version}-${digest}"`;
  }
}

/** A JSON response as bytes. */
export class SerializedJson<T> extends SerializedBody {
  declare readonly value?: T;
  /** Ids of the tasks whose bids it tells of; undefined if it may be any. */
  readonly bidsOf: readonly string[] | undefined;

  constructor(
    value: T,
    headers: Record<string, string> = {},
    { version, bidsOf }: { version?: number; bidsOf?: readonly string[] } = {},
  ) {
    super(Buffer.from(JSON.stringify(value)), headers, version);
    this.bidsOf = bidsOf;
  }
}

/** Serves a read from the cache where it may, or loads it. @param key all that the response depends on but the caller. */
export type CachedResponses = <T>(
  user: unknown,
  key: string,
  load: () => Promise<SerializedJson<T>>,
) => Promise<SerializedJson<T>>;

/**
 * Anonymous visitors share serialized responses, since they all see the same. What somebody signed in is shown (email
 * addresses, their role in a task) is loaded for them alone, each time.
 * @param options.enabled false shares nothing: benchmarks measure the cost of a read with it.
 */
export function cachedResponses(
  readCache: Pick<ReadCache, "read">,
  { enabled = true }: { enabled?: boolean | undefined } = {},
): CachedResponses {
  const options = { sizeOf, bidsOf: ({ bidsOf }: SerializedJson<unknown>) => bidsOf };
  return (user, key, load) => (enabled && !user ? readCache.read(key, load, options) : load());
}

/** About how many bytes it keeps in memory. */
export function sizeOf({ body }: SerializedBody): number {
  // Compressed bytes may join the plain ones; JSON shrinks to less than half.
  return Math.ceil(body.length * 1.5);
}

const compress = promisify(gzip);
// Below this a response fits into one packet or two either way.
const WORTH_COMPRESSING_BYTES = 1_500;
const ONE_PIECE_BYTES = 16_384;
/** Most of the gain for a third of the work. */
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
  const compressed = body.length >= WORTH_COMPRESSING_BYTES && takesGzip(request);
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
  // As text it is sent in one piece with the headers, which costs a tenth less of a small response than two pieces do.
  if (body.length <= ONE_PIECE_BYTES) response.end(body.toString("latin1"), "latin1");
  else response.end(body);
}

// Other bytes need another strong tag.
function compressedTag(etag: string): string {
  return etag.startsWith("W/") ? etag : `${etag.slice(0, -1)}-gzip"`;
}

/** May this response be compressed? */
function takesGzip(request: Request): boolean {
  return request.headers["accept-encoding"] !== undefined && request.acceptsEncodings("gzip") === "gzip";
}

/** What a handler returns that has sent the response itself. */
export type Sent = { readonly sent: true };
export const SENT: Sent = { sent: true };

const PIPELINE_LISTENERS = 6;

/**
 * Sends pieces as fast as the client reads and no faster, compressed if it takes that, so memory does not grow with the
 * response. A client that leaves, or that `connections` cuts off as too slow, ends the reading. If a piece fails, the
 * connection is cut, because a response that ends properly would be taken for complete.
 */
export async function sendStream(
  request: Request,
  response: Response,
  pieces: AsyncIterable<string>,
): Promise<Sent> {
  const compressed = takesGzip(request);
  if (compressed) response.setHeader("Content-Encoding", "gzip");
  if (request.method === "HEAD") {
    response.end();
    return SENT;
  }
  // A pipeline listens six times, and Node takes more than ten for a leak.
  response.setMaxListeners(response.getMaxListeners() + PIPELINE_LISTENERS);
  const source = Readable.from(inTurns(pieces), { objectMode: false });
  const sent = compressed ? pipeline(source, createGzip(GZIP_OPTIONS), response) : pipeline(source, response);
  await sent.catch((error: NodeJS.ErrnoException) => {
    // The client left: nobody waits for a response, and nothing is wrong.
    if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
  return SENT;
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other stream uses. Node accepts one connection in a turn: if all streams made
 * a piece in each, whoever connects would wait long behind those who came before.
 */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** One piece in a turn of the event loop. */
async function* inTurns(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) {
    await ownTurn();
    yield piece;
  }
}

/** Sends one JSON array from chunks of it; see {@link sendStream}. */
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
 * Sends a file from pieces of it; see {@link sendStream}. What fails before the first piece is there is sent as a problem.
 * It is one person's own, so nothing caches it.
 */
export async function sendDownload(
  request: Request,
  response: Response,
  { name, type }: { name: string; type: string },
  pieces: AsyncIterable<string>,
): Promise<Sent> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.setHeader("Content-Type", type);
  response.setHeader("Content-Disposition", `attachment; filename="${name}"`);
  response.setHeader("Cache-Control", "no-store");
  if (request.method === "HEAD") await iterator.return?.();
  return await sendStream(request, response, startingWith(first, iterator));
}

async function* startingWith(
  first: IteratorResult<string>,
  rest: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}

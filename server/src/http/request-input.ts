import type { IncomingMessage } from "node:http";
import express, { type Request, type Response } from "express";
import { ObjectId } from "mongodb";
import * as z from "zod/mini";
import type { FieldError } from "../contract/index.ts";
import { ProblemError } from "../domain/problem-error.ts";

/** Splits a request target as the router does: the query begins at the first "?" and ends at "#". */
export function splitUrl(url: string): { path: string; query: string } {
  const [sent = ""] = url.split("#", 1);
  const mark = sent.indexOf("?");
  return mark < 0 ? { path: sent, query: "" } : { path: sent.slice(0, mark), query: sent.slice(mark + 1) };
}

// Node keeps only the first of these headers, while a proxy in front may use the last.
const SINGLE_HEADERS = new Set(["authorization", "content-type", "host", "idempotency-key", "if-match"]);
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/**
 * Refuses requests that other software may interpret differently: duplicates of headers that must be unique, a query
 * that is not encoded correctly, and structured parameter names (`search[$ne]`). Unknown parameters are ignored, so
 * that links with a tracking tag work; a known parameter that is given twice is rejected by its schema.
 * @throws {ProblemError} `bad-request` (400).
 */
export function refuseAmbiguous({ rawHeaders, originalUrl }: Request): void {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]?.toLowerCase() ?? "";
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name))
      throw new ProblemError("bad-request", { detail: `The header ${name} was sent twice.` });
    seen.add(name);
  }
  for (const pair of splitUrl(originalUrl).query.split("&")) checkPair(pair);
}

function checkPair(pair: string): void {
  if (pair === "") return;
  const end = pair.indexOf("=");
  const name = decoded(end < 0 ? pair : pair.slice(0, end));
  if (name === undefined || !PLAIN_NAME.test(name))
    throw badParameter(
      "?",
      "Parameter names have at most 64 letters, digits, dots, hyphens and underscores.",
    );
  // The name can be decoded, so the problem is the value.
  if (decoded(pair) === undefined)
    throw badParameter(name, `The parameter "${name}" is not encoded correctly.`);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function badParameter(parameter: string, detail: string): ProblemError {
  return new ProblemError("bad-request", { detail, errors: [{ parameter, detail }] });
}

const parseJson = express.json({
  limit: "100kb",
  strict: true,
  verify: (_request, _response, text) => refuseDeepJson(text),
});

/**
 * Reads a JSON body of at most 100 kB into `request.body`; undefined without a body. To be called after
 * authentication, so that anonymous callers cannot make the server read bodies.
 * @throws {ProblemError} `not-json` (415) for any other content or charset, `invalid` (422) for hostile field names
 *   and deep nesting; body-parser's own errors for the rest.
 */
export async function readJsonBody(request: Request, response: Response): Promise<void> {
  // Proxies send HTTP/2 requests without a length in chunks, so only reading shows whether there is a body.
  const { "content-type": type, "transfer-encoding": chunks } = request.headers;
  if (type === undefined && chunks !== undefined && (await isEmpty(request))) return;
  // Browsers send `Content-Length: 0` with an empty PATCH, which `is` treats as a body.
  const empty = request.headers["content-length"] === "0";
  if (!empty && request.is("application/json") === false) {
    throw new ProblemError("not-json", {
      detail: "Send the body as JSON, with Content-Type: application/json.",
    });
  }
  if (!empty) refuseOtherCharsets(request.headers["content-type"] ?? "");
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
  // The parser ignores a truncated body, which must not be mistaken for an absent optional one.
  if (request.body === undefined && declaresBody(request)) throw new ProblemError("bad-request", TRUNCATED);
  refuseHostileNames(request.body);
}

const TRUNCATED = { detail: "The request ended before its body had arrived." };

/** Whether a chunked body is empty. Reads at most its first chunk. */
async function isEmpty(request: Request): Promise<boolean> {
  try {
    // The connection must stay open for the response.
    for await (const _ of request.iterator({ destroyOnReturn: false })) return false;
    return true;
  } catch {
    throw new ProblemError("bad-request", TRUNCATED);
  }
}

/** Whether the headers announce a body. */
export function declaresBody({ headers }: Pick<Request, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

// JSON is UTF-8 (RFC 8259). The parser would decode UTF-7, 16 and 32 too, bypassing checks that read the raw bytes.
function refuseOtherCharsets(contentType: string): void {
  for (const [, charset = ""] of contentType.matchAll(/;\s*charset\s*=\s*([^;]*)/gi)) {
    if (/^(?:utf-8|"utf-8")\s*$/i.test(charset)) continue;
    throw new ProblemError("not-json", { detail: "This charset is not supported, send UTF-8." });
  }
}

const MAX_DEPTH = 20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Refuses deeply nested JSON before it is parsed. Brackets in strings do not count. */
function refuseDeepJson(text: Buffer): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPENING.has(byte) && ++depth > MAX_DEPTH) throw invalid("#", "The JSON is nested too deeply.");
    else if (CLOSING.has(byte)) depth--;
  }
}

// MongoDB operators and paths, and names with a meaning in JavaScript.
const HOSTILE = /^\$|[.\0]|^(?:__proto__|constructor|prototype)$/;

/** Schemas drop unknown fields anyway; rejecting hostile names makes the mistake visible. */
function refuseHostileNames(body: unknown): void {
  const path = hostilePath(body);
  if (path) throw invalid(pointerTo(path), "A field cannot have this name.");
}

/** The path to a field with a hostile name. */
function hostilePath(value: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value) && HOSTILE.test(name)) return [name];
    const below = hostilePath(inner);
    if (below) return [name, ...below];
  }
  return undefined;
}

function invalid(pointer: string, detail: string): ProblemError {
  return new ProblemError("invalid", { detail, errors: [{ pointer, detail }] });
}

/**
 * Parses a document's id of 24 hexadecimal digits.
 * @throws {ProblemError} `invalid-id` (400) for anything else.
 */
export function documentId(text: string): ObjectId {
  if (/^[\da-f]{24}$/i.test(text)) return new ObjectId(text);
  throw new ProblemError("invalid-id", { detail: "An id has 24 hexadecimal digits." });
}

/** Errors in a body name the field by JSON pointer, errors in a query by parameter. */
type InputSource = "body" | "query";

/**
 * Validates input. This is the only place where a schema's issues become a response; a schema that fails elsewhere is
 * a bug. Fields that the schema does not declare are dropped, so neither operators nor prototypes get through.
 * @throws {ProblemError} `invalid` (422) with one entry per invalid field.
 */
export function parseInput<T extends z.core.$ZodType>(
  schema: T,
  value: unknown,
  source: InputSource,
): z.output<T> {
  // An absent body is validated as an empty object, so that each missing field is named.
  const result = z.safeParse(schema, value ?? {});
  if (result.success) return result.data;
  const errors = firstPerField(result.error.issues.map((issue) => fieldError(issue, source, value)));
  const details = new Set(errors.map(({ detail }) => detail));
  throw new ProblemError("invalid", { detail: [...details].join(" "), errors });
}

function fieldError(issue: z.core.$ZodIssue, source: InputSource, input: unknown): FieldError {
  const path = issue.path.map(String);
  if (path.length === 0) return { pointer: "#", detail: "The request body must be a JSON object." };
  if (source === "query") {
    const [parameter] = path as [string];
    // Express turns a repeated parameter into an array; none of ours may be repeated.
    const repeated = Array.isArray((input as Record<string, unknown>)[parameter]);
    return { parameter, detail: repeated ? `Give "${parameter}" once.` : issue.message };
  }
  return { pointer: pointerTo(path), detail: issue.message };
}

const MAX_POINTER = 200;

/** A JSON pointer as a URI fragment (RFC 6901 sections 3 and 6); to the whole body if names in it cannot be given. */
function pointerTo(path: string[]): string {
  const tokens = path.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  // Half of a surrogate pair cannot be encoded.
  if (tokens.length > MAX_POINTER || /\p{Surrogate}/u.test(tokens)) return "#";
  return `#${tokens.split("/").map(encodeURIComponent).join("/")}`;
}

const MAX_ERRORS = 20;

// One message per field is enough: an empty title is "required", not "too short" as well. Nobody reads hundreds.
function firstPerField(errors: FieldError[]): FieldError[] {
  const seen = new Set<string | undefined>();
  return errors.filter(({ pointer, parameter }) => {
    const field = pointer ?? parameter;
    if (seen.has(field)) return false;
    seen.add(field);
    return seen.size <= MAX_ERRORS;
  });
}

const TAG = /^\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/;
const VERSION = /^(\d{1,15})(?:-|$)/;

/**
 * The versions listed in `If-Match` (RFC 9110, section 13.1.1), which a write may change; undefined without a
 * condition. Our tags are `"7"` or `"7-…"`, and only the version counts for a write: what follows the dash depends on
 * the reader and on the compression. Weak and foreign tags match nothing.
 * @throws {ProblemError} `bad-request` (400) for a header that is not a list of tags.
 */
export function ifMatch({ headers }: Pick<IncomingMessage, "headers">): readonly number[] | undefined {
  const header = headers["if-match"];
  // `*` allows any version of an existing document, and the document must exist anyway.
  if (header === undefined || header.trim() === "*") return undefined;
  const versions: number[] = [];
  let rest = header;
  do {
    const found = TAG.exec(rest);
    if (!found) throw new ProblemError("bad-request", { detail: "If-Match must be a list of entity tags." });
    const [all, weak, tag = ""] = found;
    const version = VERSION.exec(tag)?.[1];
    if (weak === undefined && version !== undefined) versions.push(Number(version));
    rest = rest.slice(all.length);
  } while (rest !== "");
  return versions;
}

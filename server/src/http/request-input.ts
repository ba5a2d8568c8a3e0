import type { IncomingMessage } from "node:http";
import express, { type Request, type Response } from "express";
import * as z from "zod/mini";
import type { FieldError } from "../contract/index.ts";
import { ProblemError } from "./problem.ts";

/** The parts of an address as the router reads them: the first "?" begins the query, which may hold more; "#" ends it. */
export function splitUrl(address: string): { path: string; query: string } {
  const [sent = ""] = address.split("#", 1);
  const mark = sent.indexOf("?");
  return mark < 0 ? { path: sent, query: "" } : { path: sent.slice(0, mark), query: sent.slice(mark + 1) };
}

// Node keeps the first of these and drops the others, where a proxy in front may look at the last.
const SINGLE_HEADERS = new Set(["authorization", "content-type", "host", "idempotency-key", "if-match"]);
const PLAIN_NAME = /^[\w.-]{1,64}$/;

/**
 * Refuses what no client of ours sends and what others may read differently: a header twice that is meant once, a query
 * that is not encoded correctly, and structured parameter names (`search[$ne]`). Unknown parameters are ignored, so that
 * links with a tracking tag work; a known one that is given twice is refused by its schema.
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
    throw badParameter("?", "Parameters have plain names, and nothing is looked up by parts of them.");
  // Its name is, so that leaves the value.
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
 * Reads a JSON body of at most 100 kB into `request.body`; undefined without one. Only for callers who are known, so that
 * nobody else makes the server read anything.
 * @throws {ProblemError} `not-json` (415) for any other content or charset, `invalid` (422) for names and nesting that no
 *   client of ours sends; body-parser's own errors for the rest.
 */
export async function readJsonBody(request: Request, response: Response): Promise<void> {
  // What proxies make of an HTTP/2 request whose client announced no length: only reading tells whether there is a body.
  const { "content-type": type, "transfer-encoding": chunks } = request.headers;
  if (type === undefined && chunks !== undefined && (await holdsNothing(request))) return;
  // Browsers send `Content-Length: 0` with an empty PATCH, which `is` takes for a body.
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
  // The parser skips what was cut off; an optional body must not count as none then.
  if (request.body === undefined && declaresBody(request)) throw new ProblemError("bad-request", CUT_OFF);
  refuseHostileNames(request.body);
}

const CUT_OFF = { detail: "The request ended before its body had arrived." };

/** Reads no further than the first byte. */
async function holdsNothing(request: Request): Promise<boolean> {
  try {
    // The connection is still needed, to respond.
    for await (const _ of request.iterator({ destroyOnReturn: false })) return false;
    return true;
  } catch {
    throw new ProblemError("bad-request", CUT_OFF);
  }
}

/** Do the headers say that a body follows? */
export function declaresBody({ headers }: Pick<Request, "headers">): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

// JSON is UTF-8 (RFC 8259). The parser would decode UTF-7, 16 and 32, behind the back of checks that read the bytes.
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

// Operators and paths of the database, and names that mean something to JavaScript.
const HOSTILE = /^\$|[.\0]|^(?:__proto__|constructor|prototype)$/;

/** Schemas drop unknown fields anyway; whoever sends hostile names is told. */
function refuseHostileNames(value: unknown, pointer = "#"): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const here = `${pointer}/${pointerToken(name)}`;
    if (!Array.isArray(value) && HOSTILE.test(name)) throw invalid(here, "A field cannot have this name.");
    refuseHostileNames(inner, here);
  }
}

function invalid(pointer: string, detail: string): ProblemError {
  return new ProblemError("invalid", { detail, errors: [{ pointer, detail }] });
}

/**
 * Reads a document's id: 24 hexadecimal digits, returned in lower case.
 * @throws {ProblemError} `invalid-id` (400) for anything else.
 */
export function documentId(text: string): string {
  if (/^[\da-f]{24}$/i.test(text)) return text.toLowerCase();
  throw new ProblemError("invalid-id", { detail: "An id has 24 hexadecimal digits." });
}

/** Where a value came from: fields of a body are named by JSON pointer, those of a query by parameter. */
type InputPlace = "body" | "query";

/**
 * The one place where a schema's complaint becomes a response; a schema that fails elsewhere is a bug.
 * Fields that the schema does not name are dropped, so neither operators nor prototypes get through.
 * @throws {ProblemError} `invalid` (422) with one entry for each wrong field.
 */
export function parseInput<T extends z.core.$ZodType>(
  schema: T,
  value: unknown,
  place: InputPlace,
): z.output<T> {
  // An absent body counts as an empty one, so that its missing fields are named one by one.
  const result = z.safeParse(schema, value ?? {});
  if (result.success) return result.data;
  const errors = firstOfEachField(result.error.issues.map((issue) => fieldError(issue, place, value)));
  throw new ProblemError("invalid", { detail: errors.map((error) => error.detail).join(" "), errors });
}

function fieldError(issue: z.core.$ZodIssue, place: InputPlace, input: unknown): FieldError {
  const path = issue.path.map(String);
  if (path.length === 0) return { pointer: "#", detail: "The request body must be a JSON object." };
  if (place === "query") {
    const [parameter] = path as [string];
    // Express makes an array of a repeated parameter, and none of ours may repeat.
    const repeated = Array.isArray((input as Record<string, unknown>)[parameter]);
    return { parameter, detail: repeated ? `Give "${parameter}" once.` : issue.message };
  }
  return { pointer: `#${path.map((token) => `/${pointerToken(token)}`).join("")}`, detail: issue.message };
}

/** A token of a JSON pointer in a URI fragment (RFC 6901 sections 3 and 6). */
function pointerToken(token: string): string {
  return encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"));
}

// A person corrects one thing at a time: an empty title is "required", not also "too short".
function firstOfEachField(errors: FieldError[]): FieldError[] {
  const seen = new Set<string | undefined>();
  return errors.filter(({ pointer, parameter }) => {
    const field = pointer ?? parameter;
    if (seen.has(field)) return false;
    seen.add(field);
    return true;
  });
}

const TAG = /^\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/;
const VERSION = /^(\d{1,15})(?:-|$)/;

/**
 * The versions that a write may change, as `If-Match` names them (RFC 9110, section 13.1.1); undefined without a
 * condition. Our tags are `"7"` or `"7-…"`: for a write only the version counts, because what follows the dash also tells
 * apart what different people are shown, and how it was compressed. Weak tags and those of others match nothing.
 * @throws {ProblemError} `bad-request` (400) for a header that is no list of tags.
 */
export function ifMatch({ headers }: Pick<IncomingMessage, "headers">): readonly number[] | undefined {
  const header = headers["if-match"];
  // `*`: any version, and what is written must exist anyway.
  if (header === undefined || header.trim() === "*") return undefined;
  const versions: number[] = [];
  let rest = header;
  do {
    const found = TAG.exec(rest);
    if (!found) throw new ProblemError("bad-request", { detail: "If-Match holds no list of entity tags." });
    const [all, weak, tag = ""] = found;
    const version = VERSION.exec(tag)?.[1];
    if (weak === undefined && version !== undefined) versions.push(Number(version));
    rest = rest.slice(all.length);
  } while (rest !== "");
  return versions;
}

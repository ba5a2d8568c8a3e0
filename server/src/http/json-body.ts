import express, { type Request, type Response } from "express";
import { ProblemError } from "./problem-error.ts";
import { pointerToken } from "./request-input.ts";

const parseJson = express.json({
  limit: "100kb",
  strict: true,
  type: "application/json",
  verify: (_request, _response, text) => refuseDeepJson(text),
});

/**
 * Reads a JSON body of at most 100 kB; undefined without one. Only for callers who are known, so that nobody else makes
 * the server read anything. Reads once: a second call returns what the first one read.
 * @throws {ProblemError} `not-json` (415) for any other content or charset, `invalid` (422) for names and nesting that no
 *   client of ours sends; body-parser's own errors for the rest.
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
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
  if (request.body === undefined && declaresBody(request))
    throw new ProblemError("bad-request", { detail: "The request ended before its body had arrived." });
  refuseHostileNames(request.body);
  return request.body;
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

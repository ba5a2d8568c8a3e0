import type { IncomingMessage } from "node:http";
import type { Request } from "express";
import * as z from "zod/mini";
import type { FieldError } from "../contract/index.ts";
import { ProblemError } from "./problem-error.ts";

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
  const start = originalUrl.indexOf("?");
  if (start >= 0) for (const pair of originalUrl.slice(start + 1).split("&")) checkPair(pair);
}

function checkPair(pair: string): void {
  if (pair === "") return;
  const end = pair.indexOf("=");
  const name = decoded(end < 0 ? pair : pair.slice(0, end));
  if (name === undefined || !PLAIN_NAME.test(name))
    throw badParameter("?", "Parameters have plain names, and nothing is looked up by parts of them.");
  if (end >= 0 && decoded(pair.slice(end + 1)) === undefined)
    throw badParameter(name, `The parameter "${name}" is not encoded correctly.`);
}

function decoded(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function badParameter(parameter: string, detail: string): ProblemError {
  return new ProblemError("bad-request", { detail, errors: [{ parameter, detail }] });
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
    const parameter = path.join(".");
    // Express makes an array of a repeated parameter, and none of ours may repeat.
    const repeated = Array.isArray((input as Record<string, unknown>)[parameter]);
    return { parameter, detail: repeated ? `Give "${parameter}" once.` : issue.message };
  }
  return { pointer: `#${path.map((token) => `/${pointerToken(token)}`).join("")}`, detail: issue.message };
}

/** A token of a JSON pointer in a URI fragment (RFC 6901 sections 3 and 6). */
export function pointerToken(token: string): string {
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
  } while (rest.trim() !== "");
  return versions;
}

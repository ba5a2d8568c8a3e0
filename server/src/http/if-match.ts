import type { IncomingMessage } from "node:http";
import { ProblemError } from "./problem-error.ts";

const TAG = /^\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)/;
const VERSION = /^(\d{1,15})(?:-|$)/;

/**
 * The versions that a write may change, as `If-Match` names them (RFC 9110, section 13.1.1); undefined without a
 * condition. A tag of ours is `"7"` or `"7-…"`, as `GET` sends it: what counts for a write is the version before the dash,
 * because what follows also tells apart what different people are shown, and how it was compressed. The comparison is the
 * strong one: a weak tag matches nothing, and neither does one that is not ours.
 * @throws {ProblemError} `bad-request` (400) for a header that is no list of tags.
 */
export function ifMatch({ headers }: Pick<IncomingMessage, "headers">): readonly number[] | undefined {
  const header = headers["if-match"];
  // What is written must exist anyway.
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

/** Somebody saved in between: says which version there is now. */
export function changedMeanwhile(version: number): ProblemError {
  return new ProblemError("changed-meanwhile", { version, headers: { ETag: `"${version}"` } });
}

import { ProblemError } from "./problem-error.ts";

const DEEPEST = 20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Refuses JSON that is nested deeper than anything of ours, before it is parsed.
 * @param text the bytes of the body; only its brackets outside strings count.
 * @throws {ProblemError} `invalid` (422).
 */
export function refuseDeepJson(text: Buffer): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i] as number;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (OPENING.has(byte) && ++depth > DEEPEST) throw invalid("#", "The JSON is nested too deeply.");
    else if (CLOSING.has(byte)) depth--;
  }
}

// Operators and paths of the database, and what is no field of an object in JavaScript.
const HOSTILE = /^\$|[.\0]|^(?:__proto__|constructor|prototype)$/;

/**
 * Refuses field names that mean something to the database or the language. Schemas drop unknown fields anyway; who sends
 * these is told.
 * @throws {ProblemError} `invalid` (422) naming the field.
 */
export function refuseHostileNames(value: unknown, pointer = "#"): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const here = `${pointer}/${encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))}`;
    if (!Array.isArray(value) && HOSTILE.test(name)) throw invalid(here, "A field cannot have this name.");
    refuseHostileNames(inner, here);
  }
}

function invalid(pointer: string, detail: string): ProblemError {
  return new ProblemError("invalid", { detail, errors: [{ pointer, detail }] });
}

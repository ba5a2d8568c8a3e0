/** A piece of text: plain, or a link. */
export type TextPart = { text: string; href?: string };

const CANDIDATE = /\bhttps?:\/\/[^\s<>"“”«»`]+/giu;
/** Punctuation at the end of a sentence is not part of the URL. */
const TRAILING = /[.,:;!?'’*_~…]+$/u;
const BRACKETS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
] as const;

/**
 * Finds URLs in user-written text: only complete ones, with `http` or `https` and a host with a dot, so readers see
 * where each link leads. A URL with a user name (`https://bank.example@evil.example`) stays text, and a host with
 * non-ASCII letters is shown in Punycode (`xn--…`).
 */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    const written = withoutTrailing(found);
    const url = parse(written);
    if (!url) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    end = index + written.length;
    parts.push({ text: startsWithHost(written, url) ? written : url.href, href: url.href });
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Removes punctuation and closing brackets that belong to the surrounding sentence. */
function withoutTrailing(found: string): string {
  const cut = found.replace(TRAILING, "");
  const count = (bracket: string) => cut.split(bracket).length;
  const isUnmatched = BRACKETS.some(([open, close]) => cut.endsWith(close) && count(close) > count(open));
  return isUnmatched ? withoutTrailing(cut.slice(0, -1)) : cut;
}

function parse(written: string): URL | undefined {
  if (!URL.canParse(written)) return undefined;
  const url = new URL(written);
  return url.username === "" && url.password === "" && url.hostname.includes(".") ? url : undefined;
}

/** Whether the text shows the host, right after the scheme, exactly as browsers resolve it. */
function startsWithHost(written: string, { hostname }: URL): boolean {
  const [, afterScheme = ""] = written.toLowerCase().split("//", 2);
  return afterScheme.startsWith(hostname);
}

/** A piece of a text: plain, or an address that can be opened. */
export type TextPart = { text: string; href?: string };

const CANDIDATE = /\bhttps?:\/\/[^\s<>"“”«»`]+/giu;
/** What ends a sentence is not part of the address in it. */
const TRAILING = /[.,:;!?'’*_~…]+$/u;
const BRACKETS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
] as const;

/**
 * Finds the web addresses in what somebody wrote. Only whole ones with `http` or `https` and a host with a dot: nothing is
 * guessed, so a reader sees where each link leads. One that names a user before its host (`https://bank.example@evil.example`)
 * stays text, and a host with other letters than ASCII is shown as browsers resolve it (`xn--…`).
 */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(CANDIDATE)) {
    const address = withoutTrailing(found);
    const url = parse(address);
    if (!url) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    end = index + address.length;
    parts.push({ text: isHostAsResolved(address, url) ? address : url.href, href: url.href });
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Without punctuation and closing brackets that belong to the sentence around it. */
function withoutTrailing(found: string): string {
  const cut = found.replace(TRAILING, "");
  const count = (sign: string) => cut.split(sign).length;
  const isUnmatched = BRACKETS.some(([open, close]) => cut.endsWith(close) && count(close) > count(open));
  return isUnmatched ? withoutTrailing(cut.slice(0, -1)) : cut;
}

function parse(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.username === "" && url.password === "" && url.hostname.includes(".") ? url : undefined;
}

/** Does the host stand there just as it is resolved? Elsewhere in the address it would say nothing. */
function isHostAsResolved(address: string, { hostname }: URL): boolean {
  const [, afterScheme = ""] = address.toLowerCase().split("//", 2);
  return afterScheme.startsWith(hostname);
}

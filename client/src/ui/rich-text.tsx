/** User-written text with web addresses as plain links. */
export function LinkedText({ text }: { text: string }) {
  return linkParts(text).map((part, at) =>
    part.href ? (
      <a key={at} href={part.href} target="_blank" rel="nofollow ugc noopener" className="link">
        {part.text}
      </a>
    ) : (
      part.text
    ),
  );
}

/** A line of a list: a dash, an asterisk, a bullet or a number of up to two digits, and its text. */
const LIST_LINE = /^\s*(?:[-*•–]|(\d{1,2})[.)])\s+(.*)$/;

type Block = { kind: "text" | "bullets" | "numbers"; lines: { text: string; number?: number }[] };

/** Groups lines into paragraphs and lists. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let isNew = true;
  for (const line of text.split("\n")) {
    const [, number, item] = LIST_LINE.exec(line) ?? [];
    const kind = item === undefined ? "text" : number === undefined ? "bullets" : "numbers";
    const last = blocks.at(-1);
    if (line.trim() === "") isNew = true;
    else {
      const entry = { text: item ?? line, ...(number && { number: Number(number) }) };
      // Lists go on after an empty line, paragraphs do not.
      if (last?.kind === kind && (kind !== "text" || !isNew)) last.lines.push(entry);
      else blocks.push({ kind, lines: [entry] });
      isNew = false;
    }
  }
  return blocks;
}

/** User-written text with its paragraphs, line breaks, lists and links. Nothing in it is HTML. */
export function RichText({ text }: { text: string }) {
  return blocksOf(text).map(({ kind, lines }, at) => {
    if (kind === "text")
      return (
        <p key={at} dir="auto" className="whitespace-pre-line">
          <LinkedText text={lines.map((line) => line.text).join("\n")} />
        </p>
      );
    const List = kind === "bullets" ? "ul" : "ol";
    return (
      <List
        key={at}
        dir="auto"
        className={`space-y-1 ps-6 ${kind === "bullets" ? "list-disc" : "list-decimal"}`}
      >
        {lines.map((line, at) => (
          <li key={at} value={line.number}>
            <LinkedText text={line.text} />
          </li>
        ))}
      </List>
    );
  });
}

/** A piece of text: plain, or a link. */
type TextPart = { text: string; href?: string };

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

import { linkParts } from "../lib/links.ts";
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

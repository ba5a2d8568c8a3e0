import { Fragment, useId, useLayoutEffect, useRef, useState } from "react";
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

/** An email address that, if it is too long, breaks before `@` or a dot. */
export const Email = ({ address }: { address: string }) =>
  address.split(/(?=[@.])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));

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

const CLAMPS = {
  3: "line-clamp-3 whitespace-pre-line",
  8: "line-clamp-8 whitespace-pre-line",
  phone: "max-sm:max-h-[3.5lh] max-sm:overflow-hidden",
};

type Props = {
  text: string;
  /**
   * The maximum number of lines before the text is clamped. `phone` is three lines there, and elsewhere all of them; it
   * is for long texts, whose lists and links are shown.
   */
  lines?: keyof typeof CLAMPS;
};

/** Longer texts do not fit into three lines, in characters. */
const SHORT_TEXT = 250;

/**
 * A text clamped to a few lines, with a button to expand it. Line breaks are kept; empty lines only when expanded.
 */
export function ClampedText({ text, lines = 3 }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [expanded, setExpanded] = useState(false);
  // Until it is measured, so that nothing moves when the app starts.
  const [overflows, setOverflows] = useState(text.length > SHORT_TEXT || text.split("\n").length > 3);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || expanded) return;
    const measure = () => setOverflows(element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
    // A different text may have the same clamped height, which the observer would not notice.
  }, [expanded, text]);

  return (
    <div className="space-y-2">
      <div
        ref={box}
        id={id}
        dir="auto"
        className={`leading-relaxed wrap-anywhere ${expanded ? "whitespace-pre-line" : CLAMPS[lines]} ${lines === "phone" ? `space-y-3 ${overflows && !expanded ? "max-sm:mask-b-from-40%" : ""}` : ""}`}
      >
        {lines === "phone" ? (
          <RichText text={text} />
        ) : (
          <LinkedText text={expanded ? text : text.replace(/\n\s*\n/g, "\n")} />
        )}
      </div>
      {(overflows || expanded) && (
        <button
          type="button"
          className={`btn btn-sm btn-ghost -ml-3 ${lines === "phone" ? "sm:hidden" : ""}`}
          aria-expanded={expanded}
          aria-controls={id}
          onClick={() => setExpanded(!expanded)}
        >
          {expanded ? "Show less" : "Read more"}
        </button>
      )}
    </div>
  );
}

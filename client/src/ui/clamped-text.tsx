import { useId, useLayoutEffect, useRef, useState } from "react";
import { LinkedText, RichText } from "./rich-text.tsx";

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

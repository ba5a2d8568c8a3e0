import { useId, useLayoutEffect, useRef, useState } from "react";

const CLAMPS = { 3: "line-clamp-3", 8: "line-clamp-8", phone: "max-sm:line-clamp-3" };

type Props = {
  text: string;
  /** The maximum number of lines before the text is clamped; `phone` is three lines there, and all of them elsewhere. */
  lines?: keyof typeof CLAMPS;
};

/** Longer texts do not fit into three lines, in characters. */
const SHORT_TEXT = 250;

/**
 * A text clamped to a few lines, with a button to expand it. Line breaks are kept; empty lines only when expanded.
 */
export function ClampedText({ text, lines = 3 }: Props) {
  const id = useId();
  const box = useRef<HTMLParagraphElement>(null);
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
      <p
        ref={box}
        id={id}
        dir="auto"
        className={`leading-relaxed wrap-anywhere whitespace-pre-line ${expanded ? "" : CLAMPS[lines]}`}
      >
        {expanded || lines === "phone" ? text : text.replace(/\n\s*\n/g, "\n")}
      </p>
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

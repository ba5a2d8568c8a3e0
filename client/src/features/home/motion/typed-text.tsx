import { useMemo } from "react";
import { useTypewriter } from "react-simple-typewriter";

/** SPEC section 9. */
const TYPE_MS = 70;
const DELETE_MS = 50;
/** Long enough to read the line at leisure before it goes. */
const REST_MS = 3000;

/**
 * Types the text, rests, deletes it, and begins again. What is not typed yet is there and transparent, so that nothing
 * moves and no word changes its line. Loaded lazily, by typewriter.tsx only.
 */
export function TypedText({ text }: { text: string }) {
  // The hook starts its wait anew whenever it is given another array.
  const words = useMemo(() => [text], [text]);
  const [typed] = useTypewriter({
    words,
    loop: 0,
    typeSpeed: TYPE_MS,
    deleteSpeed: DELETE_MS,
    delaySpeed: REST_MS,
  });
  return (
    <>
      {/* The cursor is the text's own edge: an element of its own would count as a layout shift at every letter. */}
      <span className="-mr-[3px] border-r-3 border-accent print:border-transparent">{typed}</span>
      <span className="opacity-0 print:opacity-100">{text.slice(typed.length)}</span>
    </>
  );
}

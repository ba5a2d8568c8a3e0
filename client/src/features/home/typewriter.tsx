import { useMemo } from "react";
import type { useTypewriter } from "react-simple-typewriter";
import { lazyModule } from "../../ui/lazy-module.ts";

const useLibrary = lazyModule(() => import("react-simple-typewriter"));

const TYPE_MS = 70;
const DELETE_MS = 50;
/** Pause for reading the line before it is deleted. */
const REST_MS = 3000;

/**
 * A headline that a caret appears to type while `playing`. The text itself is always there in full, for screen readers,
 * print and find-in-page.
 */
export function Typewriter({ text, playing }: { text: string; playing: boolean }) {
  return playing ? <Typing text={text} /> : text;
}

function Typing({ text }: { text: string }) {
  const library = useLibrary();
  if (!library) return text;
  return (
    <span className="relative block">
      {text}
      <Caret text={text} hook={library.useTypewriter} />
    </span>
  );
}

/** A transparent copy of the text with the caret after the typed part, so that it wraps exactly where the text does. */
function Caret({ text, hook: useTyped }: { text: string; hook: typeof useTypewriter }) {
  // A new array would restart the hook.
  const words = useMemo(() => [text], [text]);
  const [typed] = useTyped({
    words,
    loop: 0,
    typeSpeed: TYPE_MS,
    deleteSpeed: DELETE_MS,
    delaySpeed: REST_MS,
  });
  return (
    <span
      aria-hidden="true"
      data-typed={typed}
      data-rest={text.slice(typed.length)}
      className="pointer-events-none absolute inset-0 text-transparent before:-mr-[3px] before:border-r-3 before:border-accent before:content-[attr(data-typed)] after:content-[attr(data-rest)] print:hidden"
    />
  );
}

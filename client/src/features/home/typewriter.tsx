import { useMemo } from "react";
import type { useTypewriter } from "react-simple-typewriter";
import { lazyModule } from "../../ui/lazy-module.ts";

const useLibrary = lazyModule(() => import("react-simple-typewriter"));

const TYPE_MS = 70;
const DELETE_MS = 50;
/** Long enough to read the line at leisure before it is deleted. */
const REST_MS = 3000;

/** A line that types itself while `playing`, and is simply there otherwise. Screen readers always have the whole line. */
export function Typewriter({ text, playing }: { text: string; playing: boolean }) {
  return playing ? <Typing text={text} /> : text;
}

function Typing({ text }: { text: string }) {
  const library = useLibrary();
  if (library === null) return text;
  return (
    <>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        {library ? <Typed text={text} hook={library.useTypewriter} /> : <Untyped>{text}</Untyped>}
      </span>
    </>
  );
}

function Typed({ text, hook: useTyped }: { text: string; hook: typeof useTypewriter }) {
  // The hook starts again whenever it is given another array.
  const words = useMemo(() => [text], [text]);
  const [typed] = useTyped({
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
      <Untyped>{text.slice(typed.length)}</Untyped>
    </>
  );
}

/** Text that keeps its room, so that no word changes its line while it is typed. */
function Untyped({ children }: { children: string }) {
  return <span className="opacity-0 print:opacity-100">{children}</span>;
}

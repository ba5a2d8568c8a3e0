import { lazy, Suspense, useEffect, useState } from "react";
import type { Proximity } from "./use-proximity.ts";

const loadTypedText = () => import("./typed-text.tsx");
const TypedText = lazy(async () => ({ default: (await loadTypedText()).TypedText }));

type Props = {
  text: string;
  /** False stops the typing and shows the whole text. */
  playing: boolean;
  where: Proximity;
};

/**
 * A line that types itself while it is seen (SPEC section 2, Home). It is whole to screen readers at every moment, and
 * whole to everybody before the library arrives, when paused and when less motion is wanted.
 */
export function Typewriter({ text, playing, where }: Props) {
  const [loaded, setLoaded] = useState(false);
  const wanted = playing && where.near;

  useEffect(() => {
    if (!wanted) return;
    let left = false;
    loadTypedText().then(
      () => !left && setLoaded(true),
      // Without the library the line simply stands there.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [wanted]);

  if (!wanted || !loaded) return text;
  const waiting = <span className="opacity-0 print:opacity-100">{text}</span>;
  return (
    <>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        {where.seen ? (
          <Suspense fallback={waiting}>
            <TypedText text={text} />
          </Suspense>
        ) : (
          waiting
        )}
      </span>
    </>
  );
}

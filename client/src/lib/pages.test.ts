import { expect, it } from "vitest";
import { MOST_SHOWN, shownIn } from "./pages.ts";

it.each([20, 24])(
  "When a list grows by %i, then each step shows more, up to a limit that can be told",
  (step) => {
    let shown = step;
    while (shown < MOST_SHOWN) {
      const next = shownIn(new URLSearchParams({ shown: String(shown + step) }), step);
      expect(next).toBe(shown + step);
      shown = next;
    }
    expect(shown).toBe(4_800);
    expect(shownIn(new URLSearchParams({ shown: "999999" }), step)).toBe(MOST_SHOWN);
  },
);

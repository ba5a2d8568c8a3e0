import { expect, it } from "vitest";
import { firstItems, maxShown, shownIn } from "./pages.ts";

it.each([20, 24])(
  "When a list grows by %i, then each step shows more, up to a limit that can be told",
  (step) => {
    let shown = step;
    while (shown < maxShown(step)) {
      const next = shownIn(new URLSearchParams({ shown: String(shown + step) }), step);
      expect(next).toBe(shown + step);
      shown = next;
    }
    expect(shown).toBe(50 * step);
    expect(shownIn(new URLSearchParams({ shown: "999999" }), step)).toBe(shown);
    for (const nonsense of ["", "-3", "0", "many"])
      expect(shownIn(new URLSearchParams({ shown: nonsense }), step)).toBe(step);
  },
);

it("When more was read than is shown, then there is more", () => {
  const page = (items: number[], next: string | null) => ({ items, next, total: 4 });
  const pages = [page([1, 2], "a"), page([3, 4], null)];
  expect(firstItems({ pages }, 2)).toEqual({ items: [1, 2], hasMore: true, total: 4 });
  expect(firstItems({ pages }, 4)).toEqual({ items: [1, 2, 3, 4], hasMore: false, total: 4 });
  expect(firstItems({ pages: [page([1], "a")] })).toEqual({ items: [1], hasMore: true, total: 4 });
});

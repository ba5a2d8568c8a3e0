import { expect, it } from "vitest";
import { firstItems, maxShown, pageOf, shownCount } from "./pages.ts";

it("When a list is shown, then the URL decides how many, in whole pages and up to `maxShown`", () => {
  const shown = (value?: string) =>
    shownCount(new URLSearchParams(value === undefined ? {} : { shown: value }), 20);
  for (const nonsense of [undefined, "", "-3", "0", "many"]) expect(shown(nonsense)).toBe(20);
  expect(["21", "40", "999999"].map(shown)).toEqual([40, 40, maxShown(20)]);
  expect(maxShown(20)).toBe(1_000);
});

it("When more items are loaded than shown, or there are more pages, then there are more", () => {
  const page = (items: number[], next: string | null = null) => ({ items, next, total: 4 });
  const pages = [page([1, 2], "a"), page([3, 4])];
  expect(firstItems({ pages }, 2)).toEqual({ items: [1, 2], hasMore: true, total: 4 });
  expect(firstItems({ pages }, 4)).toEqual({ items: [1, 2, 3, 4], hasMore: false, total: 4 });
  expect(firstItems({ pages: [page([1], "a")] })).toEqual({ items: [1], hasMore: true, total: 4 });
  expect(firstItems({ pages: [] }, 20)).toEqual({ items: [], hasMore: false, total: null });
});

it("When an item moved to a later page between two reads, then it appears once, with its latest data", () => {
  const page = (...items: [id: string, budget: number][]) => ({
    items: items.map(([_id, budget]) => ({ _id, budget })),
    next: null,
    total: 3,
  });
  const { items } = firstItems({ pages: [page(["a", 10], ["b", 20]), page(["a", 30], ["c", 40])] }, 24);
  expect(items.map(({ _id, budget }) => [_id, budget])).toEqual([
    ["a", 30],
    ["b", 20],
    ["c", 40],
  ]);
});

it.each([
  ['</tasks?limit=24&cursor=a%2Bb>; rel="next"', "a+b"],
  ["<https://api.example/tasks?cursor=c1> ; rel=next", "c1"],
  ['</tasks?limit=24>; rel="next"', null],
  ['</tasks?cursor=c1>; rel="prev"', null],
  ["", null],
])("When the Link header of a list is %s, then the next cursor is %j", (link, next) => {
  expect(pageOf({ data: [1], headers: new Headers({ Link: link }) })).toEqual({
    items: [1],
    next,
    total: null,
  });
});

it.each([
  ["0", "exact", 0],
  ["25", "estimate", 25],
  ["25", "at-least", null],
])("When the server counted %s matches (%s), then their number is %s", (count, is, total) => {
  const headers = new Headers({ "X-Total-Count": count, "X-Total-Count-Is": is });
  expect(pageOf({ data: [], headers }).total).toBe(total);
});

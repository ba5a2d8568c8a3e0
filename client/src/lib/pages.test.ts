import { expect, it } from "vitest";
import { firstItems, listQuery, maxShown, pageOf, shownCount } from "./pages.ts";

it.each([20, 24])("When a list grows by %i, then each step shows more, up to `maxShown`", (step) => {
  let shown = step;
  while (shown < maxShown(step)) {
    const next = shownCount(new URLSearchParams({ shown: String(shown + step) }), step);
    expect(next).toBe(shown + step);
    shown = next;
  }
  expect(shown).toBe(50 * step);
  expect(shownCount(new URLSearchParams({ shown: "999999" }), step)).toBe(shown);
  for (const nonsense of ["", "-3", "0", "many"])
    expect(shownCount(new URLSearchParams({ shown: nonsense }), step)).toBe(step);
});

it("When more items are loaded than shown, then there are more", () => {
  const page = (items: number[], next: string | null) => ({ items, next, total: 4 });
  const pages = [page([1, 2], "a"), page([3, 4], null)];
  expect(firstItems({ pages }, 2)).toEqual({ items: [1, 2], hasMore: true, total: 4 });
  expect(firstItems({ pages }, 4)).toEqual({ items: [1, 2, 3, 4], hasMore: false, total: 4 });
  expect(firstItems({ pages: [page([1], "a")] })).toEqual({ items: [1], hasMore: true, total: 4 });
});

it("When an item moved to a later page between two reads, then it appears once, with its latest data", () => {
  const page = (...items: [id: string, budget: number][]) => ({
    items: items.map(([_id, budget]) => ({ _id, budget })),
    next: null,
    total: 3,
  });
  const { items } = firstItems({ pages: [page(["a", 10], ["b", 20]), page(["a", 30], ["c", 40])] }, 24);
  expect(items).toEqual([
    { _id: "a", budget: 30 },
    { _id: "b", budget: 20 },
    { _id: "c", budget: 40 },
  ]);
});

it.each([
  ['</tasks?limit=24&cursor=a%2Bb>; rel="next"', "a+b"],
  ["<https://api.example/tasks?cursor=c1> ; rel=next", "c1"],
  ['</tasks?cursor=c1>;rel="next"', "c1"],
  ['</tasks?limit=24>; rel="next"', null],
  ['</tasks?cursor=c1>; rel="prev"', null],
  ["nonsense", null],
])("When the Link header of a list is %s, then the next cursor is %j", (link, next) => {
  const headers = new Headers({ Link: link, "X-Total-Count": "7" });
  expect(pageOf({ data: [1, 2], headers })).toEqual({ items: [1, 2], next, total: 7 });
});

it("When a list has no next page and no count, then both are null", () => {
  expect(pageOf({ data: [], headers: new Headers() })).toEqual({ items: [], next: null, total: null });
  expect(pageOf({ data: [], headers: new Headers({ "X-Total-Count": "0" }) }).total).toBe(0);
});

it("When the server counted only in part, then the number of matches is unknown", () => {
  const total = (is: string) =>
    pageOf({ data: [1], headers: new Headers({ "X-Total-Count": "25", "X-Total-Count-Is": is }) }).total;
  expect(["exact", "estimate", "at-least"].map(total)).toEqual([25, 25, null]);
});

it("When a list grows, then each page is requested with the previous page's cursor, until there is none", async () => {
  const requests: unknown[] = [];
  const query = listQuery(["list"], 20, async (page) => {
    requests.push(page);
    return { data: [], headers: new Headers() };
  });
  expect([query.queryKey, query.pageSize, query.initialPageParam]).toEqual([["list"], 20, undefined]);
  const read = query.queryFn as (context: { pageParam: string | undefined }) => Promise<unknown>;
  for (const pageParam of [undefined, "c1"]) await read({ pageParam });
  expect(requests).toEqual([
    { limit: "20", cursor: undefined },
    { limit: "20", cursor: "c1" },
  ]);
  const after = (next: string | null) =>
    query.getNextPageParam({ items: [], next, total: null }, [], undefined, []);
  expect([after("c1"), after(null)]).toEqual(["c1", null]);
});

it("When nothing of a list is loaded, or its only page is the last, then there are no more items", () => {
  expect(firstItems({ pages: [] }, 20)).toEqual({ items: [], hasMore: false, total: null });
  expect(firstItems({ pages: [{ items: [1], next: null, total: null }] })).toEqual({
    items: [1],
    hasMore: false,
    total: null,
  });
});

it("When the URL's `shown` ends within a page, then it is rounded up to a whole page", () => {
  expect(shownCount(new URLSearchParams({ shown: "21" }), 20)).toBe(40);
  expect(shownCount(new URLSearchParams(), 20)).toBe(20);
});

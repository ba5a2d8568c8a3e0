import { expect, test } from "vitest";
import { NewBidNotices } from "./new-bid-notices.ts";

/** One task with two acknowledged bids and one that was sent without a response. */
function twoBidsAndOneUnsure(): NewBidNotices {
  const all = new NewBidNotices();
  all.placed("t");
  all.placed("t");
  all.unsure("t");
  return all;
}

test.each([
  [1, "t: notified of 1 new bids; 2 were acknowledged, 1 sent without a response"],
  [2, undefined],
  [3, undefined],
  [4, "t: notified of 4 new bids; 2 were acknowledged, 1 sent without a response"],
])("When a client was notified of %i new bids on such a task, then the problem is %s", (times, problem) => {
  expect(twoBidsAndOneUnsure().problems(new Map([["t", times]]))).toEqual(
    problem === undefined ? [] : [problem],
  );
});

test("When a client was not notified at all, or about a task without bids, then both are problems", () => {
  expect(twoBidsAndOneUnsure().problems(new Map())).toHaveLength(1);
  expect(
    twoBidsAndOneUnsure().problems(
      new Map([
        ["t", 2],
        ["other", 1],
      ]),
    ),
  ).toHaveLength(1);
});

import { expect, test } from "vitest";
import { Arrivals } from "./arrivals.ts";

/** Two bids were acknowledged on one task, and one was sent without a response. */
function arrivals(): Arrivals {
  const all = new Arrivals();
  all.placed("t");
  all.placed("t");
  all.unsure("t");
  return all;
}

test.each([
  [1, "t: told of 1 new bids; 2 were acknowledged, 1 sent without a response"],
  [2, undefined],
  [3, undefined],
  [4, "t: told of 4 new bids; 2 were acknowledged, 1 sent without a response"],
])("When a client was told of %i new bids on such a task, then the problem is %s", (times, problem) => {
  expect(arrivals().problems(new Map([["t", times]]))).toEqual(problem === undefined ? [] : [problem]);
});

test("When a client was told of nothing, or of a task without bids, then both are problems", () => {
  expect(arrivals().problems(new Map())).toHaveLength(1);
  expect(
    arrivals().problems(
      new Map([
        ["t", 2],
        ["other", 1],
      ]),
    ),
  ).toHaveLength(1);
});

import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useResult } from "./action-form.tsx";

it("When a fetcher's data arrives before its state, then each result is reported once, after the state has changed", () => {
  const reported: string[] = [];
  type Fetcher = { state: string; data: { outcome: string } | undefined };
  const start: Fetcher = { state: "idle", data: undefined };
  const { rerender } = renderHook(
    (fetcher: Fetcher) => useResult(fetcher, ({ outcome }) => void reported.push(outcome)),
    { initialProps: start },
  );
  const first = { outcome: "awarded" };
  rerender({ state: "submitting", data: undefined });
  rerender({ state: "submitting", data: first });
  expect(reported).toEqual([]);
  rerender({ state: "loading", data: first });
  rerender({ state: "idle", data: first });
  expect(reported).toEqual(["awarded"]);
  // The next attempt is aborted, so there is no new result.
  rerender({ state: "submitting", data: first });
  rerender({ state: "idle", data: first });
  expect(reported).toEqual(["awarded"]);
  rerender({ state: "submitting", data: first });
  rerender({ state: "loading", data: { outcome: "completed" } });
  expect(reported).toEqual(["awarded", "completed"]);
});

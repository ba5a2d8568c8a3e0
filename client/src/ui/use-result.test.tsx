import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useResult } from "./action-form.tsx";

it("When the data comes before the state that belongs to it, then it is told with the state, and each result once", () => {
  const told: string[] = [];
  type Fetcher = { state: string; data: { did: string } | undefined };
  const start: Fetcher = { state: "idle", data: undefined };
  const { rerender } = renderHook(
    (fetcher: Fetcher) => useResult(fetcher, ({ did }) => void told.push(did)),
    { initialProps: start },
  );
  const first = { did: "awarded" };
  rerender({ state: "submitting", data: undefined });
  rerender({ state: "submitting", data: first });
  expect(told).toEqual([]);
  rerender({ state: "loading", data: first });
  rerender({ state: "idle", data: first });
  expect(told).toEqual(["awarded"]);
  // The next try is given up: nothing new has happened.
  rerender({ state: "submitting", data: first });
  rerender({ state: "idle", data: first });
  expect(told).toEqual(["awarded"]);
  rerender({ state: "submitting", data: first });
  rerender({ state: "loading", data: { did: "completed" } });
  expect(told).toEqual(["awarded", "completed"]);
});

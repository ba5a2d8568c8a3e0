import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aTaskEvent } from "../testing/builders.ts";
import { liveTasks, useWatchedTask } from "./live.ts";

const event = aTaskEvent({ taskId: "a", bidsCount: 2 });

it("When the stream reports a change or the end of the watched task, then the page is notified", () => {
  const onChange = vi.fn();
  const { unmount } = renderHook(() => useWatchedTask("a", onChange));
  expect(liveTasks.watched()).toBe("a");
  liveTasks.deliver("a", event);
  liveTasks.deliver("b", { ...event, taskId: "b" });
  liveTasks.deliver("a", { nonsense: true });
  liveTasks.deliver("a", null);
  expect(onChange.mock.calls).toEqual([[event], [null]]);
  unmount();
  expect(liveTasks.watched()).toBeNull();
});

it("When the page shows another task, then that one is watched from then on", () => {
  const onWatchedChange = vi.fn();
  const unsubscribe = liveTasks.subscribe(onWatchedChange);
  const { rerender, unmount } = renderHook((id) => useWatchedTask(id, vi.fn()), { initialProps: "a" });
  rerender("b");
  expect(liveTasks.watched()).toBe("b");
  onWatchedChange.mockClear();
  unmount();
  expect(onWatchedChange).toHaveBeenCalledTimes(1);
  unsubscribe();
});

import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { aTaskEvent } from "../testing/builders.ts";
import { liveTasks, useLiveTask } from "./live.ts";

const event = aTaskEvent({ taskId: "a", bidsCount: 2 });

it("When the stream reports a change or the end of the watched task, then the page is notified", () => {
  const onChange = vi.fn();
  const { unmount } = renderHook(() => useLiveTask("a", onChange));
  expect(liveTasks.watched()).toBe("a");
  liveTasks.deliver("a", event);
  liveTasks.deliver("b", { ...event, taskId: "b" });
  liveTasks.deliver("a", { nonsense: true });
  liveTasks.deliver("a", null);
  expect(onChange.mock.calls).toEqual([[event], [null]]);
  unmount();
  expect(liveTasks.watched()).toBeNull();
});

it("When a second component watches the same task later, then it receives the latest event", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  renderHook(() => useLiveTask("a", first));
  liveTasks.deliver("a", event);
  renderHook(() => useLiveTask("a", second));
  expect(second.mock.calls).toEqual([[event]]);
  expect(first).toHaveBeenCalledTimes(1);
});

it("When a dialog watches another task, then that one is watched until it closes, and then the first again", () => {
  const onWatchedChange = vi.fn();
  const unsubscribe = liveTasks.subscribe(onWatchedChange);
  renderHook(() => useLiveTask("a", vi.fn()));
  const { unmount } = renderHook(() => useLiveTask("b", vi.fn()));
  expect(liveTasks.watched()).toBe("b");
  unmount();
  expect(liveTasks.watched()).toBe("a");
  expect(onWatchedChange).toHaveBeenCalledTimes(3);
  unsubscribe();
});

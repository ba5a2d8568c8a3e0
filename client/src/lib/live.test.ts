import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { liveTasks, useLiveTask } from "./live.ts";

const event = {
  taskId: "a",
  bidsCount: 2,
  bidsRevision: 5,
  questionsRevision: 0,
  state: "open" as const,
  version: 1,
};

it("When the stream tells of the watched task, then the page hears of it, and of its end", () => {
  const heard = vi.fn();
  const { unmount } = renderHook(() => useLiveTask("a", heard));
  expect(liveTasks.wanted()).toBe("a");
  liveTasks.deliver("a", event);
  liveTasks.deliver("b", { ...event, taskId: "b" });
  liveTasks.deliver("a", { nonsense: true });
  liveTasks.deliver("a", null);
  expect(heard.mock.calls).toEqual([[event], [null]]);
  unmount();
  expect(liveTasks.wanted()).toBeNull();
});

it("When a second one watches the same task later, then it is told what the stream said before", () => {
  const [first, second] = [vi.fn(), vi.fn()];
  renderHook(() => useLiveTask("a", first));
  liveTasks.deliver("a", event);
  renderHook(() => useLiveTask("a", second));
  expect(second.mock.calls).toEqual([[event]]);
  expect(first).toHaveBeenCalledTimes(1);
});

it("When another page on top watches another task, then the stream is asked for that one, and for the first again after it", () => {
  const changed = vi.fn();
  const stop = liveTasks.subscribe(changed);
  renderHook(() => useLiveTask("a", vi.fn()));
  const { unmount } = renderHook(() => useLiveTask("b", vi.fn()));
  expect(liveTasks.wanted()).toBe("b");
  unmount();
  expect(liveTasks.wanted()).toBe("a");
  expect(changed).toHaveBeenCalledTimes(3);
  stop();
});

it("When nothing is to be watched, then the stream is not asked", () => {
  renderHook(() => useLiveTask(null, vi.fn()));
  expect(liveTasks.wanted()).toBeNull();
});

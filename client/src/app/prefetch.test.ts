import type { RouteObject } from "react-router-dom";
import { expect, it, vi } from "vitest";
import { loadCode, prefetchOnIntent } from "./prefetch.ts";

function aTree() {
  const page = vi.fn(async () => () => null);
  const other = vi.fn(async () => () => null);
  const routes: RouteObject[] = [
    {
      children: [
        { path: "task/:id", lazy: { Component: page } },
        { path: "other", lazy: { Component: other } },
      ],
    },
  ];
  return { routes, page, other };
}

it("When a pointer rests on a link, then the code of that page is fetched, and no other", () => {
  vi.useFakeTimers();
  const { routes, page, other } = aTree();
  document.body.innerHTML =
    '<a href="/task/7"><b>Task</b></a><a href="https://elsewhere.example/other">x</a>';
  const stop = prefetchOnIntent(routes);
  document.querySelector("b")?.dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(page).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(page).toHaveBeenCalledTimes(1);
  document.querySelectorAll("a")[1]?.dispatchEvent(new Event("focusin", { bubbles: true }));
  vi.advanceTimersByTime(100);
  expect(other).not.toHaveBeenCalled();
  stop();
  vi.useRealTimers();
  document.body.innerHTML = "";
});

it("When the code cannot be fetched, then nothing is thrown", async () => {
  const load = vi.fn(async () => Promise.reject(new Error("offline")));
  loadCode([{ path: "x", lazy: { Component: load } }], "/x");
  await Promise.resolve();
  expect(load).toHaveBeenCalled();
});

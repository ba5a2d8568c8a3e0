import type { RouteObject } from "react-router-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSession } from "../auth/session.tsx";
import { createFakeApi } from "../testing/fake-api.ts";
import { createFakeFirebase } from "../testing/fake-firebase.ts";
import { prefetch, prefetchOnIntent } from "./prefetch.ts";
import { createServices } from "./router.tsx";

const services = createServices({
  api: createFakeApi(() => ({ data: null })),
  session: createSession(async () => createFakeFirebase()),
});

function aTree() {
  const loader = vi.fn(async () => null);
  const page = vi.fn(async () => ({ Component: () => null, loader }));
  const other = vi.fn(async () => ({ Component: () => null }));
  const routes: RouteObject[] = [
    {
      children: [
        { path: "task/:id", lazy: page },
        { path: "other", lazy: other },
      ],
    },
  ];
  return { routes, page, loader, other };
}

let stopPrefetching = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML =
    '<a href="/task/7?a=b"><b>Task</b></a><a href="https://elsewhere.example/other">x</a>';
});

afterEach(() => {
  stopPrefetching();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

const dispatch = (selector: string, type: string) =>
  document.querySelector(selector)?.dispatchEvent(new Event(type, { bubbles: true }));

it("When the pointer rests on a link, then only that page's code and data are fetched", async () => {
  const { routes, page, loader, other } = aTree();
  stopPrefetching = prefetchOnIntent(services, routes);
  dispatch("b", "pointerover");
  expect(page).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(page).toHaveBeenCalledTimes(1);
  expect(loader).toHaveBeenCalledWith(expect.objectContaining({ params: { id: "7" } }));
  dispatch("a:last-child", "focusin");
  await vi.advanceTimersByTimeAsync(100);
  expect(other).not.toHaveBeenCalled();
});

it("When a link is pressed, then its page is fetched immediately; when it is clicked, then nothing is prefetched", async () => {
  const { routes, page } = aTree();
  stopPrefetching = prefetchOnIntent(services, routes);
  dispatch("b", "pointerover");
  dispatch("b", "click");
  await vi.advanceTimersByTimeAsync(100);
  expect(page).not.toHaveBeenCalled();
  dispatch("b", "pointerdown");
  await vi.advanceTimersByTimeAsync(0);
  expect(page).toHaveBeenCalledTimes(1);
});

it("When the browser's data saver is on, then nothing is prefetched", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  const { routes, page, loader } = aTree();
  stopPrefetching = prefetchOnIntent(services, routes);
  dispatch("b", "pointerover");
  await vi.advanceTimersByTimeAsync(100);
  expect(page).not.toHaveBeenCalled();
  expect(loader).not.toHaveBeenCalled();
});

it("When code or data cannot be fetched, then nothing is thrown", async () => {
  const fail = vi.fn(async () => Promise.reject(new Error("offline")));
  const tree = [
    { path: "x", lazy: fail },
    { path: "y", lazy: async () => ({ loader: fail }) },
  ];
  prefetch(services, "http://localhost/x", tree);
  prefetch(services, "http://localhost/y", tree);
  await vi.advanceTimersByTimeAsync(0);
  expect(fail).toHaveBeenCalledTimes(2);
});

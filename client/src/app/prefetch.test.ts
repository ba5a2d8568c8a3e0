import type { RouteObject } from "react-router-dom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createSession } from "../auth/session.ts";
import { createFakeApi } from "../testing/fake-api.ts";
import { createFakeAuthGateway } from "../testing/fake-auth-gateway.ts";
import { prefetch, prefetchOnIntent } from "./prefetch.ts";

const services = {
  api: createFakeApi(() => ({ data: null })),
  session: createSession(async () => createFakeAuthGateway()),
};

function aTree() {
  const page = vi.fn(async () => () => null);
  const loader = vi.fn(async () => null);
  const other = vi.fn(async () => () => null);
  const routes: RouteObject[] = [
    {
      children: [
        { path: "task/:id", lazy: { Component: page, loader: async () => loader } },
        { path: "other", lazy: { Component: other } },
      ],
    },
  ];
  return { routes, page, loader, other };
}

let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML =
    '<a href="/task/7?a=b"><b>Task</b></a><a href="https://elsewhere.example/other">x</a>';
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

const on = (selector: string, type: string) =>
  document.querySelector(selector)?.dispatchEvent(new Event(type, { bubbles: true }));

it("When a pointer rests on a link, then code and data of that page are fetched, and no other", async () => {
  const { routes, page, loader, other } = aTree();
  stop = prefetchOnIntent(routes, services);
  on("b", "pointerover");
  expect(page).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(100);
  expect(page).toHaveBeenCalledTimes(1);
  expect(loader).toHaveBeenCalledWith(expect.objectContaining({ params: { id: "7" } }));
  on("a:last-child", "focusin");
  await vi.advanceTimersByTimeAsync(100);
  expect(other).not.toHaveBeenCalled();
});

it("When a link is pressed, then nothing is waited for; when it is clicked, then the router is left to it", async () => {
  const { routes, page } = aTree();
  stop = prefetchOnIntent(routes, services);
  on("b", "pointerover");
  on("b", "click");
  await vi.advanceTimersByTimeAsync(100);
  expect(page).not.toHaveBeenCalled();
  on("b", "pointerdown");
  await vi.advanceTimersByTimeAsync(0);
  expect(page).toHaveBeenCalledTimes(1);
});

it("When the browser saves data, then nothing is fetched", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  const { routes, page, loader } = aTree();
  stop = prefetchOnIntent(routes, services);
  on("b", "pointerover");
  await vi.advanceTimersByTimeAsync(100);
  expect(page).not.toHaveBeenCalled();
  expect(loader).not.toHaveBeenCalled();
});

it("When code or data cannot be fetched, then nothing is thrown", async () => {
  const load = vi.fn(async () => Promise.reject(new Error("offline")));
  const loader = vi.fn(load);
  const lazy = { Component: load, loader: async () => loader };
  prefetch([{ path: "x", lazy }], "http://localhost/x", services);
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalled();
  expect(loader).toHaveBeenCalled();
});

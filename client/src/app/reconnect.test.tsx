import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { apiStatus, watchReadiness } from "../lib/api-status.ts";
import { offlineProblem } from "../lib/problem.ts";
import { aTask } from "../testing/builders.ts";
import { createServer, openApp } from "../testing/open-app.tsx";
import { ReconnectBanner } from "./reconnect-banner.tsx";

const LONG_TIME_MS = 10 * 60_000;
let hidden = false;
/** When `GET /ready` was called, in ms since 1970. */
let checks: number[] = [];
let stop = () => {};
let ready: () => Response = () => new Response();

beforeEach(() => {
  hidden = false;
  checks = [];
  ready = () => new Response();
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("fetch", async (url: string) => {
    // Ignores the event streams of apps from earlier tests.
    if (url === "/ready") checks.push(Date.now());
    return ready();
  });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const unavailable = (headers?: Record<string, string>) => () =>
  new Response(null, { status: 503, ...(headers && { headers }) });
const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const markDown = (retryAfter?: number) => act(async () => apiStatus.markDown("connection", retryAfter));

function renderBanner() {
  vi.useFakeTimers();
  stop = watchReadiness("/ready");
  return render(<ReconnectBanner />).container;
}

describe("the banner", () => {
  it("When the API is down, then the banner says so, then briefly that it is back, and disappears", async () => {
    const banner = renderBanner();
    expect(banner).toHaveTextContent(/^$/);
    expect(banner.querySelector('[aria-live="polite"]')).toBeInTheDocument();
    ready = unavailable();
    await markDown();
    expect(banner).toHaveTextContent(/^Reconnecting…$/);
    await advance(20_000);
    expect(banner).toHaveTextContent(/^Reconnecting…$/);
    ready = () => new Response();
    await advance(30_000);
    expect(banner).toHaveTextContent(/^$/);

    await markDown();
    await advance(1_500);
    expect(banner).toHaveTextContent(/^Reconnecting…$/);
    await act(async () => apiStatus.markUp());
    expect(banner).toHaveTextContent(/^You are back online\.$/);
    await advance(5_000);
    expect(banner).toHaveTextContent(/^$/);
    const checksBefore = checks.length;
    await advance(LONG_TIME_MS);
    expect(checks).toHaveLength(checksBefore);
  });

  it("When the API stays down, then the checks become less frequent", async () => {
    renderBanner();
    ready = unavailable();
    await markDown();
    await advance(LONG_TIME_MS);
    const gaps = checks.slice(1).map((at, index) => at - (checks[index] ?? 0));
    expect(gaps.slice(0, 4).every((gap, index) => gap > (gaps[index - 1] ?? 0))).toBe(true);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(37_500);
    expect(checks.length).toBeLessThan(40);
  });

  it("When the server sends Retry-After, then there is no check before that, even if the browser comes online", async () => {
    renderBanner();
    ready = unavailable({ "Retry-After": "120" });
    await markDown(20);
    fireEvent(window, new Event("online"));
    await advance(19_900);
    expect(checks).toEqual([]);
    await advance(200);
    expect(checks).toHaveLength(1);
    await advance(119_000);
    expect(checks).toHaveLength(1);
    await advance(40_000);
    expect(checks).toHaveLength(2);
  });

  it("When the page is hidden, then there are no checks; when it is visible again, then there is one immediately", async () => {
    renderBanner();
    ready = unavailable();
    await markDown();
    hidden = true;
    fireEvent(document, new Event("visibilitychange"));
    await advance(LONG_TIME_MS);
    expect(checks).toEqual([]);
    hidden = false;
    fireEvent(document, new Event("visibilitychange"));
    await advance(0);
    expect(checks).toHaveLength(1);
  });

  it("When the browser reports offline, then there is an outage once the API does not respond", async () => {
    const banner = renderBanner();
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    fireEvent(window, new Event("offline"));
    await advance(10);
    expect(checks).toHaveLength(1);
    expect(banner).toHaveTextContent(/^$/);
    ready = () => {
      throw new TypeError("Failed to fetch");
    };
    await advance(1_500);
    expect(banner).toHaveTextContent("You are offline.");
    ready = () => new Response();
    onLine.mockReturnValue(true);
    fireEvent(window, new Event("online"));
    await advance(10);
    expect(banner).toHaveTextContent("You are back online.");
    const checksBefore = checks.length;
    await advance(LONG_TIME_MS);
    expect(checks).toHaveLength(checksBefore);
  });

  it("When the browser reports offline, but the API always responds, then the checks become less frequent", async () => {
    const banner = renderBanner();
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    fireEvent(window, new Event("offline"));
    await advance(LONG_TIME_MS);
    expect(banner).toHaveTextContent(/^$/);
    expect(checks.length).toBeGreaterThan(10);
    expect(checks.length).toBeLessThan(40);
  });

  it("When the API is ready but goes down again and again, then the checks do not become more frequent", async () => {
    renderBanner();
    await markDown();
    for (let round = 0; round < 5; round++) {
      while (apiStatus.outage()) await advance(100);
      await markDown();
    }
    const gaps = checks.slice(1).map((at, index) => at - (checks[index] ?? 0));
    expect(gaps.at(-1)).toBeGreaterThan(8_000);
  });
});

describe("a page that did not load", () => {
  it("When the API is back, then the page loads automatically", async () => {
    let down = true;
    ready = () => new Response(null, { status: down ? 503 : 200 });
    const server = createServer({ "GET /tasks": [aTask({ title: "Back again" })] });
    server.fails.reads = offlineProblem();
    openApp("/browsetask", {}, { person: null, server });
    stop = watchReadiness("/ready");
    await screen.findByRole("button", { name: "Try again" });
    await screen.findByText("Reconnecting…");
    down = false;
    server.fails.reads = undefined;
    await screen.findByRole("link", { name: "See more: Back again" });
    expect(screen.queryByText("Reconnecting…")).toBeNull();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });
});

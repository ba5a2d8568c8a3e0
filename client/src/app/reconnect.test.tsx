import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { apiStatus, watchReadiness } from "../lib/api-status.ts";
import { offlineProblem } from "../lib/problem.ts";
import { aTask } from "../testing/builders.ts";
import { createFakeApi } from "../testing/fake-api.ts";
import { createFakeAuthGateway } from "../testing/fake-auth-gateway.ts";
import { renderApp } from "../testing/render-app.tsx";
import { ReconnectBanner } from "./reconnect-banner.tsx";

const NEVER = 10 * 60_000;
let hidden = false;
let asked: number[] = [];
let stop = () => {};
let ready: () => Response = () => new Response();

beforeEach(() => {
  hidden = false;
  asked = [];
  ready = () => new Response();
  apiStatus.markUp();
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.stubGlobal("fetch", async (url: string) => {
    // The live events of an app rendered before are no question of whether the API is there.
    if (url === "/ready") asked.push(Date.now());
    return ready();
  });
});
afterEach(() => {
  stop();
  apiStatus.markUp();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const away = (headers?: Record<string, string>) => () =>
  new Response(null, { status: 503, ...(headers && { headers }) });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const lose = (retryAfter?: number) => act(async () => apiStatus.markDown("connection", retryAfter));

function banner() {
  vi.useFakeTimers();
  stop = watchReadiness("/ready");
  return render(<ReconnectBanner />).container;
}

describe("the banner", () => {
  it("When the API is away, then it is said politely until it is back, which is said once and goes by itself", async () => {
    const place = banner();
    expect(place).toHaveTextContent(/^$/);
    expect(place.querySelector('[aria-live="polite"]')).toBeInTheDocument();
    ready = away();
    await lose();
    expect(place).toHaveTextContent(/^Reconnecting…$/);
    await pass(20_000);
    expect(place).toHaveTextContent(/^Reconnecting…$/);
    ready = () => new Response();
    await pass(30_000);
    expect(place).toHaveTextContent(/^$/);

    await lose();
    await pass(1_500);
    expect(place).toHaveTextContent(/^Reconnecting…$/);
    await act(async () => apiStatus.markUp());
    expect(place).toHaveTextContent(/^You are back online\.$/);
    await pass(5_000);
    expect(place).toHaveTextContent(/^$/);
    const questions = asked.length;
    await pass(NEVER);
    expect(asked).toHaveLength(questions);
  });

  it("When the API stays away, then it is asked ever more seldom", async () => {
    banner();
    ready = away();
    await lose();
    await pass(NEVER);
    const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(gaps.slice(0, 4).every((gap, index) => gap > (gaps[index - 1] ?? 0))).toBe(true);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(37_500);
    expect(asked.length).toBeLessThan(40);
  });

  it("When the server names a time, then it is not asked before, not even when the browser says online", async () => {
    banner();
    ready = away({ "Retry-After": "120" });
    await lose(20);
    fireEvent(window, new Event("online"));
    await pass(19_900);
    expect(asked).toEqual([]);
    await pass(200);
    expect(asked).toHaveLength(1);
    await pass(119_000);
    expect(asked).toHaveLength(1);
    await pass(40_000);
    expect(asked).toHaveLength(2);
  });

  it("When the page is hidden, then nothing is asked; when it is seen again, then at once", async () => {
    banner();
    ready = away();
    await lose();
    hidden = true;
    fireEvent(document, new Event("visibilitychange"));
    await pass(NEVER);
    expect(asked).toEqual([]);
    hidden = false;
    fireEvent(document, new Event("visibilitychange"));
    await pass(0);
    expect(asked).toHaveLength(1);
  });

  it("When the browser says that it is online again, then the API is asked at once", async () => {
    const place = banner();
    ready = away();
    await lose();
    await pass(60_000);
    ready = () => new Response();
    fireEvent(window, new Event("online"));
    await pass(1);
    expect(place).toHaveTextContent("You are back online.");
  });

  it("When the browser says offline, then that is believed only if the API does not respond", async () => {
    const place = banner();
    fireEvent(window, new Event("offline"));
    await pass(10);
    expect(place).toHaveTextContent(/^$/);
    ready = () => {
      throw new TypeError("Failed to fetch");
    };
    fireEvent(window, new Event("offline"));
    await pass(10);
    expect(place).toHaveTextContent("Reconnecting…");
  });

  it("When the API responds to this question but sheds the rest, then it is asked no more often for that", async () => {
    banner();
    await lose();
    for (let round = 0; round < 5; round++) {
      while (apiStatus.outage()) await pass(100);
      await lose();
    }
    const gaps = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    expect(gaps.at(-1)).toBeGreaterThan(8_000);
  });
});

describe("a page that did not load", () => {
  it("When the API is back, then it loads by itself", async () => {
    let down = true;
    ready = () => new Response(null, { status: down ? 503 : 200 });
    const api = createFakeApi(() => {
      if (down) throw offlineProblem();
      return { data: [aTask({ title: "Back again" })] };
    });
    renderApp("/browsetask", { api, gateway: createFakeAuthGateway() });
    stop = watchReadiness("/ready");
    await screen.findByRole("button", { name: "Try again" });
    await screen.findByText("Reconnecting…");
    down = false;
    await screen.findByRole("link", { name: "See more: Back again" });
    expect(screen.queryByText("Reconnecting…")).toBeNull();
    expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  });
});

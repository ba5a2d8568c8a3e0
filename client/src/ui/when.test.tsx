import { act, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { renderAt, When } from "./now.tsx";

it("When minutes pass, then relative times are updated, by a timer that stops with them", () => {
  vi.useFakeTimers({ now: new Date("2026-11-20T12:00:00Z") });
  const { unmount } = render(<When at="2026-11-20T11:59:30Z" />);
  expect(screen.getByText("just now")).toBeVisible();
  act(() => void vi.advanceTimersByTime(2 * 60_000));
  expect(screen.getByText("2 minutes ago")).toBeVisible();
  act(() => void vi.advanceTimersByTime(60 * 60_000));
  expect(screen.getByText("1 hour ago")).toBeVisible();
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

it("When a minute ends while the server renders a page, then all of it shows one time, which the browser begins with", () => {
  const began = Date.parse("2026-11-20T12:00:59.999Z");
  vi.setSystemTime(began + 1);
  renderAt(began);
  expect(renderToString(<When at="2026-11-20T11:01:00.000Z" />)).toContain("59 minutes ago");
});

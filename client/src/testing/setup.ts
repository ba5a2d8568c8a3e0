import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";

// jsdom lacks these three; the real ones are exercised by the browser journeys.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
vi.stubGlobal("matchMedia", (query: string) => ({
  matches: false,
  media: query,
  addEventListener() {},
  removeEventListener() {},
}));
vi.stubGlobal("scrollTo", () => undefined);

// A test fails on anything said to the console that it did not expect.
let noise: unknown[][] = [];

beforeEach(() => {
  noise = [];
  for (const method of ["error", "warn"] as const) {
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => {
      noise.push(said);
    });
  }
});

afterEach(() => {
  cleanup();
  expect(noise, "unexpected console output").toEqual([]);
  localStorage.clear();
  sessionStorage.clear();
});

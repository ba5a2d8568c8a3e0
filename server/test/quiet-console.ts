import { afterEach, beforeEach, expect, vi } from "vitest";

// Any console output of a test is either a defect or noise that would hide one.
const METHODS = ["log", "info", "warn", "error", "debug"] as const;
let written: string[] = [];

beforeEach(() => {
  written = [];
  for (const method of METHODS) {
    vi.spyOn(console, method).mockImplementation((...args) => void written.push(args.map(String).join(" ")));
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  expect(written).toEqual([]);
});

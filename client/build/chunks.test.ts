import { expect, it } from "vitest";
import { findCycle } from "./chunks.ts";

const graph = (files: Record<string, string[]>) => new Map(Object.entries(files));

it("When files import each other indirectly, then the cycle is reported", () => {
  const files = {
    page: ["ui", "contract"],
    ui: [],
    contract: ["forms"],
    forms: ["ui", "bids"],
    bids: ["contract"],
  };
  expect(findCycle(graph(files))).toEqual(["contract", "forms", "bids", "contract"]);
});

it("When two files import the same third one, then no cycle is reported", () => {
  expect(findCycle(graph({ page: ["ui", "tasks"], tasks: ["ui"], ui: [] }))).toBeUndefined();
});

import { expect, it } from "vitest";
import { findCycle } from "./acyclic-chunks.ts";

const graph = (files: Record<string, string[]>) => new Map(Object.entries(files));

it("When files import each other over others, then the circle is named", () => {
  const files = {
    page: ["ui", "contract"],
    ui: [],
    contract: ["forms"],
    forms: ["ui", "bids"],
    bids: ["contract"],
  };
  expect(findCycle(graph(files))).toEqual(["contract", "forms", "bids", "contract"]);
});

it("When two files import the same third one, then that is no circle", () => {
  expect(findCycle(graph({ page: ["ui", "tasks"], tasks: ["ui"], ui: [] }))).toBeUndefined();
});

import { expect, test } from "vitest";
import { figuresOf, type Phase, type Sent } from "./report.ts";

const phase = (name: string, from: number, to: number): Phase => ({ name, from, to });
const calm = phase("nothing", 0, 1_000);
const killed = phase("API instance killed -9, replaced", 1_000, 2_000);

test("When a request's connection breaks in a later phase, then it counts there", () => {
  const sent: Sent[] = [
    { at: 990, ms: 20, status: undefined, what: "bid" },
    { at: 995, ms: 20, status: 200, what: "bid" },
    { at: 1_500, ms: 20, status: 503, what: "bid" },
  ];
  expect(figuresOf(calm, sent)).toMatchObject({ acknowledged: 1, unanswered: 0, unavailable: 0 });
  expect(figuresOf(killed, sent)).toMatchObject({ acknowledged: 0, unanswered: 1, unavailable: 1 });
});

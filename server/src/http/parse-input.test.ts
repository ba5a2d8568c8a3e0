import { expect, test } from "vitest";
import * as z from "zod/mini";
import { parseInput } from "./parse-input.ts";
import { ProblemError } from "./problem-error.ts";

function errorsOf(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof ProblemError) return error.errors;
    throw error;
  }
  return undefined;
}

test("When a nested field is wrong, then its pointer is escaped (RFC 6901)", () => {
  const schema = z.object({ "a/b~c d": z.array(z.number("A number, please.")) });
  expect(errorsOf(() => parseInput(schema, { "a/b~c d": [1, "2"] }, "body"))).toEqual([
    { pointer: "#/a~1b~0c%20d/1", detail: "A number, please." },
  ]);
});

test("When a body is no object, then the whole of it is pointed at", () => {
  for (const value of [[], "text", 5]) {
    expect(errorsOf(() => parseInput(z.object({}), value, "body"))?.[0]?.pointer).toBe("#");
  }
});

test("When fields are unknown, then they are dropped, prototypes included", () => {
  const value = JSON.parse('{"a":1,"$where":"x","__proto__":{"admin":true}}');
  expect(parseInput(z.object({ a: z.number() }), value, "body")).toEqual({ a: 1 });
});

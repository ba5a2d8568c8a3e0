import { expect, test } from "vitest";
import * as z from "zod/mini";
import { ProblemError } from "./problem-error.ts";
import { ifMatch, parseInput } from "./request-input.ts";

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

const versions = (header?: string) =>
  ifMatch({ headers: header === undefined ? {} : { "if-match": header } });

test("When there is no condition, or any version will do, then none is named", () => {
  expect(versions()).toBeUndefined();
  expect(versions(" * ")).toBeUndefined();
});

test("When tags are ours, then their versions count, whatever follows the dash", () => {
  expect(versions('"7"')).toEqual([7]);
  expect(versions('"7-abc_-gzip"')).toEqual([7]);
  expect(versions('"0" , "12-x,y"')).toEqual([0, 12]);
});

test("When tags are weak or not ours, then they match nothing", () => {
  expect(versions('W/"7", "abc", "", "7x", "-7", "99999999999999999999"')).toEqual([]);
});

test("When the header is no list of tags, then it is refused", () => {
  for (const header of ["7", '"7', '"7" "8"', '"a\u0001"', '"7",,"8"', "W/7", '*, "7"']) {
    expect(() => versions(header), header).toThrow("If-Match");
  }
});

import { expect, test } from "vitest";
import * as z from "zod/mini";
import { ProblemError } from "../domain/problem-error.ts";
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

test("When a body is not an object, then the error points to the whole body and says what is expected", () => {
  for (const value of [[], "text", 5])
    expect(errorsOf(() => parseInput(z.object({}), value, "body"))).toEqual([
      { pointer: "#", detail: "The request body must be a JSON object." },
    ]);
});

test("When fields are unknown, then they are dropped, prototypes included", () => {
  const value = JSON.parse('{"a":1,"$where":"x","__proto__":{"admin":true}}');
  expect(parseInput(z.object({ a: z.number() }), value, "body")).toEqual({ a: 1 });
});

const versions = (header?: string) =>
  ifMatch({ headers: header === undefined ? {} : { "if-match": header } });

test.each<[header: string | undefined, versions: number[] | undefined]>([
  [undefined, undefined],
  ["*", undefined],
  [" * ", undefined],
  ['"7"', [7]],
  ['"7-abc_-gzip"', [7]],
  ['"7-!~#[]\u00ff"', [7]],
  ['"0" , "12-x,y"', [0, 12]],
  ['\t"1"\t,\t"2"\t', [1, 2]],
  ['"999999999999999"', [999_999_999_999_999]],
  // Weak, or not ours.
  ['W/"7", "abc", "", "7x", "-7", "7,8", "9999999999999999"', []],
])("When If-Match is %j, then it names the versions %j", (header, expected) => {
  expect(versions(header)).toEqual(expected);
});

test("When the header is not a list of tags, then it is rejected", () => {
  for (const header of ["7", '"7', '"7" "8"', '"a\u0001"', '"7",,"8"', "W/7", '*, "7"']) {
    expect(() => versions(header), header).toThrow("If-Match");
    expect(() => versions(header)).toThrow(expect.objectContaining({ code: "bad-request" }));
  }
});

test("When a body is missing, then every required field is named", () => {
  const schema = z.object({ title: z.string("Title is required."), stars: z.number("Give stars.") });
  expect(errorsOf(() => parseInput(schema, undefined, "body"))).toEqual([
    { pointer: "#/title", detail: "Title is required." },
    { pointer: "#/stars", detail: "Give stars." },
  ]);
  const message = "Title is required. Give stars.";
  const refused = expect.objectContaining({ code: "invalid", message });
  expect(() => parseInput(schema, undefined, "body")).toThrow(refused);
});

test("When a field has several errors, then only the first is returned, for each field", () => {
  const texts = z.string().check(z.minLength(3, "Too short."), z.regex(/^[a-z]+$/, "Letters only."));
  const errors = errorsOf(() => parseInput(z.object({ a: texts, b: texts }), { a: "1", b: "12" }, "body"));
  expect(errors).toEqual([
    { pointer: "#/a", detail: "Too short." },
    { pointer: "#/b", detail: "Too short." },
  ]);
});

test("When many items of a list are wrong, then the first twenty are named, and the message says each thing once", () => {
  const schema = z.object({ list: z.array(z.number("A number, please.")) });
  const run = () => parseInput(schema, { list: Array(50).fill("a") }, "body");
  expect(errorsOf(run)?.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 20 }, (_, at) => `#/list/${at}`),
  );
  expect(run).toThrow(expect.objectContaining({ message: "A number, please." }));
});

test("When a parameter is invalid, then it is named; when it was given twice, then the message says so", () => {
  const schema = z.object({ sort: z.string("One sort."), limit: z.string("One limit.") });
  expect(errorsOf(() => parseInput(schema, { sort: ["a", "b"] }, "query"))).toEqual([
    { parameter: "sort", detail: 'Give "sort" once.' },
    { parameter: "limit", detail: "One limit." },
  ]);
});

import express from "express";
import supertest from "supertest";
import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { problemOf } from "../../test/builders.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../contract/endpoints.ts";
import type { ProblemError } from "../domain/problem-error.ts";
import { parseInput, readJsonBody } from "./request-input.ts";

/** Nearly what a body may have. */
const BYTES = 99_000;
const distinctLetters = (count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCodePoint(0x4e00 + (at % 20_900))).join("");

const TEXTS: Record<string, string> = {
  "spaces between letters": `x${" ".repeat(BYTES)}x`,
  "invisible letters": `${"\u3164".repeat(BYTES / 3 - 10)}x`,
  "a host name of other scripts": distinctLetters(32_500),
  "a link": `https://${distinctLetters(32_000)}`,
};
const LISTS: Record<string, unknown> = {
  "33,000 empty texts": Array(33_000).fill(""),
  "30,000 objects": Array(30_000).fill({}),
  "five long links": Array(5).fill(`https://${distinctLetters(1_990)}`),
  "an object in an object": { text: { text: "x".repeat(BYTES) } },
};
const shapeOf = (schema: z.core.$ZodType | undefined) =>
  (schema as z.ZodMiniObject | undefined)?._zod.def.shape ?? {};
function fieldsOf(schema: z.core.$ZodType | undefined): string[] {
  const shape = shapeOf(schema);
  // An invalid parameter of an unsubscribe link counts as empty.
  return Object.entries(shape).flatMap(([name, { _zod }]) => (_zod.def.type === "catch" ? [] : [name]));
}
const tried = new Set<unknown>();
/** The fields of all bodies; those that several endpoints share once. */
const FIELDS = ALL_ENDPOINTS.flatMap(({ name, body, bodyOn }: Endpoint) => {
  const schema = bodyOn?.("2026-05-04") ?? body;
  const isNew = (field: string) => tried.size < tried.add(shapeOf(body)[field]).size;
  return schema
    ? fieldsOf(body)
        .filter(isNew)
        .map((field) => ({ name, field, schema }))
    : [];
});
const QUERIES = ALL_ENDPOINTS.flatMap(({ name, query }: Endpoint) => (query ? { name, query } : []));
const MAX_CPU_MS = 50;
const ATTEMPTS = 20;

/** Does it until it was cheap once: the process may be collecting garbage or compiling. */
async function expectCheap<T>(work: () => T | Promise<T>): Promise<T> {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    cheapest = Math.min(cheapest, (user + system) / 1_000);
    if (cheapest < MAX_CPU_MS) return result;
  }
  throw new Error(`it cost at least ${cheapest} ms`);
}

/** The errors with which input is refused. */
async function refusal(schema: z.core.$ZodType, input: object, source: "body" | "query") {
  const problem = await expectCheap(() => problemOf(() => parseInput(schema, input, source)));
  expect(problem).toMatchObject({ code: "invalid" });
  const { message, errors = [] } = problem as ProblemError;
  expect(JSON.stringify([message, errors]).length).toBeLessThan(3_500);
  return errors;
}

test.each(FIELDS)(
  "When $field in the body of $name is huge, then the refusal is short and cheap, and names it",
  async ({ field, schema }) => {
    for (const [name, value] of Object.entries({ ...TEXTS, ...LISTS })) {
      const errors = await refusal(schema, { [field]: value }, "body");
      expect(errors.length, name).toBeLessThanOrEqual(20);
      expect(
        errors.some(({ pointer }) => pointer?.startsWith(`#/${field}`)),
        name,
      ).toBe(true);
    }
  },
);

test.each(QUERIES)(
  "When a parameter of $name is huge, then the refusal is short and cheap, and names it",
  async ({ query }) => {
    for (const parameter of fieldsOf(query)) {
      const errors = await refusal(query, { [parameter]: "x".repeat(15_000) }, "query");
      expect(errors).toEqual([{ parameter, detail: expect.any(String) }]);
    }
  },
);

test.each(Object.entries({ ...TEXTS, ...LISTS }))(
  "When a body is huge, of %s, then reading it is cheap",
  async (_name, value) => {
    const app = express().post("/", async (request, response) => {
      await readJsonBody(request, response);
      response.json(Object.keys(request.body));
    });
    const { body } = await expectCheap(() => supertest(app).post("/").send({ text: value }));
    expect(body).toEqual(["text"]);
  },
);

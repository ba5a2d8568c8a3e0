import type { AddressInfo } from "node:net";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod/mini";
import type { Endpoint } from "../contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../contract/endpoints.ts";
import { type Problem, problemSchema } from "../contract/index.ts";
import { createApi } from "./mount.ts";
import { problemHandler } from "./problem.ts";

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
/** Each written once as JSON. */
const VALUES = Object.entries({ ...TEXTS, ...LISTS }).map(([name, value]) => [name, JSON.stringify(value)]);

const shapeOf = (schema: z.core.$ZodType | undefined) =>
  (schema as z.ZodMiniObject | undefined)?._zod.def.shape ?? {};
function fieldsOf(schema: z.core.$ZodType | undefined): string[] {
  const shape = shapeOf(schema);
  // An invalid parameter of an unsubscribe link counts as empty.
  return Object.entries(shape).flatMap(([name, { _zod }]) => (_zod.def.type === "catch" ? [] : [name]));
}
const BODIES = ALL_ENDPOINTS.filter(({ body }) => body);
const tried = new Set<unknown>();
/** The fields of all bodies; those that several endpoints share once. */
const FIELDS = BODIES.flatMap((endpoint) => {
  const schema = endpoint.body;
  const isNew = (field: string) => tried.size < tried.add(shapeOf(schema)[field]).size;
  return fieldsOf(schema)
    .filter(isNew)
    .map((field) => ({ name: endpoint.name, field, endpoint }));
});
const QUERIES = ALL_ENDPOINTS.filter(({ query }) => fieldsOf(query).length > 0);

const app = express();
app.use((request, _response, next) => {
  Object.assign(request, { id: "test", log: { warn: () => undefined, error: () => undefined } });
  next();
});
const api = createApi({
  verifier: { verify: async () => ({ uid: "ada", isOperator: true }) as never },
  idempotency: (_key, _call, work) => work(),
  admit: async (user) => user,
  deadlineMs: 20_000,
});
for (const endpoint of ALL_ENDPOINTS) api.mount({ endpoint }, { endpoint: () => ({}) as never });
app.use(api.router, problemHandler);
const server = app.listen(0, "127.0.0.1");
afterAll(() => void server.close());

type Sent = { status: number; text: string; cpuMs: number };

/** Sends it and measures this process, which is the client as well. */
async function send({ method, path }: Endpoint, query: string, body?: string): Promise<Sent> {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path.replace(/:\w+/g, "6b013f7acde63707dd8cd5c7")}${query}`;
  const before = process.cpuUsage();
  const response = await fetch(url, {
    method,
    headers: { Authorization: "Bearer token", "Content-Type": "application/json" },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const { user, system } = process.cpuUsage(before);
  return { status: response.status, text, cpuMs: (user + system) / 1_000 };
}

const MAX_CPU_MS = 50;
const ATTEMPTS = 20;

/** Sends it until it was cheap once: the process may be collecting garbage or running another file's timers. */
async function expectShortRefusal(endpoint: Endpoint, query: string, body?: string): Promise<Problem> {
  let cheapest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { status, text, cpuMs } = await send(endpoint, query, body);
    expect([status, text.length < 4_000], text.slice(0, 300)).toEqual([422, true]);
    cheapest = Math.min(cheapest, cpuMs);
    if (cheapest < MAX_CPU_MS) return problemSchema.parse(JSON.parse(text));
  }
  throw new Error(`a refusal cost at least ${cheapest} ms`);
}

beforeAll(async () => {
  // Compiles what every request runs.
  for (const endpoint of BODIES) await send(endpoint, "", "[]");
});

test.each(FIELDS)(
  "When $field in the body of $name is huge, then the refusal is short and cheap, and names it",
  async ({ field, endpoint }) => {
    for (const [name, value] of VALUES) {
      const { errors = [] } = await expectShortRefusal(endpoint, "", `{"${field}":${value}}`);
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
  async (endpoint) => {
    for (const parameter of fieldsOf(endpoint.query)) {
      const { errors } = await expectShortRefusal(endpoint, `?${parameter}=${"x".repeat(15_000)}`);
      expect(errors).toEqual([{ parameter, detail: expect.any(String) }]);
    }
  },
);

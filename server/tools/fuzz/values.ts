import fc from "fast-check";
import { type JsonSchema, namedSchemas } from "../../src/http/openapi/schemas.ts";
import { EXTRA_FIELDS, JSON_VALUES, TEXTS } from "./payloads.ts";

/** Placeholders for ids that are known only when the request is sent: `@own3` is the owner's fourth task. */
const PLACEHOLDERS = [
  "own",
  "guarded",
  "bid",
  "question",
  "report",
  "conversation",
  "queued",
  "suspect",
  "notification",
  "person",
  "email",
  "search",
  "key",
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];
export const PLACEHOLDER_PATTERN = new RegExp(`@(${PLACEHOLDERS.join("|")})(\\d+)`, "g");

/** How many values each placeholder has. */
export const SLOTS = 140;
export const placeholder = (kind: Placeholder) => fc.nat(SLOTS - 1).map((at) => `@${kind}${at}`);

export const naughtyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 300 }) },
);

const SCHEMAS = namedSchemas();

/** An object that matches the schema, as JSON text; hostile ones have wrong values, missing and additional fields. */
export function objectOf(schema: JsonSchema, hostile: boolean): fc.Arbitrary<string> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, inner]) => {
    const good = valueFor(inner, name).map((value) => `${JSON.stringify(name)}:${value}`);
    const bad = fc
      .oneof(
        fc.constantFrom(...JSON_VALUES),
        naughtyText.map((text) => JSON.stringify(text)),
      )
      .map((value) => `${JSON.stringify(name)}:${value}`);
    const missing = fc.constant("");
    if (!hostile) return required.includes(name) ? good : fc.oneof(good, missing);
    return fc.oneof(
      { weight: 5, arbitrary: good },
      { weight: 2, arbitrary: bad },
      { weight: 1, arbitrary: missing },
    );
  });
  const extra = hostile ? fc.array(fc.constantFrom(...EXTRA_FIELDS), { maxLength: 2 }) : fc.constant([]);
  return fc
    .tuple(fc.tuple(...fields), extra)
    .map(([known, more]) => `{${[...known, ...more].filter((member) => member !== "").join(",")}}`);
}

const IDS: Record<string, Placeholder> = {
  bidId: "bid",
  questionId: "question",
  conversationId: "conversation",
  taskId: "own",
  task: "own",
  ids: "notification",
  email: "email",
  person: "person",
  key: "key",
};

/** A value that matches the schema, as JSON text. Supports the parts of JSON Schema that the contract uses. */
export function valueFor(schema: JsonSchema, name: string): fc.Arbitrary<string> {
  const { type, anyOf, pattern, format } = schema as {
    type?: string;
    pattern?: string;
    format?: string;
    anyOf?: JsonSchema[];
  };
  const allowed = schema["enum"] as string[] | undefined;
  if (allowed) return fc.constantFrom(...allowed).map((value) => JSON.stringify(value));
  if (anyOf) return fc.oneof(...anyOf.map((inner) => valueFor(inner, name)));
  const id = IDS[name];
  if (type === "array") {
    return fc
      .array(valueFor(schema["items"] as JsonSchema, name), { maxLength: 5 })
      .map((items) => `[${items.join(",")}]`);
  }
  if (id) return placeholder(id).map((at) => JSON.stringify(at));
  if (name === "limit") return fc.integer({ min: 1, max: 100 }).map((limit) => JSON.stringify(String(limit)));
  if (format === "date")
    return fc.integer({ min: 1, max: 900 }).map((days) => JSON.stringify(dayAfter(days)));
  if (pattern !== undefined) return fc.constant('"x"');
  if (type === "boolean") return fc.boolean().map(String);
  if (type === "null") return fc.constant("null");
  if (type === "integer" || type === "number") {
    const { minimum = 1, maximum = 1_000_000 } = schema as { minimum?: number; maximum?: number };
    return fc
      .integer({ min: minimum, max: maximum })
      .map((whole) => String(type === "integer" ? whole : Math.round(whole + 1) / 100));
  }
  const { maxLength = 100, minLength = 0 } = schema as { maxLength?: number; minLength?: number };
  return fc
    .string({
      unit: "grapheme-composite",
      minLength: Math.max(1, minLength),
      maxLength: Math.min(maxLength, 60),
    })
    .map((text) => JSON.stringify(wellFormed(`a${text}`.slice(0, maxLength))));
}

function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

export function resolved(schema: JsonSchema): JsonSchema {
  const name =
    String(schema["$ref"] ?? "")
      .split("/")
      .at(-1) ?? "";
  return SCHEMAS[name] ?? schema;
}

export function encoded(text: string): string {
  // Keeps placeholders.
  return encodeURIComponent(wellFormed(text)).replace(/^%40(?=[a-z]+\d+$)/, "@");
}

// Lone surrogates have no encoding: replaces them as browsers do.
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Mostly the first arbitrary; one time in `times` the second. */
export function rarely<T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>, times: number): fc.Arbitrary<T> {
  return fc.oneof({ weight: times - 1, arbitrary: usual }, { weight: 1, arbitrary: unusual });
}

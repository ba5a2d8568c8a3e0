import fc from "fast-check";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { type JsonSchema, namedSchemas, queryParameters, refersTo } from "../../src/http/openapi/schemas.ts";
import { inDays } from "../../test/builders.ts";
import {
  BODIES,
  CONTENT_TYPES,
  ENCODED,
  EXTRA_FIELDS,
  HEADERS,
  JSON_VALUES,
  METHODS,
  PARAMETERS,
  TEXTS,
} from "./payloads.ts";

/**
 * A request as it is sent, except that `@task` stands for the id of the task that it is about, `@their-task` for one of
 * people who send nothing, and so on.
 */
export type FuzzRequest = {
  /** Undefined for an anonymous visitor. */
  caller: string | undefined;
  method: string;
  /** Includes the query. */
  path: string;
  headers: readonly (readonly [string, string])[];
  body: string | undefined;
};

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const SCHEMAS = namedSchemas();

/** Mostly the first; one time in `times` the second. */
function rarely<T>(usual: T, unusual: fc.Arbitrary<T>, times: number): fc.Arbitrary<T> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: unusual });
}

const naughtyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
);
// Lone surrogates have no encoding: replaces them as browsers do.
const encoded = (text: string) => encodeURIComponent(Buffer.from(text).toString()).replace(/^%40/, "@");

/** A valid request, with its headers, that any of these people may have sent. */
type Example = Pick<FuzzRequest, "caller" | "method" | "path"> & {
  body: object | undefined;
  callers: readonly string[];
};

export function validRequest({ body, callers: _, ...valid }: Example): FuzzRequest {
  return { ...valid, headers: body ? [JSON_TYPE] : [], body: body && JSON.stringify(body) };
}

/** Requests like this valid one of an endpoint, with something wrong in some of their parts. */
export function requestsLike(endpoint: Endpoint, example: Example): fc.Arbitrary<FuzzRequest> {
  const { caller, method, path, body, callers } = example;
  const whole = fc.record({
    caller: rarely(caller, fc.constantFrom(undefined, ...callers), 3),
    method: rarely(method, fc.constantFrom(...METHODS), 40),
    path: pathLike(path),
    query: queryOf(endpoint),
    headers: headersOf(endpoint),
    sent: bodyLike(body, endpoint),
  });
  return whole.map(({ path, query, headers, sent, ...rest }) => ({
    ...rest,
    path: query === "" ? path : `${path}?${query}`,
    headers: [...headers, ...(sent ? [["Content-Type", sent.type] as const] : [])],
    body: sent?.text,
  }));
}

function pathLike(path: string): fc.Arbitrary<string> {
  const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdefAF"), minLength: 24, maxLength: 24 });
  const segments = path.split("/").map((segment) => {
    if (!segment.startsWith("@")) return fc.constant(segment);
    const naughty = naughtyText.map(encoded).filter((text) => text !== "");
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(segment) },
      { weight: 4, arbitrary: fc.constant(segment.replace("@", "@their-")) },
      ...[hex, fc.constantFrom(...ENCODED), naughty].map((arbitrary) => ({ weight: 1, arbitrary })),
    );
  });
  const right = fc.tuple(...segments).map((all) => all.join("/"));
  return right.chain((text) =>
    rarely(text, fc.constantFrom(`${text}/`, text.replaceAll("/", "//").slice(1), text.toUpperCase()), 40),
  );
}

function queryOf({ query }: Endpoint): fc.Arbitrary<string> {
  const odd = fc.oneof(
    fc.constantFrom(...PARAMETERS),
    fc.tuple(naughtyText, naughtyText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
  );
  const known = (query ? queryParameters(query) : []).map(([name, schema]) => {
    const valid = name === "email" ? fc.constantFrom('"@email"', '"@their-email"') : valueFor(schema);
    const value = fc.oneof(
      { weight: 6, arbitrary: valid.map((json) => encoded(String(JSON.parse(json)))) },
      { weight: 2, arbitrary: naughtyText.map(encoded) },
      { weight: 1, arbitrary: fc.constantFrom(...ENCODED) },
    );
    // A cursor is valid only for the list it came from.
    return rarely(
      "",
      value.map((text) => `${name}=${text}`),
      name === "cursor" ? 12 : 3,
    );
  });
  return fc.tuple(...known, rarely("", odd, 6)).map((parts) => parts.filter((part) => part !== "").join("&"));
}

function headersOf({ accepts = [] }: Endpoint): fc.Arbitrary<(readonly [string, string])[]> {
  const meant = HEADERS.filter(([name]) => accepts.some((accepted) => accepted === name));
  // Those that the endpoint reads as often as all others.
  const any = fc.oneof(
    ...[HEADERS, meant].flatMap((some) => (some.length > 0 ? fc.constantFrom(...some) : [])),
  );
  return rarely<(readonly [string, string])[]>([], fc.array(any, { maxLength: 3 }), 3);
}

type Body = { text: string; type: string } | undefined;

function bodyLike(example: object | undefined, { body }: Endpoint): fc.Arbitrary<Body> {
  const typed = (text: fc.Arbitrary<string>, times: number): fc.Arbitrary<Body> =>
    fc.record({ text, type: rarely(JSON_TYPE[1], fc.constantFrom(...CONTENT_TYPES), times) });
  const invalid = typed(fc.oneof(fc.constantFrom(...BODIES), fc.json({ maxDepth: 4 })), 3);
  if (!body) return rarely<Body>(undefined, invalid, 10);
  return fc.oneof(
    { weight: 12, arbitrary: typed(objectLike(example ?? {}, refersTo(body)), 20) },
    { weight: 2, arbitrary: invalid },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** JSON like the example's, with some of the schema's fields changed, missing or added. */
function objectLike(example: object, { $ref }: JsonSchema): fc.Arbitrary<string> {
  const { properties = {} } = (SCHEMAS[String($ref).split("/").at(-1) ?? ""] ?? {}) as Properties;
  const given = example as Record<string, unknown>;
  const hostile = fc.oneof(fc.constantFrom(...JSON_VALUES), naughtyText.map(toJson));
  const members = [...new Set([...Object.keys(given), ...Object.keys(properties)])].map((name) => {
    const member = (value: fc.Arbitrary<string>) => value.map((text) => `${toJson(name)}:${text}`);
    const usual = name in given ? `${toJson(name)}:${toJson(given[name])}` : "";
    const other = fc.oneof(member(hostile), member(valueFor(properties[name] ?? {})), fc.constant(""));
    return rarely(usual, other, 4);
  });
  return fc
    .tuple(...members, rarely("", fc.constantFrom(...EXTRA_FIELDS), 6))
    .map((all) => `{${all.filter((member) => member !== "").join(",")}}`);
}
type Properties = { properties?: Record<string, JsonSchema> };
const toJson = (value: unknown) => JSON.stringify(value);

/** A value that mostly matches the schema, as JSON text. */
function valueFor(schema: JsonSchema): fc.Arbitrary<string> {
  const { type, items = {}, anyOf, minimum = 0, maximum = 1_000_000, ...rest } = schema as Keywords;
  if (rest.enum) return fc.constantFrom(...rest.enum).map(toJson);
  if (anyOf) return fc.oneof(...anyOf.map(valueFor));
  if (type === "array") return fc.array(valueFor(items), { maxLength: 5 }).map((all) => `[${all.join(",")}]`);
  if (type === "boolean") return fc.boolean().map(toJson);
  if (type === "integer" || type === "number") return fc.integer({ min: minimum, max: maximum }).map(toJson);
  if (rest.format === "date") return fc.nat(900).map((days) => toJson(inDays(days)));
  return naughtyText.map(toJson);
}
type Keywords = {
  type?: string;
  format?: string;
  enum?: unknown[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
};

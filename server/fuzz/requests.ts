import fc from "fast-check";
import { type Endpoint, hasDocumentId } from "../src/contract/endpoint.ts";
import type { EndpointName } from "../src/contract/endpoints.ts";
import { type JsonSchema, namedSchemas, queryParameters, refersTo } from "../src/http/openapi/schemas.ts";
import {
  AUTHORIZATIONS,
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

/** Who sends it. */
const CALLERS = ["anonymous", "owner", "other", "operator"] as const;
export type CallerName = (typeof CALLERS)[number];

/** Stands for an id of what there is when the request is sent: `@own3` for the fourth of the owner's tasks. */
const PLACES = ["own", "guarded", "bid", "report", "notification", "person", "email"] as const;
export type Place = (typeof PLACES)[number];
export const PLACE = new RegExp(`@(${PLACES.join("|")})(\\d+)`, "g");

export type FuzzRequest = {
  caller: CallerName;
  method: string;
  /** With its query. May hold places, as may the body. */
  path: string;
  headers: readonly (readonly [string, string])[];
  body?: string | undefined;
};

const SCHEMAS = namedSchemas();
/** So many of each there are. */
export const SLOTS = 140;
const place = (kind: Place) => fc.nat(SLOTS - 1).map((at) => `@${kind}${at}`);
const naughtyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 300 }) },
);

/** Requests for one endpoint: right ones, nearly right ones, and hostile ones. */
export function requestsFor(endpoint: Endpoint & { name: EndpointName }): fc.Arbitrary<FuzzRequest> {
  const nearly = fc.record({
    caller: fc.constantFrom(...callersOf(endpoint)),
    method: rarely(fc.constant<string>(endpoint.method), otherMethods(endpoint), 40),
    path: pathOf(endpoint),
    query: queryOf(endpoint),
    headers: headersOf(endpoint),
    body: bodyOf(endpoint),
  });
  // What is behind all the checks is only reached by who passes them.
  const right: typeof nearly = fc.record({
    caller: fc.constantFrom(...likelyCallers(endpoint)),
    method: fc.constant<string>(endpoint.method),
    path: rightPathOf(endpoint),
    query: fc.constant(""),
    headers: fc.constant([]),
    body: rightBodyOf(endpoint),
  });
  return fc
    .oneof({ weight: 4, arbitrary: nearly }, { weight: 1, arbitrary: right })
    .map(sameBid)
    .map(({ query, path, body, headers, ...rest }) => ({
      ...rest,
      path: query === "" ? path : `${path}?${query}`,
      headers: [...headers, ...(body ? [["Content-Type", body.type] as const] : [])].filter(
        ([name, value]) => name !== "Content-Type" || value !== "",
      ),
      body: body?.text,
    }));
}

/** A bid is mostly one on the task that the path names, which is what its number says. */
function sameBid<T extends { path: string; body: Body | undefined }>(request: T): T {
  const task = /@own(\d*[02468])\b/.exec(request.path)?.[1];
  if (task === undefined) return request;
  const { path, body } = request;
  const bid = `@bid${task}`;
  return {
    ...request,
    path: path.replace(/@bid\d+/, bid),
    body: body && { ...body, text: body.text.replace(/@bid\d+/, bid) },
  };
}

// Everybody against everything; who is likely to get further comes more often.
function callersOf(endpoint: Endpoint): CallerName[] {
  return [...CALLERS, ...likelyCallers(endpoint), ...likelyCallers(endpoint)];
}

function likelyCallers({ access }: Endpoint): CallerName[] {
  if (access === "operator") return ["operator"];
  if (access === "not-owner") return ["other"];
  return access === "owner" ? ["owner"] : ["owner", "other"];
}

// Who deletes their account is of no use afterwards: that endpoint gets people of its own.
function otherMethods({ path }: Endpoint): fc.Arbitrary<string> {
  return fc.constantFrom(...METHODS, ...(path === "/me" ? [] : ["DELETE"]));
}

function pathOf(endpoint: Endpoint): fc.Arbitrary<string> {
  const segments = endpoint.path.split("/").slice(1);
  return fc
    .tuple(...segments.map((segment, at) => segmentOf(endpoint, segment, segments[at - 1])))
    .chain((parts) =>
      rarely(
        fc.constant(`/${parts.join("/")}`),
        fc.constantFrom(`/${parts.join("/")}/`, `/${parts.join("//")}`, `/${parts.join("/").toUpperCase()}`),
        40,
      ),
    );
}

function placeOf(endpoint: Endpoint, before: string | undefined): Place {
  if (before === "bids") return "bid";
  if (before === "reports") return "report";
  return hasDocumentId(endpoint) ? "own" : "person";
}

function rightPathOf(endpoint: Endpoint): fc.Arbitrary<string> {
  const segments = endpoint.path.split("/").slice(1);
  const parts = segments.map((segment, at) =>
    segment.startsWith(":") ? place(placeOf(endpoint, segments[at - 1])) : fc.constant(segment),
  );
  return fc.tuple(...parts).map((all) => `/${all.join("/")}`);
}

function rightBodyOf({ body }: Endpoint): fc.Arbitrary<Body | undefined> {
  if (!body) return fc.constant(undefined);
  return objectOf(resolved(refersTo(body.schema)), false).map((text) => ({ text, type: "application/json" }));
}

function segmentOf(endpoint: Endpoint, segment: string, before: string | undefined): fc.Arbitrary<string> {
  if (!segment.startsWith(":")) return fc.constant(segment);
  const kind = placeOf(endpoint, before);
  return fc.oneof(
    { weight: 8, arbitrary: place(kind) },
    { weight: kind === "own" ? 6 : 0, arbitrary: place("guarded") },
    {
      weight: 1,
      arbitrary: fc.string({
        unit: fc.constantFrom(..."0123456789abcdefABCDEF"),
        minLength: 24,
        maxLength: 24,
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ENCODED) },
    { weight: 1, arbitrary: naughtyText.map(encoded).filter((text) => text !== "") },
  );
}

function queryOf({ query }: Endpoint): fc.Arbitrary<string> {
  const odd = fc.oneof(
    fc.constantFrom(...PARAMETERS),
    fc.tuple(naughtyText, naughtyText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
  );
  if (!query) return rarely(fc.constant(""), odd, 10);
  const known = queryParameters(query).map(([name, schema]) => {
    const value = fc.oneof(
      { weight: 6, arbitrary: valueFor(schema, name).map((json) => encoded(String(JSON.parse(json)))) },
      { weight: 2, arbitrary: naughtyText.map(encoded) },
      { weight: 1, arbitrary: fc.constantFrom(...ENCODED) },
    );
    // A cursor is right only in the list that it came from.
    const given = value.map((text) => `${name}=${text}`);
    return rarely(fc.constant(""), given, name === "cursor" ? 12 : 3);
  });
  return fc
    .tuple(fc.tuple(...known), rarely(fc.constant(""), odd, 6))
    .map(([given, extra]) => [...given, extra].filter((part) => part !== "").join("&"));
}

function headersOf({ accepts = [] }: Endpoint): fc.Arbitrary<(readonly [string, string])[]> {
  const meant = HEADERS.filter(([name]) => accepts.some((accepted) => accepted === name));
  const list =
    meant.length > 0
      ? fc.oneof(fc.constantFrom(...meant), fc.constantFrom(...HEADERS))
      : fc.constantFrom(...HEADERS);
  const token = fc.constantFrom(...AUTHORIZATIONS).map((value) => ["Authorization", value] as const);
  return fc
    .tuple(
      rarely(fc.constant<(readonly [string, string])[]>([]), fc.array(list, { maxLength: 3 }), 3),
      rarely(fc.constant(undefined), token, 25),
    )
    .map(([some, own]) => (own ? [...some, own] : some));
}

type Body = { text: string; type: string };

function bodyOf({ body }: Endpoint): fc.Arbitrary<Body | undefined> {
  const odd = fc.record({
    text: fc.oneof(fc.constantFrom(...BODIES), fc.json({ maxDepth: 4 })),
    type: rarely(fc.constant("application/json"), fc.constantFrom(...CONTENT_TYPES), 3),
  });
  if (!body) return rarely<Body | undefined>(fc.constant(undefined), odd, 10);
  const schema = resolved(refersTo(body.schema));
  const right = objectOf(schema, false);
  const nearly = objectOf(schema, true);
  const text = fc.oneof({ weight: 5, arbitrary: right }, { weight: 5, arbitrary: nearly });
  return fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        text,
        type: rarely(fc.constant("application/json"), fc.constantFrom(...CONTENT_TYPES), 20),
      }),
    },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

/** An object of that shape as JSON text; hostile ones have wrong values, missing fields and fields too many. */
function objectOf(schema: JsonSchema, hostile: boolean): fc.Arbitrary<string> {
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

const IDS: Record<string, Place> = {
  bidId: "bid",
  taskId: "own",
  task: "own",
  ids: "notification",
  email: "email",
};

/** A value that the schema allows, as JSON text. Knows as much of JSON Schema as the contract uses. */
function valueFor(schema: JsonSchema, name: string): fc.Arbitrary<string> {
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
  if (id) return place(id).map((at) => JSON.stringify(at));
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
      .map((whole) => String(type === "integer" ? whole : whole / 100 + 0.01))
      .map(cents);
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

function cents(number: string): string {
  return String(Math.round(Number(number) * 100) / 100);
}

function dayAfter(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

function resolved(schema: JsonSchema): JsonSchema {
  const name =
    String(schema["$ref"] ?? "")
      .split("/")
      .at(-1) ?? "";
  return SCHEMAS[name] ?? schema;
}

function encoded(text: string): string {
  // A place is filled in where it stands.
  return encodeURIComponent(wellFormed(text)).replace(/^%40(?=[a-z]+\d+$)/, "@");
}

// Lone surrogates have no encoding: they become what a browser makes of them.
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Mostly the first, the second once in so many times. */
function rarely<T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, times: number): fc.Arbitrary<T> {
  return fc.oneof({ weight: times - 1, arbitrary: usual }, { weight: 1, arbitrary: odd });
}

import fc from "fast-check";
import { type Endpoint, hasDocumentId } from "../../src/contract/endpoint.ts";
import type { EndpointName } from "../../src/contract/endpoints.ts";
import { queryParameters, refersTo } from "../../src/http/openapi/schemas.ts";
import { AUTHORIZATIONS, BODIES, CONTENT_TYPES, ENCODED, HEADERS, METHODS, PARAMETERS } from "./payloads.ts";
import {
  encoded,
  naughtyText,
  objectOf,
  type Placeholder,
  placeholder,
  rarely,
  resolved,
  SLOTS,
  valueFor,
} from "./values.ts";

/** Kinds of callers. */
const CALLERS = ["anonymous", "owner", "other", "operator"] as const;
export type CallerName = (typeof CALLERS)[number];

export type FuzzRequest = {
  caller: CallerName;
  method: string;
  /** Includes the query. Path and body may contain placeholders. */
  path: string;
  headers: readonly (readonly [string, string])[];
  body?: string | undefined;
};

/** Requests for one endpoint: valid, nearly valid and hostile ones. */
export function requestsFor(endpoint: Endpoint & { name: EndpointName }): fc.Arbitrary<FuzzRequest> {
  const nearlyValid = fc.record({
    caller: fc.constantFrom(...callersOf(endpoint)),
    method: rarely(fc.constant<string>(endpoint.method), otherMethods(endpoint), 40),
    path: hostilePathOf(endpoint),
    query: queryOf(endpoint),
    headers: headersOf(endpoint),
    body: hostileBodyOf(endpoint),
  });
  // Only valid requests pass validation and reach the code behind it.
  const valid: typeof nearlyValid = fc.record({
    caller: fc.constantFrom(...likelyCallers(endpoint)),
    method: fc.constant<string>(endpoint.method),
    path: validPathOf(endpoint),
    query: validQueryOf(endpoint),
    headers: fc.constant([]),
    body: validBodyOf(endpoint),
  });
  return fc
    .oneof({ weight: 4, arbitrary: nearlyValid }, { weight: 1, arbitrary: valid })
    .map(sameTask)
    .map(({ query, path, body, headers, ...rest }) => ({
      ...rest,
      path: query === "" ? path : `${path}?${query}`,
      headers: [...headers, ...(body ? [["Content-Type", body.type] as const] : [])].filter(
        ([name, value]) => name !== "Content-Type" || value !== "",
      ),
      body: body?.text,
    }));
}

/** Mostly uses the bid and question with the number of the task in the path, which belong to it. */
function sameTask<T extends { path: string; body: Body | undefined }>(request: T): T {
  const task = /@own(\d*[02468])\b/.exec(request.path)?.[1];
  if (task === undefined) return request;
  const { path, body } = request;
  const same = (text: string) => text.replace(/@(bid|question)\d+/, `@$1${task}`);
  return { ...request, path: same(path), body: body && { ...body, text: same(body.text) } };
}

// All callers, but likely ones more often.
function callersOf(endpoint: Endpoint): CallerName[] {
  return [...CALLERS, ...likelyCallers(endpoint), ...likelyCallers(endpoint)];
}

function likelyCallers({ access }: Endpoint): CallerName[] {
  if (access === "operator") return ["operator"];
  if (access === "not-owner" || access === "hired") return ["other"];
  return access === "owner" ? ["owner"] : ["owner", "other"];
}

// A caller must not delete their account: that endpoint gets its own people.
function otherMethods({ path }: Endpoint): fc.Arbitrary<string> {
  return fc.constantFrom(...METHODS, ...(path === "/me" ? [] : ["DELETE"]));
}

function placeholderFor(endpoint: Endpoint, before: string | undefined): Placeholder {
  // Callers must not be suspended.
  if (endpoint.path.endsWith("/suspension")) return "suspect";
  if (before === "queue") return "queued";
  if (before === "bids") return "bid";
  if (before === "questions") return "question";
  if (before === "reports") return "report";
  if (before === "conversations") return "conversation";
  if (before === "searches") return "search";
  return hasDocumentId(endpoint) ? "own" : "person";
}

function validPathOf(endpoint: Endpoint): fc.Arbitrary<string> {
  return joined(endpoint, (before) => placeholder(placeholderFor(endpoint, before)));
}

function hostilePathOf(endpoint: Endpoint): fc.Arbitrary<string> {
  const path = joined(endpoint, (before) => hostileId(placeholderFor(endpoint, before)));
  return path.chain((right) => {
    const wrong = fc.constantFrom(`${right}/`, right.replaceAll("/", "//").slice(1), right.toUpperCase());
    return rarely(fc.constant(right), wrong, 40);
  });
}

/** The endpoint's path with an id for each `:name`, chosen by the segment before it. */
function joined(
  { path }: Endpoint,
  idAfter: (before: string | undefined) => fc.Arbitrary<string>,
): fc.Arbitrary<string> {
  const segments = path.split("/").slice(1);
  const parts = segments.map((segment, at) =>
    segment.startsWith(":") ? idAfter(segments[at - 1]) : fc.constant(segment),
  );
  return fc.tuple(...parts).map((all) => `/${all.join("/")}`);
}

function hostileId(kind: Placeholder): fc.Arbitrary<string> {
  const hex = fc.constantFrom(..."0123456789abcdefABCDEF");
  return fc.oneof(
    { weight: 8, arbitrary: placeholder(kind) },
    { weight: kind === "own" ? 6 : 0, arbitrary: placeholder("guarded") },
    { weight: 1, arbitrary: fc.string({ unit: hex, minLength: 24, maxLength: 24 }) },
    { weight: 1, arbitrary: fc.constantFrom(...ENCODED) },
    { weight: 1, arbitrary: naughtyText.map(encoded).filter((text) => text !== "") },
  );
}

/** An email's link needs its person's key; other queries are optional. */
function validQueryOf({ query }: Endpoint): fc.Arbitrary<string> {
  const isLink = query !== undefined && queryParameters(query).some(([name]) => name === "key");
  return isLink ? fc.nat(SLOTS - 1).map((at) => `person=@person${at}&key=@key${at}`) : fc.constant("");
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
    // A cursor is valid only for the list it came from.
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
const JSON_TYPE = "application/json";

function validBodyOf({ body }: Endpoint): fc.Arbitrary<Body | undefined> {
  if (!body) return fc.constant(undefined);
  return objectOf(resolved(refersTo(body.schema)), false).map((text) => ({ text, type: JSON_TYPE }));
}

function hostileBodyOf({ body }: Endpoint): fc.Arbitrary<Body | undefined> {
  const typeBut = (times: number) => rarely(fc.constant(JSON_TYPE), fc.constantFrom(...CONTENT_TYPES), times);
  const invalid = fc.record({
    text: fc.oneof(fc.constantFrom(...BODIES), fc.json({ maxDepth: 4 })),
    type: typeBut(3),
  });
  if (!body) return rarely<Body | undefined>(fc.constant(undefined), invalid, 10);
  const schema = resolved(refersTo(body.schema));
  const text = fc.oneof(objectOf(schema, false), objectOf(schema, true));
  return fc.oneof(
    { weight: 12, arbitrary: fc.record({ text, type: typeBut(20) }) },
    { weight: 2, arbitrary: invalid },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

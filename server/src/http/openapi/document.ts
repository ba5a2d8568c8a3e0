import {
  type Access,
  type Endpoint,
  type EndpointResponse,
  errorsOf,
  hasDocumentId,
  hasETag,
  parametersOf,
  type ResponseHeader,
  takesIdempotencyKey,
} from "../../contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../../contract/endpoints.ts";
import { ERRORS, type ErrorCode } from "../../contract/index.ts";
import { BRAND } from "../site.ts";
import { type JsonSchema, namedSchemas, queryParameters, refersTo } from "./schemas.ts";

/** An OpenAPI 3.1 document, as far as the tests that check responses by it need to know it. */
export type ApiDocument = {
  openapi: string;
  info: { title: string; version: string; summary: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; [kind: string]: Record<string, unknown> };
  [other: string]: unknown;
};
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  security: Record<string, never[]>[];
  parameters: JsonSchema[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; headers?: Record<string, JsonSchema>; content?: Content }>;
};
type Content = Record<string, { schema: JsonSchema }>;

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";

/** Writes the document from the contract's table of endpoints. */
export function apiDocument(): ApiDocument {
  const paths: ApiDocument["paths"] = {};
  for (const endpoint of ALL_ENDPOINTS) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const operations = paths[path] ?? {};
    operations[endpoint.method.toLowerCase()] = operation(endpoint.name, endpoint);
    paths[path] = operations;
  }
  return {
    openapi: "3.1.1",
    info: {
      title: `${BRAND} API`,
      version: "1",
      summary: "A freelance task marketplace: post tasks, bid, hire.",
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    } as ApiDocument["info"],
    servers: [{ url: "/", description: "This server" }],
    tags: TAGS,
    security: [],
    paths,
    components: {
      securitySchemes: {
        firebase: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description:
            "An ID token of the Firebase project. It is checked wherever it is sent, also on public reads.",
        },
      },
      headers: HEADERS,
      schemas: namedSchemas(),
    },
  };
}

const ABOUT = [
  "Everything is JSON. Money is in USD, deadlines are calendar dates (the day ends in UTC), instants are ISO 8601.",
  "Errors are problem documents (RFC 9457) whose `code` says what happened. Fields that a body does not name are ignored.",
  "Lists link to their next page (`Link`, RFC 8288). Reads carry an `ETag`; a write with `If-Match` is refused (412) when",
  "somebody saved in between; one with an `Idempotency-Key` can be repeated, which is how to learn what became of one",
  "that ended with `outcome-unknown`. `HEAD` works wherever `GET` does.",
].join("\n");

const TAGS = [
  { name: "Tasks", description: "What clients want done." },
  { name: "Bids", description: "What freelancers offer, and whom the client chooses." },
  { name: "Questions", description: "Asked and answered in public, on a task." },
  { name: "Conversations", description: "What a client and a freelancer write to each other." },
  { name: "Delivery", description: "From hiring to completion." },
  { name: "Me", description: "What concerns the caller alone." },
  { name: "People", description: "Public profiles and reviews." },
  { name: "Reports", description: "What should not be there." },
  { name: "Operators", description: "What operators look at, and what they do." },
  { name: "Service", description: "The server itself; no token is looked at here." },
] satisfies { name: Endpoint["tag"]; description: string }[];

const ACCESS_WORDS: Record<Access, string> = {
  anyone: "Anybody.",
  "signed-in": "Whoever is signed in.",
  owner: "The task's poster only.",
  "not-owner": "Whoever is signed in, but the task's poster.",
  sides: "The task's poster and the freelancer it was awarded to.",
  member: "The conversation's two people.",
  hired: "The freelancer it was awarded to.",
  operator: "Operators only (custom claim `admin`).",
};

function operation(operationId: string, endpoint: Endpoint): Operation {
  const { access, tag, summary, description, body, open } = endpoint;
  const signedIn = { firebase: [] };
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, `**Access:** ${ACCESS_WORDS[access]}`].filter(Boolean).join("\n\n"),
    security: open ? [] : access === "anyone" ? [{}, signedIn] : [signedIn],
    parameters: parameters(endpoint),
    ...(body && {
      requestBody: { required: !body.optional, content: { [JSON_TYPE]: { schema: refersTo(body.schema) } } },
    }),
    responses: { ...responses(endpoint), ...refusals(endpoint) },
  };
}

const HEX_ID = { type: "string", pattern: "^[0-9A-Fa-f]{24}$" };
const REQUEST_HEADERS: Record<string, string> = {
  "Idempotency-Key":
    "1 to 200 visible ASCII characters: the same request with the same key is done once within a day.",
  "If-Match": "The `ETag` of the task, or profile, as it was read, or `*`.",
  "If-None-Match": "The `ETag` of what the caller has: 304 if it is still the same.",
  "Last-Event-ID": "The id of the last event that was received.",
};

function parameters(endpoint: Endpoint): JsonSchema[] {
  const { query, accepts = [] } = endpoint;
  return [
    ...parametersOf(endpoint).map((name) => ({
      name,
      in: "path",
      required: true,
      schema: hasDocumentId(endpoint) ? HEX_ID : { type: "string", maxLength: 128 },
    })),
    ...(query ? queryParameters(query) : []).map(([name, schema]) => ({ name, in: "query", schema })),
    ...[
      ...(takesIdempotencyKey(endpoint) ? ["Idempotency-Key"] : []),
      ...(hasETag(endpoint) ? ["If-None-Match"] : []),
      ...accepts,
    ].map((name) => ({
      name,
      in: "header",
      description: REQUEST_HEADERS[name],
      schema: { type: "string" },
    })),
  ];
}

/** Headers of responses, by name. */
const HEADERS: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries({
    "Content-Disposition": "Names the file.",
    ETag: "Validates a stored response (`If-None-Match`); a task's names its version, for `If-Match`.",
    "Idempotency-Replayed":
      "`true` if this is the response that the first request with the `Idempotency-Key` got.",
    Link: 'The next page, if there is one: `<…>; rel="next"` (RFC 8288).',
    Location: "Where the new task is.",
    RateLimit: 'How the caller stands: `"writes";r=119;t=60`, on what is limited.',
    "RateLimit-Policy": 'How much there is: `"writes";q=120;w=60`.',
    "Retry-After": "Seconds to wait before trying again.",
    "WWW-Authenticate": "`Bearer`, and why the token was refused.",
    "X-Request-Id": "Names this request in the log.",
    "X-Total-Count": "How many there are on all pages.",
    "X-Total-Count-Is": "`exact`, `estimate` or `at-least`.",
    "X-Unread-Count": "How many notifications are unread, or how many conversations hold something unread.",
    "X-Unsettled-Count": "How many reports, or items of the queue, wait.",
  }).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
);

function headers(names: readonly (ResponseHeader | (string & {}))[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    ["X-Request-Id", ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const DONE: Record<EndpointResponse["status"], string> = {
  200: "Done",
  201: "Created",
  404: "Not there",
  503: "Not now",
};

function responses(endpoint: Endpoint): Operation["responses"] {
  const { open, responses: all } = endpoint;
  const tagged = hasETag(endpoint);
  const limited = open ? [] : ["RateLimit", "RateLimit-Policy"];
  const replayed = takesIdempotencyKey(endpoint) ? ["Idempotency-Replayed"] : [];
  const described = all.map(({ status, when, schema, type, headers: own = [] }: EndpointResponse) => [
    String(status),
    {
      description: when ?? DONE[status],
      headers: headers([...(tagged && status === 200 ? ["ETag"] : []), ...own, ...replayed, ...limited]),
      content: schema
        ? { [JSON_TYPE]: { schema: refersTo(schema) } }
        : { [type ?? JSON_TYPE]: { schema: TEXT } },
    },
  ]);
  const unchanged = tagged
    ? { 304: { description: "The caller has this already", headers: headers(["ETag"]) } }
    : {};
  return { ...Object.fromEntries(described), ...unchanged };
}

const TEXT = { type: "string" };

function refusals(endpoint: Endpoint): Operation["responses"] {
  const taken = new Set(endpoint.responses.map(({ status }) => status as number));
  const codes = errorsOf(endpoint);
  const statuses = [...new Set<number>(codes.map((code) => ERRORS[code].status))];
  return Object.fromEntries(
    statuses
      .filter((status) => !taken.has(status))
      .map((status) => [
        String(status),
        refusal(
          status,
          codes.filter((code) => ERRORS[code].status === status),
          takesIdempotencyKey(endpoint) && REPLAYED_REFUSALS.has(status),
        ),
      ]),
  );
}

const REFUSAL_HEADERS: Record<number, string[]> = {
  401: ["WWW-Authenticate"],
  412: ["ETag"],
  429: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  503: ["Retry-After"],
};

/** Refusals that an `Idempotency-Key` keeps: they are final. */
const REPLAYED_REFUSALS = new Set([403, 404, 409, 412]);

function refusal(
  status: number,
  codes: readonly ErrorCode[],
  replayed: boolean,
): Operation["responses"][string] {
  const said = { type: "object", properties: { code: { enum: codes }, status: { const: status } } };
  const schema = { allOf: [{ $ref: "#/components/schemas/Problem" }, said] };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join("\n\n"),
    headers: headers([...(REFUSAL_HEADERS[status] ?? []), ...(replayed ? ["Idempotency-Replayed"] : [])]),
    content: { [PROBLEM_TYPE]: { schema } },
  };
}

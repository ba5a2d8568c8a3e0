import {
  ACCESS,
  type Endpoint,
  type EndpointResponse,
  errorsOf,
  hasDocumentId,
  hasETag,
  parametersOf,
  TAGS,
  takesIdempotencyKey,
} from "../../contract/endpoint.ts";
import { ALL_ENDPOINTS } from "../../contract/endpoints.ts";
import { ERRORS, type ErrorCode } from "../../contract/index.ts";
import { BRAND } from "../site.ts";
import { type JsonSchema, namedSchemas, queryParameters, refersTo } from "./schemas.ts";

type Content = Record<string, { schema: JsonSchema }>;
type Responses = Record<string, { description: string; headers: JsonSchema; content?: Content }>;

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";

/** Generates the OpenAPI 3.1 document from the contract's table of endpoints. */
export function apiDocument() {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
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
    },
    servers: [{ url: "/", description: "This server" }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [],
    paths,
    components: {
      securitySchemes: {
        firebase: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description:
            "An ID token of the Firebase project. It is verified whenever it is sent, even for public reads.",
        },
      },
      headers: HEADERS,
      schemas: namedSchemas(),
    },
  };
}

const ABOUT = [
  "Everything is JSON. Money is in USD, deadlines are calendar dates (the day ends in UTC), instants are ISO 8601.",
  "Errors are problem documents (RFC 9457) whose `code` says what happened. Unknown fields of a body are ignored.",
  "Lists link to their next page (`Link`, RFC 8288). Reads have an `ETag`; a write with `If-Match` is refused (412) if the",
  "document has changed since; a write with an `Idempotency-Key` can be retried safely, which also reveals the outcome of",
  "one that ended with `outcome-unknown`. `HEAD` works wherever `GET` does.",
].join("\n");

function operation(operationId: string, endpoint: Endpoint) {
  const { access, tag, summary, description, body, bodyIsOptional, open } = endpoint;
  const signedIn = { firebase: [] };
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, `**Access:** ${ACCESS[access].who}`].filter(Boolean).join("\n\n"),
    security: open ? [] : access === "anyone" ? [{}, signedIn] : [signedIn],
    parameters: parameters(endpoint),
    ...(body && {
      requestBody: { required: !bodyIsOptional, content: { [JSON_TYPE]: { schema: refersTo(body) } } },
    }),
    responses: { ...responses(endpoint), ...refusals(endpoint) },
  };
}

const HEX_ID = { type: "string", pattern: "^[0-9A-Fa-f]{24}$" };
const REQUEST_HEADERS: Record<string, string> = {
  "Idempotency-Key":
    "1 to 200 visible ASCII characters: the same request with the same key is executed once within a day.",
  "If-Match": "The `ETag` of the task or profile as it was read, or `*`.",
  "If-None-Match": "The `ETag` of the caller's copy: 304 if it is still current.",
  "Last-Event-ID": "The id of the last event received.",
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

/** Response headers by name. */
const HEADERS: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries({
    "Content-Disposition": "The file's name.",
    ETag: "For revalidation (`If-None-Match`); that of a task contains its version, for `If-Match`.",
    "Idempotency-Replayed":
      "`true` if this is the stored response of the first request with the `Idempotency-Key`.",
    Link: 'The next page, if there is one: `<…>; rel="next"` (RFC 8288).',
    Location: "The URL of the new task.",
    RateLimit: 'What is left of each limit: `"writes";r=119;t=60`; only on requests with a limit.',
    "RateLimit-Policy": 'The limits: `"writes";q=120;w=60`.',
    "Retry-After": "Seconds to wait before trying again.",
    "WWW-Authenticate": "`Bearer`, and why the token was rejected.",
    "X-Request-Id": "Identifies this request in the log.",
    "X-Total-Count": "The number of items on all pages.",
    "X-Total-Count-Is": "`exact`, `estimate` or `at-least`.",
    "X-Unread-Count": "The number of unread notifications, or of conversations with unread messages.",
  }).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
);

function headers(names: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    ["X-Request-Id", ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

const DEFAULT_DESCRIPTIONS: Record<EndpointResponse["status"], string> = {
  200: "Success",
  201: "Created",
  404: "Not found",
  503: "Unavailable",
};

function responses(endpoint: Endpoint): Responses {
  const { open, responses: all } = endpoint;
  const tagged = hasETag(endpoint);
  const limited = open ? [] : ["RateLimit", "RateLimit-Policy"];
  const replayed = takesIdempotencyKey(endpoint) ? ["Idempotency-Replayed"] : [];
  const described = all.map(({ status, when, schema, type, headers: own = [] }: EndpointResponse) => [
    String(status),
    {
      description: when ?? DEFAULT_DESCRIPTIONS[status],
      headers: headers([...(tagged && status === 200 ? ["ETag"] : []), ...own, ...replayed, ...limited]),
      content: schema
        ? { [JSON_TYPE]: { schema: refersTo(schema) } }
        : { [type ?? JSON_TYPE]: { schema: TEXT } },
    },
  ]);
  const unchanged = tagged
    ? { 304: { description: "The caller's copy is current", headers: headers(["ETag"]) } }
    : {};
  return { ...Object.fromEntries(described), ...unchanged };
}

const TEXT = { type: "string" };

function refusals(endpoint: Endpoint): Responses {
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

/** Final refusals, which are stored for an `Idempotency-Key`. */
const REPLAYED_REFUSALS = new Set([403, 404, 409, 412]);

function refusal(status: number, codes: readonly ErrorCode[], replayed: boolean): Responses[string] {
  const codeAndStatus = { type: "object", properties: { code: { enum: codes }, status: { const: status } } };
  const schema = { allOf: [{ $ref: "#/components/schemas/Problem" }, codeAndStatus] };
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}`).join("\n\n"),
    headers: headers([...(REFUSAL_HEADERS[status] ?? []), ...(replayed ? ["Idempotency-Replayed"] : [])]),
    content: { [PROBLEM_TYPE]: { schema } },
  };
}

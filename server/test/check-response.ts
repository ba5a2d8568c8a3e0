import { Ajv2020 } from "ajv/dist/2020.js";
import { errorsOf } from "../src/contract/endpoint.ts";
import { ALL_ENDPOINTS, API_ROOTS } from "../src/contract/endpoints.ts";
import { ERRORS, type ErrorCode, problemType } from "../src/contract/index.ts";
import { apiDocument } from "../src/http/openapi/document.ts";
import { splitUrl } from "../src/http/request-input.ts";

/** A response, from any HTTP client. */
export type CheckedResponse = {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | string[] | undefined>;
  text: string;
};

const ajv = new Ajv2020({ strict: false, allErrors: false });
ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const document = apiDocument();
ajv.addSchema(document, "api");

const PROBLEM_TYPE = "application/problem+json";
// Errors of the router itself, before any endpoint is found, and of the browser's preflight.
const ROUTER_ERRORS: readonly ErrorCode[] = [
  "route-not-found",
  "method-not-allowed",
  "session-expired",
  "bad-request",
  "too-many-requests",
  "headers-too-large",
];

// All other paths belong to the web app.
const BELOW_API = new RegExp(`^(?:${API_ROOTS.join("|")})(?:[/?]|$)`, "i");

const PATTERNS = ALL_ENDPOINTS.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replace(/:\w+/g, "[^/]+")}/?$`, "i"),
}));

/** Finds the endpoint that a request is for. @param path with or without its query. */
export function endpointOf(method: string, path: string): (typeof ALL_ENDPOINTS)[number] | undefined {
  const asked = { method: method === "HEAD" ? "GET" : method, path: splitUrl(path).path };
  return PATTERNS.find(
    ({ endpoint, pattern }) => endpoint.method === asked.method && pattern.test(asked.path),
  )?.endpoint;
}

/**
 * Compares a response with the OpenAPI document: status, media type, exact shape and required headers.
 * @param path as requested, with its query.
 * @returns what is wrong, or undefined.
 */
export function whyNotAsDocumented(
  method: string,
  path: string,
  { status, headers, text }: CheckedResponse,
): string | undefined {
  const endpoint = endpointOf(method, path);
  const type = String(headers["content-type"] ?? "").split(";", 1)[0] ?? "";
  if (!endpoint && !BELOW_API.test(path)) return undefined;
  if (headers["x-request-id"] === undefined) return "it has no X-Request-Id";
  if (!endpoint) return whyNoProblem(status, type, text, ROUTER_ERRORS);

  const call = { path: endpoint.path.replace(/:(\w+)/g, "{$1}"), method: endpoint.method.toLowerCase() };
  const response = document.paths[call.path]?.[call.method]?.responses[status];
  if (!response) return `${status} is not documented`;
  const missing = requiredHeaders(status, Object.keys(response.headers ?? {})).find(
    (name) => headers[name.toLowerCase()] === undefined,
  );
  if (missing) return `a ${status} without ${missing}`;
  if (status === 304) return text === "" ? undefined : "a 304 with a body";
  const content = response.content?.[type];
  if (!content && !response.content?.["*/*"]) return `the media type ${type} is not documented for ${status}`;
  if (method === "HEAD") return text === "" ? undefined : "a response to HEAD with a body";
  if (type === PROBLEM_TYPE) {
    const wrong = whyNoProblem(status, type, text, errorsOf(endpoint));
    if (wrong) return wrong;
  } else if (type !== "application/json") return undefined;
  const pointer = ["paths", call.path, call.method, "responses", status, "content", type, "schema"];
  // Most endpoints share their schemas, and a problem's code and status are checked above: so each is compiled once.
  const ofContent = content?.schema["$ref"] as string | undefined;
  const shared = type === PROBLEM_TYPE ? "#/components/schemas/Problem" : ofContent;
  return whyNotValid(shared ?? `#/${pointer.map((step) => token(String(step))).join("/")}`, text);
}

function whyNotValid(pointer: string, text: string): string | undefined {
  const validate = ajv.getSchema(`api${pointer}`);
  if (!validate) return `there is no schema at ${pointer}`;
  const value = parsed(text);
  if (value === undefined) return "it is not JSON";
  return validate(value) ? undefined : `${ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`;
}

function whyNoProblem(
  status: number,
  type: string,
  text: string,
  allowed: readonly ErrorCode[],
): string | undefined {
  if (type !== PROBLEM_TYPE) return `${status} as ${type}`;
  if (text === "") return undefined;
  const { code, status: said, type: named } = (parsed(text) ?? {}) as Record<string, unknown>;
  const found = allowed.find((possible) => possible === code);
  if (!found) return `the error ${String(code)} is not documented`;
  if (ERRORS[found].status !== status || said !== status || named !== problemType(found))
    return `${String(code)} as ${status}`;
  return undefined;
}

// The statuses with which a documented header is required; other headers are optional.
const REQUIRED_WITH: Record<string, readonly number[]> = {
  "X-Total-Count-Is": [],
  "X-Unread-Count": [200],
  "Content-Disposition": [200],
  Location: [201],
  "WWW-Authenticate": [401],
  "Retry-After": [429, 503],
  ETag: [304],
};

function requiredHeaders(status: number, documented: string[]): string[] {
  return documented.filter((name) => REQUIRED_WITH[name]?.includes(status));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Encodes a token of a JSON pointer for a URI fragment. */
function token(text: string): string {
  return encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
}

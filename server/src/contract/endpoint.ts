import type * as z from "zod/mini";
import { ERRORS, type ErrorCode } from "./errors.ts";

/** Who may call an endpoint. What is said of a task is said of the one that the path names. */
export const WHO = {
  /** Also without logging in. */
  anyone: undefined,
  "signed-in": undefined,
  /** The task's poster. */
  owner: "not-your-task",
  /** Everybody signed in but the task's poster. */
  "not-owner": "own-task",
  /** The task's poster and the freelancer it was awarded to. */
  sides: "not-your-review",
  /** Who has the custom claim `admin`. */
  operator: "not-an-operator",
} as const satisfies Record<string, ErrorCode | undefined>;
export type Who = keyof typeof WHO;

/** What may stand in an answer's headers besides what every answer has. */
export type AnswerHeader =
  | "Content-Disposition"
  | "ETag"
  | "Link"
  | "Location"
  | "X-Total-Count"
  | "X-Total-Count-Is"
  | "X-Unread-Count"
  | "X-Unsettled-Count";

export type Answer = {
  status: 200 | 201 | 404 | 503;
  /** When it is this one, where there are several. */
  when?: string;
  /** Of a JSON answer. */
  schema?: z.core.$ZodType;
  /** Of any other answer. */
  type?: "text/csv" | "text/event-stream" | "text/html" | "text/css" | "application/openapi+json";
  headers?: readonly AnswerHeader[];
};

/** One thing that the API can be asked for. */
export type Endpoint = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` stands for one segment. */
  path: string;
  tag: "Tasks" | "Bids" | "Me" | "People" | "Reports" | "Service";
  summary: string;
  description?: string;
  who: Who;
  /** True where no token is ever looked at, nothing is limited and the database is not needed. */
  open?: true;
  query?: z.core.$ZodType;
  body?: { schema: z.core.$ZodType; optional?: true };
  /** Request headers with a meaning, besides `Idempotency-Key`; see {@link takesIdempotencyKey}. */
  accepts?: readonly ("If-Match" | "If-None-Match" | "Last-Event-ID")[];
  answers: readonly Answer[];
  /** Refusals of its own; see {@link errorsOf} for those that many share. */
  errors?: readonly ErrorCode[];
};

/** Names of the path's parameters, in order. */
export function parametersOf({ path }: Pick<Endpoint, "path">): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** Is this parameter a document's id, rather than a person's uid? */
export function isDocumentId({ path }: Pick<Endpoint, "path">): boolean {
  return !path.startsWith("/profiles/");
}

/** Does the endpoint write for somebody signed in? Then an `Idempotency-Key` makes it happen once. */
export function takesIdempotencyKey({ method, who }: Pick<Endpoint, "method" | "who">): boolean {
  return method !== "GET" && who !== "anyone";
}

/** What never becomes a request is refused before anybody knows which endpoint it was for. */
const UNPARSED = ["bad-request", "too-slow", "headers-too-large"] as const satisfies ErrorCode[];

/** Every refusal that the endpoint can answer, by status. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { who, open, query, body, accepts = [], errors = [] } = endpoint;
  if (open) return [...errors, ...UNPARSED, "internal"];
  const refusal = WHO[who];
  const codes: (ErrorCode | false | undefined)[] = [
    ...UNPARSED,
    "session-expired",
    "too-many-requests",
    "internal",
    "unavailable",
    who !== "anyone" && "not-signed-in",
    refusal,
    parametersOf(endpoint).length > 0 && isDocumentId(endpoint) && "invalid-id",
    (query || body) && "invalid",
    body && "invalid-json",
    body && "too-large",
    body && "not-json",
    endpoint.method !== "GET" && "outcome-unknown",
    takesIdempotencyKey(endpoint) && "key-reused",
    accepts.includes("If-Match") && "changed-meanwhile",
    ...errors,
  ];
  const found = new Set(codes.filter((code) => code !== undefined && code !== false));
  return [...found].sort((a, b) => ERRORS[a].status - ERRORS[b].status);
}

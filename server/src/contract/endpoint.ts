import * as z from "zod/mini";
import { ERRORS, type ErrorCode } from "./errors.ts";
import { deleteResponseSchema, insertResponseSchema, updateResponseSchema } from "./responses.ts";
import type { CalendarDate } from "./values.ts";

/** Who may call an endpoint, and the error for everybody else. "The task" is the one in the path. */
export const ACCESS = {
  anyone: { who: "Anybody.", error: undefined },
  "signed-in": { who: "Any signed-in person.", error: undefined },
  owner: { who: "The task's poster only.", error: "not-your-task" },
  "not-owner": { who: "Any signed-in person except the task's poster.", error: "own-task" },
  sides: { who: "The task's poster and the freelancer it was awarded to.", error: "not-a-side" },
  "sides-or-operator": { who: "The same two, and operators.", error: "not-a-side" },
  member: { who: "The conversation's two participants.", error: "conversation-not-found" },
  hired: { who: "The freelancer the task was awarded to.", error: "not-hired" },
  operator: { who: "Operators only.", error: "not-an-operator" },
} as const satisfies Record<string, { who: string; error: ErrorCode | undefined }>;
export type Access = keyof typeof ACCESS;

/** What the API is about, in the order of its documentation. */
export const TAGS = {
  Tasks: "Work that clients want done.",
  Bids: "Freelancers' offers, and the client's choice.",
  Questions: "Public questions about a task, and their answers.",
  Conversations: "Messages between a client and a freelancer.",
  Agreements: "What client and freelancer agreed on, and its changes.",
  Delivery: "From hiring to completion.",
  Disputes: "Ending a task early, by agreement or by an operator's decision.",
  Payments: "How freelancers are paid, and the record of payments. No money moves here.",
  Files:
    "Files on tasks, bids, messages, deliveries and disputes, and in profiles. They are uploaded with the tus protocol.",
  Me: "The caller's own account and data.",
  People: "Public profiles and reviews.",
  Reports: "Reports of content that breaks the rules.",
  Operators: "Moderation by operators, and their log.",
  Service: "The server itself; tokens are not checked here.",
} as const;

/** A response other than a problem document. */
export type EndpointResponse = {
  status: 200 | 201 | 404 | 503;
  /** When this response is sent, if there are several. */
  when?: string;
  /** The schema of a JSON response. */
  schema?: z.core.$ZodType;
  /** The media type of any other response. */
  type?: string;
  /** Those that only some endpoints send. */
  headers?: readonly string[];
};

/** What most writes respond with. */
export const INSERTED = { status: 201, schema: insertResponseSchema } as const satisfies EndpointResponse;
const UPDATED = { status: 200, schema: updateResponseSchema } as const satisfies EndpointResponse;
export const DELETED = { status: 200, schema: deleteResponseSchema } as const satisfies EndpointResponse;

/** A JSON response, with these headers. */
// @__NO_SIDE_EFFECTS__
export function ok<S extends z.core.$ZodType>(schema: S, ...headers: string[]) {
  return { status: 200, schema, headers } as const satisfies EndpointResponse;
}

/** A JSON list, with these headers. */
// @__NO_SIDE_EFFECTS__
export function list<S extends z.core.$ZodType>(item: S, ...headers: string[]) {
  return ok(z.array(item), ...headers);
}

/** A file to be saved. */
// @__NO_SIDE_EFFECTS__
export function download(type: string) {
  return { status: 200, type, headers: ["Content-Disposition"] } as const satisfies EndpointResponse;
}

/** One row of the API's table: the only declaration of an endpoint. */
export type Endpoint = {
  /** Its key in the table. */
  name: string;
  tag: keyof typeof TAGS;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` matches one segment. */
  path: string;
  summary: string;
  description?: string;
  access: Access;
  /** True if it ignores tokens, and is served even without a database. */
  open?: true;
  query?: z.core.$ZodType;
  body?: z.core.$ZodType;
  /** The body's schema for one day, if it depends on the date. */
  bodyOn?: (today: CalendarDate) => z.core.$ZodType;
  bodyIsOptional?: true;
  /** Request headers it reads besides `Idempotency-Key` and `If-None-Match`. */
  accepts?: readonly ("If-Match" | "Last-Event-ID")[];
  /** True if the response is streamed while it is read from the database, so that it has no `ETag`. */
  streamed?: true;
  /** The usual response comes first. */
  responses: readonly EndpointResponse[];
  /** Errors specific to this endpoint; see {@link errorsOf} for the shared ones. */
  errors?: readonly ErrorCode[];
};

/** Without `responses`, it is a write with the usual one. */
type Row = Omit<Endpoint, "name" | "tag" | "responses"> & Partial<Pick<Endpoint, "responses">>;
type ResponsesOf<R extends Row> = R extends { responses: infer Given }
  ? Given
  : readonly [R["method"] extends "DELETE" ? typeof DELETED : typeof UPDATED];

/** Adds tag, name and usual responses to rows of the table. */
export function endpoints<const Tag extends Endpoint["tag"], const Rows extends Record<string, Row>>(
  tag: Tag,
  rows: Rows,
) {
  const named = Object.entries(rows).map(([name, row]) => {
    const responses = [row.method === "DELETE" ? DELETED : UPDATED];
    return [name, { responses, ...row, name, tag }];
  });
  return Object.fromEntries(named) as {
    [Name in keyof Rows]: Rows[Name] & { name: Name; tag: Tag; responses: ResponsesOf<Rows[Name]> };
  };
}

/** Names of the path's parameters, in order. */
export function parametersOf({ path }: Pick<Endpoint, "path">): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
}

/** Are the path's parameters ids of documents, rather than a person's uid? */
export function hasDocumentId({ path }: Pick<Endpoint, "path">): boolean {
  return path.includes(":") && !path.startsWith("/profiles/");
}

/** Does it write on behalf of somebody signed in, so that an `Idempotency-Key` makes retries safe? */
export function takesIdempotencyKey({ method, access }: Pick<Endpoint, "method" | "access">): boolean {
  return method !== "GET" && access !== "anyone";
}

/** Does its response have an `ETag`, for `If-None-Match`? */
export function hasETag({ method, streamed }: Pick<Endpoint, "method" | "streamed">): boolean {
  return method === "GET" && !streamed;
}

/** Errors of requests that cannot be parsed, sent before the endpoint is known. */
const UNPARSED = ["bad-request", "too-slow", "headers-too-large"] as const satisfies ErrorCode[];

/** Access that depends on the task in the path. */
const CONCERNS_TASK = /* @__PURE__ */ new Set<Access>([
  "owner",
  "not-owner",
  "sides",
  "sides-or-operator",
  "hired",
]);

/** Does the query name a page by its cursor? */
function isPaged(query: Endpoint["query"]): boolean {
  return query !== undefined && "cursor" in ((query as { shape?: object }).shape ?? {});
}

/** Every error that the endpoint can respond with, ordered by status. */
export function errorsOf(endpoint: Endpoint): ErrorCode[] {
  const { access, open, query, body, accepts = [], errors = [] } = endpoint;
  if (open) return [...errors, ...UNPARSED, "too-many-requests", "internal"];
  const codes: (ErrorCode | false | undefined)[] = [
    ...UNPARSED,
    "session-expired",
    "account-suspended",
    "too-many-requests",
    "internal",
    "unavailable",
    access !== "anyone" && "not-signed-in",
    ACCESS[access].error,
    CONCERNS_TASK.has(access) && "task-not-found",
    hasDocumentId(endpoint) && "invalid-id",
    (query || body) && "invalid",
    body && "invalid-json",
    body && "too-large",
    body && "not-json",
    endpoint.method !== "GET" && "outcome-unknown",
    takesIdempotencyKey(endpoint) && "key-reused",
    accepts.includes("If-Match") && "changed-meanwhile",
    isPaged(query) && "invalid-cursor",
    ...errors,
  ];
  const found = new Set(codes.filter((code) => code !== undefined && code !== false));
  return [...found].sort((a, b) => ERRORS[a].status - ERRORS[b].status);
}

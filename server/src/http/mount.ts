import { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
import { ObjectId } from "mongodb";
import type * as z from "zod/mini";
import { TokenRejected, type TokenVerifier, type User } from "../auth/token-verifier.ts";
import { DELETED, type Endpoint, hasDocumentId, takesIdempotencyKey } from "../contract/endpoint.ts";
import {
  calendarDate,
  type DeleteResponse,
  type InsertResponse,
  type UpdateResponse,
} from "../contract/index.ts";
import type { Jobs } from "../db/jobs.ts";
import { DatabaseBusy } from "../db/outage.ts";
import { currentRequest, RequestContext, runInRequest } from "../db/transaction.ts";
import type { Presented } from "../domain/present.ts";
import { ProblemError } from "../domain/problem-error.ts";
import type { Idempotency } from "./idempotency.ts";
import { countWork } from "./overload.ts";
import { problemHandler, routeNotFound, TOO_SLOW } from "./problem.ts";
import type { RateLimits } from "./rate-limit.ts";
import { documentId, ifMatch, parseInput, readJsonBody, refuseAmbiguous } from "./request-input.ts";
import { SENT, type Sent, SerializedJson, sendSerialized } from "./response-body.ts";

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** A request as its handler receives it, validated and typed by the endpoint's declaration. */
type Call<E extends Endpoint> = {
  /** Ids of documents; in paths of profiles, the uid of a person. */
  params: Record<ParameterOf<E["path"]>, E["path"] extends `/profiles/${string}` ? string : ObjectId>;
  query: E extends { query: infer S extends z.core.$ZodType } ? z.output<S> : undefined;
  body: E extends { body: infer S extends z.core.$ZodType } ? z.output<S> : undefined;
  user: E["access"] extends "anyone" ? User | undefined : User;
  /** The versions listed in `If-Match`; undefined without a condition. */
  versions: readonly number[] | undefined;
  /** One time for the whole request. */
  now: Date;
  request: Request;
  response: Response;
};

type DataOf<E extends Endpoint> = E["responses"][number] extends infer R
  ? R extends { schema: infer S extends z.core.$ZodType }
    ? z.output<S>
    : never
  : never;
/** What stands for the usual response to a write: whether it changed or deleted something, or the id of what is new. */
type Outcome<Data> = Data extends UpdateResponse | DeleteResponse
  ? boolean
  : Data extends InsertResponse
    ? ObjectId
    : never;
type Result<E extends Endpoint> =
  | Presented<DataOf<E>>
  | Outcome<DataOf<E>>
  | SerializedJson<Presented<DataOf<E>>>
  | Sent;

/** Returns the response's data or, after a write, its outcome; `SENT` if it sent the response itself. */
type Handler<E extends Endpoint> = (call: Call<E>) => Result<E> | Promise<Result<E>>;

type ProtocolCall = { user: User; now: Date; request: Request; response: Response };

export type Api = {
  /** Mounts those of a resource's endpoints that have a handler here. */
  mount<const Rows extends Record<string, Endpoint>>(
    endpoints: Rows,
    handlers: { [Name in keyof Rows]?: Handler<Rows[Name]> },
  ): void;
  /** Mounts a protocol of its own, for people who are signed in. It has no deadline, because bodies may be large. */
  mountProtocol(path: string, handler: (call: ProtocolCall) => Promise<void>): void;
  router: Router;
  /** Checks with the provider that the session is still valid; for responses that stay open, such as event streams. */
  verifyAgain(endpoint: Endpoint, request: Request): Promise<void>;
  /** For API requests without an endpoint: rate-limited like the others, then 405 or 404. */
  notFound: RequestHandler;
};

export type ApiDeps = {
  verifier: TokenVerifier;
  limits?: RateLimits | undefined;
  idempotency: Idempotency;
  /** Starts what requests have left for later. */
  jobs: Pick<Jobs, "nudge">;
  /** Throws {@link TokenRejected} if the account was suspended or deleted, otherwise returns the user with their rights. */
  admit: (
    user: User,
    endpoint: Pick<Endpoint, "name" | "method">,
    request: Request,
    now: Date,
  ) => Promise<User>;
  deadlineMs: number;
  /** The clock; tests replace it. */
  now?: (() => Date) | undefined;
};

/**
 * Mounts endpoints from their declarations. Every request takes the same steps: rate limits, token, access, body,
 * `Idempotency-Key`, input, handler, response. A step that fails throws the problem that is sent to the caller.
 * Ownership of documents is checked later, in the filter of the write itself.
 */
export function createApi(deps: ApiDeps): Api {
  const { verifier, limits, admit, idempotency, jobs, deadlineMs } = deps;
  const currentTime = () => deps.now?.() ?? new Date();
  const router = Router();
  const mounted: Endpoint[] = [];

  /** Applies the limits, and finds out who calls. */
  async function admitCaller(
    endpoint: Pick<Endpoint, "name" | "method" | "access">,
    { request, response, now }: Pick<ProtocolCall, "request" | "response" | "now">,
    thorough: boolean,
  ): Promise<User | undefined> {
    refuseAmbiguous(request);
    await limits?.byAddress(request, response);
    const verified = await authenticate((token) => verifier.verify(token, { thorough }), request, response);
    if (verified) await limits?.byUser(request, response, verified);
    const user = verified && (await admit(verified, endpoint, request, now));
    // Operators may read what others may not.
    if (user?.isOperator && !thorough)
      await authenticate((token) => verifier.verify(token, { thorough: true }), request, response);
    requireAccess(endpoint, user);
    return user;
  }

  async function handle(route: Route, request: Request, response: Response): Promise<void> {
    const { endpoint } = route;
    const now = currentTime();
    const thorough = endpoint.access === "operator" || !READS.has(request.method);
    const user = await admitCaller(endpoint, { request, response, now }, thorough);
    if (endpoint.body) await readJsonBody(request, response);
    const key = route.takesKey ? request.headers["idempotency-key"] : undefined;
    const work = () => respond(route, { request, response, user, now });
    try {
      await (user && key !== undefined ? idempotency(key, { request, response, user, now }, work) : work());
    } finally {
      for (const kind of currentRequest()?.jobs ?? []) jobs.nudge(kind);
    }
  }

  function mountOne(endpoint: Endpoint, handler: Handler<Endpoint>): void {
    mounted.push(endpoint);
    const route: Route = {
      ...{ endpoint, handler },
      takesKey: takesIdempotencyKey(endpoint),
      hasIds: hasDocumentId(endpoint),
    };
    router[METHODS[endpoint.method]](
      endpoint.path,
      endpoint.open
        ? async (request, response) => {
            if (!PROBES.has(endpoint.name)) await limits?.byAddress(request, response);
            await respond(route, { request, response, now: currentTime() });
          }
        : (request, response, next) =>
            withDeadline(deadlineMs, request, response, next, () => handle(route, request, response)),
    );
  }

  return {
    router,
    mount(endpoints, handlers) {
      for (const [name, handler] of Object.entries(handlers))
        mountOne(endpoints[name] as Endpoint, handler as Handler<Endpoint>);
    },
    mountProtocol(path, handler) {
      router.use(path, async (request, response) => {
        const now = currentTime();
        const thorough = request.method === "POST";
        const user = (await admitCaller(UPLOAD, { request, response, now }, thorough)) as User;
        response.setHeader("Cache-Control", "no-store");
        await handler({ user, now, request, response });
      });
    },
    async verifyAgain(endpoint, request) {
      const user = await verifier.verify(tokenIn(request.headers.authorization), { thorough: true });
      await admit(user, endpoint, request, currentTime());
    },
    async notFound(request, response, next) {
      refuseAmbiguous(request);
      await limits?.byAddress(request, response);
      const path = request.baseUrl + request.path;
      const allowed = mounted
        .filter((endpoint) => patternOf(endpoint).test(path))
        .map(({ method }) => method);
      if (allowed.length > 0) {
        const headers = { Allow: [...new Set(allowed)].join(", ") };
        throw new ProblemError("method-not-allowed", { headers });
      }
      routeNotFound(request, response, next);
    },
  };
}

/** Matches the paths of an endpoint as the router does. */
function patternOf({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`, "i");
}

/** Limited by `probeLimit`, so that a flood of other requests does not make an instance look dead. */
const PROBES = new Set(["health", "readiness"]);
const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;
const READS = new Set(["GET", "HEAD"]);
/** Stands for what a protocol of its own does. */
const UPLOAD = { name: "upload", method: "POST", access: "signed-in" } as const;
const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Authenticates the caller. Without an `Authorization` header the caller is anonymous; with one the token must be
 * valid, even for public reads: treating a stale session as anonymous would silently hide what the caller may see.
 * @throws {TokenRejected} sent as `session-expired` (401).
 */
function authenticate(
  verify: (token: string) => Promise<User>,
  { headers: { authorization } }: Request,
  response: Response,
): Promise<User> | undefined {
  // Responses depend on the caller and must be fresh, so caches have to revalidate them, and shared caches may store
  // only those for anonymous callers.
  response.setHeader("Cache-Control", authorization === undefined ? "no-cache" : "private, no-cache");
  if (authorization === undefined) return undefined;
  return verify(tokenIn(authorization));
}

/** The bearer token of an `Authorization` header. @throws {TokenRejected} if there is none. */
function tokenIn(authorization = ""): string {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new TokenRejected("the Authorization header contains no bearer token");
  return token;
}

/** @throws {ProblemError} `not-signed-in` or `not-an-operator`. */
function requireAccess({ access }: Pick<Endpoint, "access">, user: User | undefined): void {
  if (access === "anyone") return;
  if (!user) throw new ProblemError("not-signed-in", { headers: { "WWW-Authenticate": "Bearer" } });
  if (access === "operator" && !user.isOperator) throw new ProblemError("not-an-operator");
}

type Route = { endpoint: Endpoint; handler: Handler<Endpoint>; takesKey: boolean; hasIds: boolean };

/** Parses what the handler needs, calls it and sends what it returns. */
async function respond(
  { endpoint, handler, hasIds }: Route,
  call: Pick<Call<Endpoint>, "request" | "response" | "now"> & { user?: User | undefined },
): Promise<void> {
  const { query, body, bodyOn, accepts, responses } = endpoint;
  const { request, response, now } = call;
  const sent = Object.entries(request.params as Record<string, string>);
  response.status(responses[0]?.status ?? 200);
  const result = await handler({
    ...call,
    params: hasIds
      ? Object.fromEntries(sent.map(([name, text]) => [name, documentId(text)]))
      : request.params,
    query: query && parseInput(query, request.query, "query"),
    body: body && parseInput(bodyOn?.(calendarDate(now)) ?? body, request.body, "body"),
    versions: accepts?.includes("If-Match") ? ifMatch(request) : undefined,
  } as unknown as Call<Endpoint>);
  if (result instanceof SerializedJson) await sendSerialized(request, response, result);
  else if (result !== SENT) response.json(toData(endpoint, result));
}

/** The response's data, also of a write's outcome. */
function toData({ responses }: Endpoint, result: unknown): unknown {
  if (result instanceof ObjectId)
    return { acknowledged: true, insertedId: result.toHexString() } satisfies InsertResponse;
  if (typeof result !== "boolean") return result;
  const count = result ? 1 : 0;
  return responses[0]?.schema === DELETED.schema
    ? ({ acknowledged: true, deletedCount: count } satisfies DeleteResponse)
    : ({ acknowledged: true, matchedCount: 1, modifiedCount: count } satisfies UpdateResponse);
}

/** A response has to begin within this time; with network latency that is five seconds for the client. */
export const DEADLINE_MS = 4_500;

/**
 * Sends 503 with `Retry-After` if no response has begun by the deadline, for example because the database hangs or
 * elects a primary. After that nothing more is sent to the database, so `unavailable` means that nothing was done; if
 * a write or commit was already on its way, the problem is `outcome-unknown`. A response that has begun continues,
 * because streams have limits of their own. If the client's body has not arrived by then, the response is 408. Reads
 * whose client has given up are aborted.
 */
export async function withDeadline(
  deadlineMs: number,
  request: Request,
  response: Response,
  next: NextFunction,
  work: () => Promise<void>,
): Promise<void> {
  const context = new RequestContext();
  await runInRequest(context, async () => {
    const timer = setTimeout(() => {
      if (response.headersSent) return;
      context.expire();
      const cause = isArriving(request) ? TOO_SLOW : new DatabaseBusy(`no response within ${deadlineMs} ms`);
      problemHandler(cause, request, response, next);
    }, deadlineMs);
    let isGivenUp = false;
    response.on("close", () => {
      clearTimeout(timer);
      isGivenUp = READS.has(request.method) && !response.writableFinished;
      if (isGivenUp) context.expire("the client has given up");
    });
    try {
      await countWork(response, work);
    } catch (error) {
      if (isGivenUp) return;
      if (!context.signal.aborted) return next(error);
      // The work finished but could not send its response after the 503. Not an error worth logging.
      const hasFinished = (error as NodeJS.ErrnoException).code === "ERR_HTTP_HEADERS_SENT";
      request.log.warn(hasFinished ? {} : { err: error }, "ended after its response was due");
    }
  });
}

/** Whether the client is still sending a body that is being read. */
function isArriving({ readableFlowing, complete }: Request): boolean {
  return readableFlowing === true && !complete;
}

import { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
import type * as z from "zod/mini";
import { AccountSuspended, TokenRejected, type TokenVerifier, type User } from "../auth/token-verifier.ts";
import { type Endpoint, hasDocumentId, takesIdempotencyKey } from "../contract/endpoint.ts";
import { calendarDate } from "../contract/index.ts";
import { DatabaseBusy } from "../db/outage.ts";
import { RequestContext, runInRequest } from "../db/transaction.ts";
import type { Idempotency } from "./idempotency.ts";
import { ProblemError, problemHandler, routeNotFound, TOO_SLOW } from "./problem.ts";
import { documentId, ifMatch, parseInput, readJsonBody, refuseAmbiguous } from "./request-input.ts";
import type { RateLimits } from "./request-limits.ts";
import { SENT, type Sent, SerializedJson, sendSerialized } from "./response-body.ts";

type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** A request as its handler gets it: checked and typed by the endpoint's row of the table. */
type Call<E extends Endpoint> = {
  /** Ids of documents are valid and in lower case. */
  params: Record<ParameterOf<E["path"]>, string>;
  query: E extends { query: infer S extends z.core.$ZodType } ? z.output<S> : undefined;
  body: E extends { body: { schema: infer S extends z.core.$ZodType } } ? z.output<S> : undefined;
  user: E["access"] extends "anyone" ? User | undefined : User;
  /** Those that `If-Match` names; undefined without a condition. */
  versions: readonly number[] | undefined;
  /** One instant for all of the request. */
  now: Date;
  request: Request;
  response: Response;
};

type DataOf<E extends Endpoint> = E["responses"][number] extends infer R
  ? R extends { schema: infer S extends z.core.$ZodType }
    ? z.output<S>
    : never
  : never;
type Result<E extends Endpoint> = DataOf<E> | SerializedJson<DataOf<E>> | Sent;

/** Returns the response's data, or `SENT` if it sent the response itself. */
type Handler<E extends Endpoint> = (call: Call<E>) => Result<E> | Promise<Result<E>>;

export type Api = {
  mount<const E extends Endpoint>(endpoint: E, handler: Handler<E>): void;
  router: Router;
  /** Asks thoroughly whether the caller's session still stands: for responses that outlive the request. */
  verifyAgain(request: Request, user: User): Promise<void>;
  /** For API paths that no endpoint took: limited like the others, and 404. */
  notFound: RequestHandler;
};

/** Notes who takes part. */
type RecordPerson = (user: User, endpoint: Endpoint, request: Request, now: Date) => Promise<void>;

export type ApiDeps = {
  verifier: TokenVerifier;
  limits?: RateLimits | undefined;
  idempotency: Idempotency;
  /** Was the account of this session deleted? */
  isClosed: (user: User) => Promise<boolean>;
  /** What the owner of a suspended account is told; undefined for every other account. */
  whySuspended: (uid: string) => Promise<string | undefined>;
  recordPerson: RecordPerson;
  deadlineMs: number;
  /** Tests choose their own present. */
  now?: (() => Date) | undefined;
};

/**
 * Mounts endpoints from their rows of the table. Every request goes the same way: limits, token, permission, body,
 * `Idempotency-Key`, input, handler, response; each step throws what the caller gets as a problem. Whose task it is only
 * the stores can tell, in the filter of the write itself.
 */
export function createApi(deps: ApiDeps): Api {
  const { verifier, limits, isClosed, whySuspended, recordPerson, idempotency, deadlineMs } = deps;
  const present = () => deps.now?.() ?? new Date();
  const router = Router();

  async function refuseClosed(user: User): Promise<void> {
    if (await isClosed(user)) throw new TokenRejected("the account of this session was deleted");
  }

  async function refuseSuspended(uid: string): Promise<void> {
    const why = await whySuspended(uid);
    if (why !== undefined) throw new AccountSuspended(why);
  }

  /** What the provider says of a session, and for a suspended account why it says no. */
  async function verify(token: string, thorough: boolean): Promise<User> {
    try {
      const user = await verifier.verify(token, { thorough });
      await refuseSuspended(user.uid);
      return user;
    } catch (error) {
      if (error instanceof TokenRejected && error.uid !== undefined) await refuseSuspended(error.uid);
      throw error;
    }
  }

  async function handle(route: Route, request: Request, response: Response): Promise<void> {
    const { endpoint } = route;
    const now = present();
    refuseAmbiguous(request);
    await limits?.byAddress(request, response);
    const user = await authenticate(verify, request, response);
    if (user) {
      await limits?.byUser(request, response, user);
      // A deletion that was cut off is finished by asking once more.
      if (endpoint.name !== "deleteAccount") await refuseClosed(user);
    }
    requireAccess(endpoint, user);
    if (user) await recordPerson(user, endpoint, request, now);
    if (endpoint.body) await readJsonBody(request, response);
    const key = route.takesKey ? request.headers["idempotency-key"] : undefined;
    if (user && key !== undefined && (await idempotency(key, request, response, user, now))) return;
    await respond(route, { request, response, user, now });
  }

  return {
    router,
    mount(endpoint, handler) {
      const route: Route = {
        endpoint,
        handler: handler as Handler<Endpoint>,
        takesKey: takesIdempotencyKey(endpoint),
        hasIds: hasDocumentId(endpoint),
      };
      router[METHODS[endpoint.method]](
        endpoint.path,
        endpoint.open
          ? (request, response) => respond(route, { request, response, now: present() })
          : (request, response, next) =>
              withDeadline(deadlineMs, request, response, next, () => handle(route, request, response)),
      );
    },
    async verifyAgain({ headers }, user) {
      await refuseClosed(user);
      await verify(tokenIn(headers.authorization), true);
    },
    async notFound(request, response, next) {
      refuseAmbiguous(request);
      await limits?.byAddress(request, response);
      routeNotFound(request, response, next);
    },
  };
}

const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;
const READS = new Set(["GET", "HEAD"]);
const BEARER = /^Bearer +(\S+) *$/i;

/**
 * Finds out who calls. Without an `Authorization` header the caller is anonymous; with one it must hold a good token, also
 * on public reads: silently treating a stale session as anonymous would hide what the caller may see. For a write the
 * provider is asked whether the session still stands.
 * @throws {TokenRejected} sent as `session-expired` (401), or as `account-suspended` (403).
 */
function authenticate(
  verify: (token: string, thorough: boolean) => Promise<User>,
  { method, headers: { authorization } }: Request,
  response: Response,
): Promise<User> | undefined {
  // What a caller sees depends on who they are, and must be fresh: caches may keep it only to ask whether it changed,
  // and shared ones only what anybody may see.
  response.setHeader("Cache-Control", authorization === undefined ? "no-cache" : "private, no-cache");
  if (authorization === undefined) return undefined;
  return verify(tokenIn(authorization), !READS.has(method));
}

/** The bearer token of an `Authorization` header. @throws {TokenRejected} if there is none. */
function tokenIn(authorization = ""): string {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new TokenRejected("the Authorization header holds no bearer token");
  return token;
}

/** @throws {ProblemError} `not-signed-in` or `not-an-operator`. */
function requireAccess({ access }: Endpoint, user: User | undefined): void {
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
  const { query, body, accepts, responses } = endpoint;
  const { request, response, now } = call;
  const params = request.params as Record<string, string>;
  if (hasIds) for (const [name, text = ""] of Object.entries(params)) params[name] = documentId(text);
  response.status(responses[0]?.status ?? 200);
  const result = await handler({
    ...call,
    params,
    query: query && parseInput(query, request.query, "query"),
    body: body && parseInput(body.schemaOn?.(calendarDate(now)) ?? body.schema, request.body, "body"),
    versions: accepts?.includes("If-Match") ? ifMatch(request) : undefined,
  } as Call<Endpoint>);
  if (result instanceof SerializedJson) await sendSerialized(request, response, result);
  else if (result !== SENT) response.json(result);
}

/** So long the work for a response may take before it begins; with the way to the client, five seconds. */
export const DEADLINE_MS = 4_500;

/**
 * Sends 503 with `Retry-After` when no response has begun at the deadline, whatever the work is waiting for: a database
 * that hangs or elects, a pool without a free connection, a retry on top of a time-out. What was not sent to the database
 * by then is not sent any more, so `unavailable` means that nothing was done; if a write or a commit was on its way, the
 * problem is `outcome-unknown`. A response that has begun goes on: streams have limits of their own. Where it was the
 * client's body that did not arrive by then, that is said (408), and nothing is wrong here.
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
      const late = isArriving(request) ? TOO_SLOW : new DatabaseBusy(`no response within ${deadlineMs} ms`);
      problemHandler(late, request, response, next);
    }, deadlineMs);
    response.on("close", () => clearTimeout(timer));
    try {
      await work();
    } catch (error) {
      if (!context.signal.aborted) return next(error);
      // That the response was sent already is how work finds out that it was late, and no failure of its own.
      const isLate = (error as NodeJS.ErrnoException).code === "ERR_HTTP_HEADERS_SENT";
      request.log.warn(isLate ? {} : { err: error }, "ended after its response was due");
    }
  });
}

/** Is a body being read that its client is still sending? */
function isArriving({ readableFlowing, complete }: Request): boolean {
  return readableFlowing === true && !complete;
}

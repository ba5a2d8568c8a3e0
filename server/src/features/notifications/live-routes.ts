import { type RequestHandler, Router } from "express";
import { ObjectId } from "mongodb";
import { TokenRejected, type User } from "../../auth/token-verifier.ts";
import { eventsQuerySchema } from "../../contract/index.ts";
import { requireUser, userOf, verifyAgain } from "../../http/authenticate.ts";
import { openEventStream } from "../../http/event-stream.ts";
import { addressKey } from "../../http/limits/address-key.ts";
import { parseInput } from "../../http/parse-input.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { LiveHub } from "./live-hub.ts";

type Deps = {
  hub: LiveHub | undefined;
  /** Was the account of this session deleted? */
  isClosed: (user: User) => Promise<boolean>;
};

const FULL = {
  detail:
    "There are too many open connections of yours, or of your network. This one is tried again by itself.",
  headers: { "Retry-After": "30" },
};

/** `GET /me/events`: what concerns the caller, as it happens; see the contract for the events. */
export function liveRoutes({ hub, isClosed }: Deps): RequestHandler {
  return Router().get("/me/events", requireUser, async (request, response) => {
    const { task: taskId } = parseInput(eventsQuerySchema, request.query, "query");
    const user = userOf(response);
    const address = addressKey(request.ip);
    const verify = async () => {
      if (await isClosed(user)) throw new TokenRejected("the account of this session was deleted");
      await verifyAgain(response);
    };
    // A stream is no mere read: whose session was ended must not come back to one.
    await verify();
    if (!hub?.isOpen()) throw new ProblemError("unavailable", { headers: { "Retry-After": "2" } });
    if (!hub.hasRoom({ user, address })) throw new ProblemError("too-many-requests", FULL);
    const lastEventId = idOf(request.headers["last-event-id"]);
    hub.open(openEventStream(request, response), { user, address, verify, taskId, lastEventId });
  });
}

// An id that is none of ours says nothing: the stream begins now.
function idOf(header: unknown): ObjectId | undefined {
  return typeof header === "string" && /^[\da-f]{24}$/i.test(header) ? new ObjectId(header) : undefined;
}

import { type RequestHandler, Router } from "express";
import { ObjectId } from "mongodb";
import { eventsQuerySchema } from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { openEventStream } from "../../http/event-stream.ts";
import { parseInput } from "../../http/parse-input.ts";
import { ProblemError } from "../../http/problem-error.ts";
import type { LiveHub } from "./live-hub.ts";

/** `GET /me/events`: what concerns the caller, as it happens; see the contract for the events. */
export function liveRoutes({ hub }: { hub: LiveHub | undefined }): RequestHandler {
  return Router().get("/me/events", requireUser, (request, response) => {
    const { task: taskId } = parseInput(eventsQuerySchema, request.query, "query");
    if (!hub?.isOpen()) throw new ProblemError("unavailable", { headers: { "Retry-After": "2" } });
    const lastEventId = idOf(request.headers["last-event-id"]);
    hub.open(openEventStream(request, response), { user: userOf(response), taskId, lastEventId });
  });
}

// An id that is none of ours says nothing: the stream begins now.
function idOf(header: unknown): ObjectId | undefined {
  return typeof header === "string" && /^[\da-f]{24}$/i.test(header) ? new ObjectId(header) : undefined;
}

import { type RequestHandler, Router } from "express";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { pathId } from "../../http/path-id.ts";
import type { BidStore } from "./bid-store.ts";
import { placeBid } from "./place-bid.ts";

/** The route of bids (SPEC section 7). It takes no payload; a body, if there is one, must be JSON and is ignored. */
export function bidRoutes({ store, now }: { store: BidStore; now: () => Date }): RequestHandler {
  return Router().patch("/tasks/:id/bid", requireUser, jsonBody, async (request, response) => {
    response.json(await placeBid(store, pathId(request), userOf(response), now()));
  });
}

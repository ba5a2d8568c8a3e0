import { type Request, type RequestHandler, type Response, Router } from "express";
import {
  awardSchema,
  bidDraftSchema,
  bidSortingSchema,
  pageQuerySchema,
  receivedBidsQuerySchema,
} from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { linkToNext } from "../../http/pagination.ts";
import { parseInput } from "../../http/parse-input.ts";
import { pathId } from "../../http/path-id.ts";
import type { BidStore } from "./bid-store.ts";
import { awardTask, sortBid } from "./hire.ts";
import type { HireStore } from "./hire-store.ts";
import type { InboxStore } from "./inbox-store.ts";
import { type BidPage, listMyBids, listReceivedBids } from "./list-bids.ts";
import type { OwnBidStore } from "./own-bid-store.ts";
import { placeBid } from "./place-bid.ts";
import { withdrawBid } from "./withdraw-bid.ts";

type Deps = {
  stores: { placing: BidStore; own: OwnBidStore; inbox: InboxStore; hiring: HireStore };
  now: () => Date;
};

/** The routes of bids, all for signed-in people. `PATCH /tasks/:id/bid` needs no payload (SPEC section 7). */
export function bidRoutes({ stores, now }: Deps): RequestHandler {
  const router = Router();

  router.patch("/tasks/:id/bid", requireUser, jsonBody, async (request, response) => {
    const id = pathId(request);
    const draft = parseInput(bidDraftSchema, request.body, "body");
    response.json(await placeBid(stores, id, draft, userOf(response), now()));
  });

  router.delete("/tasks/:id/bid", requireUser, async (request, response) => {
    response.json(await withdrawBid(stores.own, pathId(request), userOf(response), now()));
  });

  router.get("/tasks/:id/bids", requireUser, async (request, response) => {
    const id = pathId(request);
    const query = parseInput(receivedBidsQuerySchema, request.query, "query");
    sendPage(request, response, await listReceivedBids(stores.inbox, id, query, userOf(response)));
  });

  router.patch("/tasks/:id/bids/:bidId", requireUser, jsonBody, async (request, response) => {
    const named = { task: pathId(request), bid: pathId({ params: { id: request.params["bidId"] } }) };
    const sorting = parseInput(bidSortingSchema, request.body, "body");
    response.json(await sortBid(stores, named, sorting, userOf(response), now()));
  });

  router.post("/tasks/:id/award", requireUser, jsonBody, async (request, response) => {
    const task = pathId(request);
    const { bidId: bid } = parseInput(awardSchema, request.body, "body");
    response.json(await awardTask(stores, { task, bid }, userOf(response), now()));
  });

  router.get("/me/bids", requireUser, async (request, response) => {
    const query = parseInput(pageQuerySchema, request.query, "query");
    sendPage(request, response, await listMyBids(stores.inbox, query, userOf(response), now()));
  });

  return router;
}

function sendPage(request: Request, response: Response, { bids, next, total }: BidPage<unknown>): void {
  linkToNext(request, response, next);
  response.setHeader("X-Total-Count", total);
  response.json(bids);
}

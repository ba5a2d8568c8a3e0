import { type Request, type RequestHandler, type Response, Router } from "express";
import {
  awardSchema,
  bidDraftSchema,
  bidSortingSchema,
  type DeleteAnswer,
  pageQuerySchema,
  receivedBidsQuerySchema,
} from "../../contract/index.ts";
import { requireUser, userOf } from "../../http/authenticate.ts";
import { jsonBody } from "../../http/json-body.ts";
import { linkToNext } from "../../http/pagination.ts";
import { parseInput } from "../../http/parse-input.ts";
import { pathId } from "../../http/path-id.ts";
import { updateResponse } from "../../http/update-response.ts";
import type { BidCommands } from "./bid-commands.ts";
import type { BidQueries } from "./bid-queries.ts";
import { type BidPage, listMyBids, listReceivedBids } from "./list-bids.ts";

type Deps = { queries: BidQueries; commands: BidCommands; now: () => Date };

/** The routes of bids, all for signed-in people. `PATCH /tasks/:id/bid` needs no payload (SPEC section 7). */
export function bidRoutes({ queries, commands, now }: Deps): RequestHandler {
  const router = Router();

  router.patch("/tasks/:id/bid", requireUser, jsonBody, async (request, response) => {
    const id = pathId(request);
    const draft = parseInput(bidDraftSchema, request.body, "body");
    response.json(updateResponse(await commands.place(id, userOf(response), draft, now())));
  });

  router.delete("/tasks/:id/bid", requireUser, async (request, response) => {
    const outcome = await commands.withdraw(pathId(request), userOf(response), now());
    const { acknowledged, modifiedCount } = updateResponse(outcome);
    response.json({ acknowledged, deletedCount: modifiedCount } satisfies DeleteAnswer);
  });

  router.get("/tasks/:id/bids", requireUser, async (request, response) => {
    const id = pathId(request);
    const query = parseInput(receivedBidsQuerySchema, request.query, "query");
    sendPage(request, response, await listReceivedBids(queries, id, query, userOf(response)));
  });

  router.patch("/tasks/:id/bids/:bidId", requireUser, jsonBody, async (request, response) => {
    const named = { task: pathId(request), bid: pathId({ params: { id: request.params["bidId"] } }) };
    const sorting = parseInput(bidSortingSchema, request.body, "body");
    response.json(updateResponse(await commands.triage(named, userOf(response), sorting, now())));
  });

  router.post("/tasks/:id/award", requireUser, jsonBody, async (request, response) => {
    const task = pathId(request);
    const { bidId: bid } = parseInput(awardSchema, request.body, "body");
    response.json(updateResponse(await commands.award({ task, bid }, userOf(response), now())));
  });

  router.get("/me/bids", requireUser, async (request, response) => {
    const query = parseInput(pageQuerySchema, request.query, "query");
    sendPage(request, response, await listMyBids(queries, query, userOf(response), now()));
  });

  return router;
}

function sendPage(request: Request, response: Response, { bids, next, total }: BidPage<unknown>): void {
  linkToNext(request, response, next);
  response.setHeader("X-Total-Count", total);
  response.json(bids);
}

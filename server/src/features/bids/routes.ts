import type { Context } from "../../context.ts";
import { bidEndpoints } from "../../contract/bid.ts";
import { dailyLimit } from "../../domain/daily-limit.ts";
import { invitations } from "../../domain/invitations.ts";
import type { Api } from "../../http/mount.ts";
import { deleted, updated } from "../../http/problem.ts";
import { bidCommands } from "./commands.ts";
import { listMyBids, listReceivedBids } from "./list-bids.ts";
import { bidPlacer } from "./place-bid.ts";
import { bidQueries } from "./store.ts";

/** Bids and hiring; for signed-in people only. */
export function bidRoutes(api: Api, { database, jobs, settings }: Context): void {
  const queries = bidQueries(database);
  const commands = bidCommands(database, jobs);
  const invited = invitations(database);
  const placeBid = bidPlacer(database, dailyLimit(database, "bids", settings.bidsPerDay));

  api.mount(bidEndpoints.placeBid, async ({ params: { id }, body, user, versions, now }) =>
    updated(await placeBid(id, user, body, { now, versions })),
  );

  api.mount(bidEndpoints.withdrawBid, async ({ params, user, now }) =>
    deleted(await commands.withdraw(params.id, user, now)),
  );

  api.mount(bidEndpoints.listReceivedBids, ({ params, user, ...call }) =>
    listReceivedBids(queries, params.id, user, call),
  );

  api.mount(bidEndpoints.triageBid, async ({ params, body, user, now }) =>
    updated(await commands.triage({ task: params.id, bid: params.bidId }, user, body, now)),
  );

  api.mount(bidEndpoints.noteBid, async ({ params, body, user }) =>
    updated(await commands.note({ task: params.id, bid: params.bidId }, user, body)),
  );

  api.mount(bidEndpoints.invite, async ({ params, body, user, now }) =>
    updated(await invited.invite(params.id, body.personId, user, now)),
  );

  api.mount(bidEndpoints.declineInvitation, async ({ params, user }) =>
    deleted(await invited.decline(params.id, user.uid)),
  );

  api.mount(bidEndpoints.awardTask, async ({ params, body, user, now }) =>
    updated(await commands.award(params.id, body, user, now)),
  );

  api.mount(bidEndpoints.listMyBids, ({ user, now, ...call }) => listMyBids(queries, user, now, call));
}

import { bidEndpoints } from "../../contract/endpoints/bids.ts";
import type { Database } from "../../db/client.ts";
import type { DailyLimit } from "../../db/daily-limit.ts";
import { invitations } from "../../db/invitations.ts";
import type { Jobs } from "../../db/jobs.ts";
import type { Api } from "../../http/mount.ts";
import { updateResponse } from "../../http/problem.ts";
import { bidCommands } from "./bid-commands.ts";
import { bidQueries } from "./bid-queries.ts";
import { listMyBids, listReceivedBids } from "./list-bids.ts";
import { bidPlacer } from "./place-bid.ts";

type Deps = {
  database: Database;
  jobs: Pick<Jobs, "nudge">;
  /** Counts and limits the bids that people place on one day. */
  dailyLimit: DailyLimit;
};

/** Bids and hiring; for signed-in people only. */
export function bidsFeature(api: Api, { database, jobs, dailyLimit }: Deps): void {
  const queries = bidQueries(database);
  const commands = bidCommands(database, jobs);
  const invited = invitations(database);
  const placeBid = bidPlacer(database, dailyLimit);

  api.mount(bidEndpoints.placeBid, async ({ params: { id }, body, user, versions, now }) => {
    return updateResponse(await placeBid(id, user, body, { now, versions }));
  });

  api.mount(bidEndpoints.withdrawBid, async ({ params, user, now }) => {
    const { acknowledged, modifiedCount } = updateResponse(await commands.withdraw(params.id, user, now));
    return { acknowledged, deletedCount: modifiedCount };
  });

  api.mount(bidEndpoints.listReceivedBids, ({ params, user, ...call }) =>
    listReceivedBids(queries, params.id, user, call),
  );

  api.mount(bidEndpoints.triageBid, async ({ params, body, user, now }) =>
    updateResponse(await commands.triage({ task: params.id, bid: params.bidId }, user, body, now)),
  );

  api.mount(bidEndpoints.invite, async ({ params, body, user, now }) =>
    updateResponse(await invited.invite(params.id, body.personId, user, now)),
  );

  api.mount(bidEndpoints.declineInvitation, async ({ params, user }) => ({
    acknowledged: true,
    deletedCount: (await invited.decline(params.id, user.uid)) ? 1 : 0,
  }));

  api.mount(bidEndpoints.awardTask, async ({ params, body, user, now }) =>
    updateResponse(await commands.award(params.id, body, user, now)),
  );

  api.mount(bidEndpoints.listMyBids, ({ user, now, ...call }) => listMyBids(queries, user, now, call));
}

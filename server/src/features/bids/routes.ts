import type { Context } from "../../context.ts";
import { bidEndpoints } from "../../contract/bid.ts";
import { dailyLimit } from "../../domain/daily-limit.ts";
import { declineInvitation, invite } from "../../domain/invitations.ts";
import type { Api } from "../../http/mount.ts";
import { bidCommands } from "./commands.ts";
import { listMyBids, listReceivedBids } from "./list-bids.ts";
import { bidPlacer } from "./place-bid.ts";

/** Bids and hiring; for signed-in people only. */
export function bidRoutes(api: Api, { database, jobs, settings }: Context): void {
  const commands = bidCommands(database, jobs);
  const placeBid = bidPlacer(database, dailyLimit(database, "bids", settings.bidsPerDay));

  api.mount(bidEndpoints.placeBid, ({ params: { id }, body, user, versions, now }) =>
    placeBid(id, user, body, { now, versions }),
  );

  api.mount(bidEndpoints.withdrawBid, ({ params, user, now }) => commands.withdraw(params.id, user, now));

  api.mount(bidEndpoints.listReceivedBids, ({ params, user, ...call }) =>
    listReceivedBids(database, params.id, user, call),
  );

  api.mount(bidEndpoints.triageBid, ({ params, body, user, now }) =>
    commands.triage(params, user, body, now),
  );

  api.mount(bidEndpoints.noteBid, ({ params, body, user }) => commands.note(params, user, body));

  api.mount(bidEndpoints.invite, ({ params, body, user, now }) =>
    invite(database, params.id, body.personId, user, now),
  );

  api.mount(bidEndpoints.declineInvitation, ({ params, user }) =>
    declineInvitation(database, params.id, user.uid),
  );

  api.mount(bidEndpoints.awardTask, ({ params, body, user, now }) =>
    commands.award(params.id, body, user, now),
  );

  api.mount(bidEndpoints.listMyBids, ({ user, now, ...call }) => listMyBids(database, user, now, call));
}

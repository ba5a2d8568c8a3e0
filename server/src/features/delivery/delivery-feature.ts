import { deliveryEndpoints } from "../../contract/endpoints/delivery.ts";
import type { Database } from "../../db/client.ts";
import type { Jobs } from "../../db/jobs.ts";
import type { Api } from "../../http/mount.ts";
import { updateResponse } from "../../http/problem.ts";
import { deliveryCommands } from "./delivery-commands.ts";
import { readTimeline } from "./read-timeline.ts";

/** From hiring to completion: deliveries, requests for changes, completion by the freelancer, and the timeline. */
export function deliveryFeature(
  api: Api,
  { database, jobs }: { database: Database; jobs: Pick<Jobs, "nudge"> },
): void {
  const commands = deliveryCommands(database, jobs);

  api.mount(deliveryEndpoints.deliverWork, async ({ params, body, user, now }) =>
    updateResponse(await commands.deliver(params.id, user, body, now)),
  );

  api.mount(deliveryEndpoints.requestChanges, async ({ params, body, user, now }) =>
    updateResponse(await commands.requestChanges(params.id, user, body, now)),
  );

  api.mount(deliveryEndpoints.completeUnanswered, async ({ params, user, now }) =>
    updateResponse(await commands.completeUnanswered(params.id, user, now)),
  );

  api.mount(deliveryEndpoints.readTimeline, ({ params, user }) => readTimeline(database, params.id, user));
}

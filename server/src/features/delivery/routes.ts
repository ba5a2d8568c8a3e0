import type { Context } from "../../context.ts";
import { deliveryEndpoints } from "../../contract/delivery.ts";
import type { Api } from "../../http/mount.ts";
import { updated } from "../../http/problem.ts";
import { deliveryCommands } from "./commands.ts";
import { readTimeline } from "./read-timeline.ts";

/** From hiring to completion: deliveries, requests for changes, completion by the freelancer, and the timeline. */
export function deliveryRoutes(api: Api, { database, jobs }: Context): void {
  const commands = deliveryCommands(database, jobs);

  api.mount(deliveryEndpoints.deliverWork, async ({ params, body, user, now }) =>
    updated(await commands.deliver(params.id, user, body, now)),
  );

  api.mount(deliveryEndpoints.requestChanges, async ({ params, body, user, now }) =>
    updated(await commands.requestChanges(params.id, user, body, now)),
  );

  api.mount(deliveryEndpoints.completeUnanswered, async ({ params, user, now }) =>
    updated(await commands.completeUnanswered(params.id, user, now)),
  );

  api.mount(deliveryEndpoints.readTimeline, ({ params, user }) => readTimeline(database, params.id, user));
}

import type { TaskDraft } from "../../src/contract/index.ts";
import { aTaskDraft } from "../../test/builders.ts";
import { type ActsDatabase, uidOf } from "./acts-database.ts";
import { requestOf, roundRobin } from "./load.ts";

/** The requests for what people do: those to the product, and those to the floor (servers/floor-acts.ts). */
export function actsOf(database: ActsDatabase, tokens: readonly string[]) {
  const half = Math.floor(database.undecided.length / 2);
  let changes = 0;
  const draft = (): TaskDraft => {
    changes += 1;
    return aTaskDraft({ description: `Two pages, one form. Version ${changes}.` });
  };
  return {
    post: {
      product: roundRobin(tokens, (token) => requestOf("POST", "/tasks", { token, body: draft() })),
      floor: () => requestOf("POST", "/post/", { body: { draft: draft() } }),
    },
    edit: {
      product: roundRobin(database.tasks, ({ id, owner }) =>
        requestOf("PUT", `/tasks/${id}`, { token: tokens[owner], body: draft() }),
      ),
      floor: roundRobin(database.tasks, ({ id }) =>
        requestOf("POST", `/edit/${id}`, { body: { draft: draft() } }),
      ),
    },
    award: {
      product: roundRobin(database.undecided.slice(0, half), ({ id, owner, bid }) =>
        requestOf("POST", `/tasks/${id}/award`, { token: tokens[owner], body: { bidId: bid } }),
      ),
      floor: roundRobin(database.undecided.slice(half), ({ id, bid }) =>
        requestOf("POST", `/award/${id}`, { body: { bid } }),
      ),
    },
    message: {
      product: roundRobin(database.conversations, ({ id, owner }) =>
        requestOf("POST", `/me/conversations/${id}/messages`, {
          token: tokens[owner],
          body: { text: "When do we begin?" },
        }),
      ),
      floor: roundRobin(database.conversations, ({ id }) =>
        requestOf("POST", `/message/${id}`, { body: { text: "When do we begin?" } }),
      ),
    },
    notifications: {
      product: roundRobin(database.notified, (owner) =>
        requestOf("GET", "/me/notifications?limit=20", { token: tokens[owner] }),
      ),
      floor: roundRobin(database.notified, (owner) => requestOf("GET", `/notifications/${uidOf(owner)}`)),
    },
    receivedBids: {
      product: roundRobin(database.receivedBids, ({ id, owner }) =>
        requestOf("GET", `/tasks/${id}/bids?limit=20`, { token: tokens[owner] }),
      ),
      floor: roundRobin(database.receivedBids, ({ id }) => requestOf("GET", `/receivedBids/${id}`)),
    },
  };
}

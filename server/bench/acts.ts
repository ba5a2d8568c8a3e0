import type { TaskDraft } from "../src/contract/index.ts";
import { aTaskDraft } from "../test/builders.ts";
import { type ActsDatabase, uidOf } from "./acts-database.ts";
import type { RequestFactory } from "./load.ts";

/** The requests for what people do: those to the product, and those to the floor (servers/floor-acts.ts). */
export function actsOf(database: ActsDatabase, tokens: readonly string[]) {
  const json = (
    method: "POST" | "PUT",
    path: string,
    body: object,
    owner?: number,
  ): ReturnType<RequestFactory> => ({
    ...{ method, path, body: JSON.stringify(body) },
    headers: {
      "content-type": "application/json",
      ...(owner !== undefined && { authorization: `Bearer ${tokens[owner]}` }),
    },
  });
  const read = (path: string, owner?: number): ReturnType<RequestFactory> => ({
    ...{ method: "GET", path },
    ...(owner !== undefined && { headers: { authorization: `Bearer ${tokens[owner]}` } }),
  });
  const half = Math.floor(database.undecided.length / 2);
  let changes = 0;
  const draft = (): TaskDraft => {
    changes += 1;
    return aTaskDraft({ description: `Two pages, one form. Version ${changes}.` });
  };
  const roundRobin = <T>(
    items: readonly T[],
    makeRequest: (item: T) => ReturnType<RequestFactory>,
  ): RequestFactory => {
    let next = 0;
    return () => makeRequest(items[next++ % items.length] as T);
  };
  const owners = tokens.map((_, number) => number);
  return {
    post: {
      product: roundRobin(owners, (owner) => json("POST", "/tasks", draft(), owner)),
      floor: roundRobin(owners, () => json("POST", "/post/", { draft: draft() })),
    },
    edit: {
      product: roundRobin(database.tasks, ({ id, owner }) => json("PUT", `/tasks/${id}`, draft(), owner)),
      floor: roundRobin(database.tasks, ({ id }) => json("POST", `/edit/${id}`, { draft: draft() })),
    },
    award: {
      product: roundRobin(database.undecided.slice(0, half), ({ id, owner, bid }) =>
        json("POST", `/tasks/${id}/award`, { bidId: bid }, owner),
      ),
      floor: roundRobin(database.undecided.slice(half), ({ id, bid }) =>
        json("POST", `/award/${id}`, { bid }),
      ),
    },
    message: {
      product: roundRobin(database.conversations, ({ id, owner }) =>
        json("POST", `/me/conversations/${id}/messages`, { text: "When do we begin?" }, owner),
      ),
      floor: roundRobin(database.conversations, ({ id }) =>
        json("POST", `/message/${id}`, { text: "When do we begin?" }),
      ),
    },
    notifications: {
      product: roundRobin(database.notified, (owner) => read("/me/notifications?limit=20", owner)),
      floor: roundRobin(database.notified, (owner) => read(`/notifications/${uidOf(owner)}`)),
    },
    receivedBids: {
      product: roundRobin(database.receivedBids, ({ id, owner }) =>
        read(`/tasks/${id}/bids?limit=20`, owner),
      ),
      floor: roundRobin(database.receivedBids, ({ id }) => read(`/receivedBids/${id}`)),
    },
  };
}

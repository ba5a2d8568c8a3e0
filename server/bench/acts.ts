import type { TaskDraft } from "../src/contract/index.ts";
import { aTaskDraft } from "../test/builders.ts";
import type { Ask } from "./load.ts";
import { type Scene, uidOf } from "./scene.ts";

/** What people do in a scene: how the product is asked, and how the floor (servers/floor-writes.ts). */
export function actsOf(scene: Scene, tokens: readonly string[]) {
  const json = (method: "POST" | "PUT", path: string, body: object, owner?: number): ReturnType<Ask> => ({
    ...{ method, path, body: JSON.stringify(body) },
    headers: {
      "content-type": "application/json",
      ...(owner !== undefined && { authorization: `Bearer ${tokens[owner]}` }),
    },
  });
  const read = (path: string, owner?: number): ReturnType<Ask> => ({
    ...{ method: "GET", path },
    ...(owner !== undefined && { headers: { authorization: `Bearer ${tokens[owner]}` } }),
  });
  const half = Math.floor(scene.undecided.length / 2);
  let changes = 0;
  const draft = (): TaskDraft => {
    changes += 1;
    return aTaskDraft({ description: `Two pages, one form. Version ${changes}.` });
  };
  const inTurn = <T>(items: readonly T[], ask: (item: T) => ReturnType<Ask>): Ask => {
    let next = 0;
    return () => ask(items[next++ % items.length] as T);
  };
  const everybody = tokens.map((_, number) => number);
  return {
    post: {
      product: inTurn(everybody, (owner) => json("POST", "/tasks", draft(), owner)),
      floor: inTurn(everybody, () => json("POST", "/post/", { draft: draft() })),
    },
    edit: {
      product: inTurn(scene.tasks, ({ id, owner }) => json("PUT", `/tasks/${id}`, draft(), owner)),
      floor: inTurn(scene.tasks, ({ id }) => json("POST", `/edit/${id}`, { draft: draft() })),
    },
    award: {
      product: inTurn(scene.undecided.slice(0, half), ({ id, owner, bid }) =>
        json("POST", `/tasks/${id}/award`, { bidId: bid }, owner),
      ),
      floor: inTurn(scene.undecided.slice(half), ({ id, bid }) => json("POST", `/award/${id}`, { bid })),
    },
    message: {
      product: inTurn(scene.conversations, ({ id, owner }) =>
        json("POST", `/me/conversations/${id}/messages`, { text: "When do we begin?" }, owner),
      ),
      floor: inTurn(scene.conversations, ({ id }) =>
        json("POST", `/message/${id}`, { text: "When do we begin?" }),
      ),
    },
    notifications: {
      product: inTurn(scene.notified, (owner) => read("/me/notifications?limit=20", owner)),
      floor: inTurn(scene.notified, (owner) => read(`/notifications/${uidOf(owner)}`)),
    },
    inbox: {
      product: inTurn(scene.inboxes, ({ id, owner }) => read(`/tasks/${id}/bids?limit=20`, owner)),
      floor: inTurn(scene.inboxes, ({ id }) => read(`/inbox/${id}`)),
    },
  };
}

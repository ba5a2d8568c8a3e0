import type { Bid, Task } from "@tasklane/server/contract";
import { screen, within } from "@testing-library/react";
import { ApiProblem } from "../lib/problem.ts";
import { aPerson, aTask } from "./builders.ts";
import { createFakeApi } from "./fake-api.ts";
import { createFakeAuthGateway } from "./fake-auth-gateway.ts";
import { renderApp } from "./render-app.tsx";

/** The id of the task in {@link biddingWorld}. */
export const ID = "a".repeat(24);

/** The signed-in person's bid of $250. */
export function aBid(overrides: Partial<Bid> = {}): Bid {
  const at = "2026-11-01T10:00:00.000Z";
  return { _id: "b".repeat(24), amount: 250, state: "placed", createdAt: at, updatedAt: at, ...overrides };
}

/**
 * Renders a task's page with a fake server that stores the task and the reader's own bid, if any. The test can change
 * the server's state in `world`, such as the error with which writes fail (`world.refuse`).
 */
export function biddingWorld({ task = {}, bid }: { task?: Partial<Task>; bid?: Bid } = {}) {
  const world = {
    bid,
    task,
    bidsLeft: undefined as number | undefined,
    others: 3,
    refuse: undefined as Error | undefined,
    gone: false,
    slow: undefined as Promise<void> | undefined,
    slowRead: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    if (path === `/tasks/${ID}`) {
      await world.slowRead;
      if (world.gone) throw new ApiProblem("task-not-found", 404, "Gone.");
      const viewer = {
        isOwner: false,
        hasBid: Boolean(world.bid),
        role: "freelancer" as const,
        hasReviewed: false,
        ...(world.bid ? { bid: world.bid } : {}),
        ...(world.bidsLeft === undefined ? {} : { bidsLeft: world.bidsLeft }),
      };
      const bidsCount = world.others + (world.bid ? 1 : 0);
      return { data: aTask({ _id: ID, bidsCount, viewer, ...world.task }) };
    }
    if (path === `/tasks/${ID}/questions`) return { data: [] };
    if (path !== `/tasks/${ID}/bid`) throw new Error(`unexpected ${method} ${path}`);
    await world.slow;
    if (world.refuse) throw world.refuse;
    if (method === "DELETE") {
      world.bid = undefined;
      return { data: { acknowledged: true, deletedCount: 1 } };
    }
    const repeated = Boolean(world.bid) && body === undefined;
    const { days, message, ...rest } = (body ?? {}) as Partial<Bid>;
    if (!repeated)
      world.bid = aBid({ ...world.bid, ...rest, ...(days ? { days } : {}), ...(message ? { message } : {}) });
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: repeated ? 0 : 1 } };
  });
  const app = renderApp(`/taskdetails/${ID}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  const writes = () => api.calls.filter((call) => call.method !== "GET");
  return { ...app, world, api, writes };
}

/** The panel of the reader's bid. */
export const panel = async () => within(await screen.findByRole("region", { name: "Your bid" }));
/** Waits until the page shows this number of bids. */
export const count = (n: number) => screen.findByText(String(n), { selector: "strong" });

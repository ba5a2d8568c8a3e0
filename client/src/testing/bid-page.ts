import type { Bid, Task } from "@tasklane/server/contract";
import { screen, within } from "@testing-library/react";
import { ApiProblem } from "../lib/problem.ts";
import { aPerson, aTask } from "./builders.ts";
import { createFakeApi } from "./fake-api.ts";
import { createFakeAuthGateway } from "./fake-auth-gateway.ts";
import { renderApp } from "./render-app.tsx";

/** The id of the task in {@link renderBidPage}. */
export const ID = "a".repeat(24);

/** The signed-in person's bid of $250. */
export function aBid(overrides: Partial<Bid> = {}): Bid {
  const at = "2026-11-01T10:00:00.000Z";
  return { _id: "b".repeat(24), amount: 250, state: "placed", createdAt: at, updatedAt: at, ...overrides };
}

/**
 * Renders a task's page with a fake server that stores the task and the reader's own bid, if any. The test can change
 * the state in `server`, such as the error with which writes fail (`server.writeError`).
 */
export function renderBidPage({ task = {}, bid }: { task?: Partial<Task>; bid?: Bid } = {}) {
  const server = {
    bid,
    task,
    bidsLeft: undefined as number | undefined,
    otherBids: 3,
    writeError: undefined as Error | undefined,
    deleted: false,
    writeDelay: undefined as Promise<void> | undefined,
    readDelay: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    if (path === `/tasks/${ID}`) {
      await server.readDelay;
      if (server.deleted) throw new ApiProblem("task-not-found", 404, "Gone.");
      const viewer = {
        isOwner: false,
        hasBid: Boolean(server.bid),
        role: "freelancer" as const,
        hasReviewed: false,
        ...(server.bid ? { bid: server.bid } : {}),
        ...(server.bidsLeft === undefined ? {} : { bidsLeft: server.bidsLeft }),
      };
      const bidsCount = server.otherBids + (server.bid ? 1 : 0);
      return { data: aTask({ _id: ID, bidsCount, viewer, ...server.task }) };
    }
    if (path === `/tasks/${ID}/questions`) return { data: [] };
    if (path !== `/tasks/${ID}/bid`) throw new Error(`unexpected ${method} ${path}`);
    await server.writeDelay;
    if (server.writeError) throw server.writeError;
    if (method === "DELETE") {
      server.bid = undefined;
      return { data: { acknowledged: true, deletedCount: 1 } };
    }
    const repeated = Boolean(server.bid) && body === undefined;
    const { days, message, ...rest } = (body ?? {}) as Partial<Bid>;
    if (!repeated)
      server.bid = aBid({
        ...server.bid,
        ...rest,
        ...(days ? { days } : {}),
        ...(message ? { message } : {}),
      });
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: repeated ? 0 : 1 } };
  });
  const app = renderApp(`/taskdetails/${ID}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  const writes = () => api.calls.filter((call) => call.method !== "GET");
  return { ...app, server, api, writes };
}

/** The panel of the reader's bid. */
export const findBidPanel = async () => within(await screen.findByRole("region", { name: "Your bid" }));
/** Waits until the page shows this number of bids. */
export const findBidCount = (n: number) => screen.findByText(String(n), { selector: "strong" });

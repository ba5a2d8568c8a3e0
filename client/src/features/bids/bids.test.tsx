import type { Bid, Task } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const ID = "a".repeat(24);

function aBid(overrides: Partial<Bid> = {}): Bid {
  const at = "2026-11-01T10:00:00.000Z";
  return { _id: "b".repeat(24), amount: 250, state: "placed", createdAt: at, updatedAt: at, ...overrides };
}

/** A server with one task and maybe the reader's own bid; `refuse` is the response to a write instead of doing it. */
function house({ task = {}, bid }: { task?: Partial<Task>; bid?: Bid } = {}) {
  const world = {
    bid,
    task,
    others: 3,
    refuse: undefined as Error | undefined,
    gone: false,
    slow: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    if (path === `/tasks/${ID}`) {
      if (world.gone) throw new ApiProblem("task-not-found", 404, "Gone.");
      const viewer = {
        isOwner: false,
        hasBid: Boolean(world.bid),
        role: "freelancer" as const,
        hasReviewed: false,
        ...(world.bid ? { bid: world.bid } : {}),
      };
      const bidsCount = world.others + (world.bid ? 1 : 0);
      return { data: aTask({ _id: ID, bidsCount, viewer, ...world.task }) };
    }
    if (path !== `/tasks/${ID}/bid`) throw new Error(`unexpected ${method} ${path}`);
    await world.slow;
    if (world.refuse) throw world.refuse;
    if (method === "DELETE") {
      world.bid = undefined;
      return { data: { acknowledged: true, deletedCount: 1 } };
    }
    const repeated = Boolean(world.bid) && body === undefined;
    const { days, ...rest } = (body ?? {}) as Partial<Bid>;
    if (!repeated) world.bid = aBid({ ...world.bid, ...rest, ...(days ? { days } : {}) });
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: repeated ? 0 : 1 } };
  });
  const app = renderApp(`/taskdetails/${ID}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  const writes = () => api.calls.filter((call) => call.method !== "GET");
  return { ...app, world, api, writes };
}

const panel = async () => within(await screen.findByRole("region", { name: "Your bid" }));
const count = (n: number) => screen.findByText(String(n), { selector: "strong" });

describe("bidding", () => {
  it("When Bid Now is clicked, then one bid without a body is sent, the count rises by one, and more can be said", async () => {
    const { user, writes } = house();
    await count(3);
    await user.click(await (await panel()).findByRole("button", { name: "Bid Now" }));
    await count(4);
    expect(writes()).toMatchObject([
      { method: "PATCH", path: `/tasks/${ID}/bid`, query: {}, body: undefined },
    ]);
    const bid = await panel();
    await user.type(await bid.findByLabelText("Days to deliver"), "7");
    await user.type(bid.getByLabelText("Message to the client"), "I have done this before.");
    await user.click(bid.getByRole("button", { name: "Save bid" }));
    await bid.findByText("I have done this before.", { selector: "p" });
    expect(writes()[1]?.body).toEqual({ amount: 250, days: 7, message: "I have done this before." });
    expect(bid.queryByRole("button", { name: "Save bid" })).toBeNull();
    await count(4);
  });

  it("When another tab has bid already, then it says so and the count does not rise", async () => {
    const { user, world } = house();
    const bid = await panel();
    world.bid = aBid();
    world.others = 2;
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    await screen.findByText("You have already bid on this task. One bid per task is enough.");
    await count(3);
  });

  it("When a bid fails, then what was typed stays, also over a reload, and a second try sends it", async () => {
    const { user, world, writes } = house();
    const bid = await panel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    await user.clear(bid.getByLabelText("Amount (USD)"));
    await user.type(bid.getByLabelText("Amount (USD)"), "199.5");
    await user.type(bid.getByLabelText("Message to the client"), "Half now.");
    world.refuse = offlineProblem();
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText(/We can't reach Tasklane/);
    expect(bid.getByLabelText("Amount (USD)")).toHaveValue(199.5);
    expect(Object.values(localStorage).join()).toContain("Half now.");
    world.refuse = undefined;
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await count(4);
    expect(writes().at(-1)?.body).toEqual({ amount: 199.5, days: null, message: "Half now." });
    expect(Object.values(localStorage).join()).not.toContain("Half now.");
  });

  it("When a refused offer is given up with Back, then nothing is left of it, and Bid Now is offered afresh", async () => {
    const { user, world } = house();
    const bid = await panel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    world.refuse = new ApiProblem("too-many-requests", 429, "Too many requests.");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    const reason = await bid.findByText("Too many requests.");
    expect(reason.closest("[tabindex]")).toHaveFocus();
    await user.click(bid.getByRole("button", { name: "Back" }));
    await bid.findByRole("button", { name: "Bid Now" });
    expect(bid.queryByText("Too many requests.")).toBeNull();
  });

  it("When the form breaks the contract's rules, then the field says so and nothing is sent", async () => {
    const { user, writes } = house();
    const bid = await panel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    await user.clear(bid.getByLabelText("Amount (USD)"));
    await user.type(bid.getByLabelText("Days to deliver"), "400");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    const amount = bid.getByLabelText("Amount (USD)");
    await waitFor(() => expect(amount).toHaveAccessibleDescription(/Enter the amount as a number/));
    await waitFor(() => expect(amount).toHaveFocus());
    expect(bid.getByLabelText("Days to deliver")).toHaveAccessibleDescription(/from 1 to 365/);
    expect(writes()).toEqual([]);
  });

  it("When the bid is withdrawn and that is confirmed, then it is gone and Bid Now is back", async () => {
    const { user, writes } = house({ bid: aBid({ state: "shortlisted", days: 3 }) });
    const bid = await panel();
    await bid.findByText("Shortlisted");
    await user.click(bid.getByRole("button", { name: "Withdraw" }));
    await user.click(await screen.findByRole("button", { name: "Yes, withdraw it" }));
    await bid.findByRole("button", { name: "Bid Now" });
    expect(writes().map((call) => call.method)).toEqual(["DELETE"]);
    await count(3);
  });

  it("When the task stopped taking bids meanwhile, then the server's word is shown and the page is read again", async () => {
    const { user, world } = house();
    const bid = await panel();
    const button = await bid.findByRole("button", { name: "Bid Now" });
    world.refuse = new ApiProblem("task-not-open", 409, "This task no longer takes bids");
    world.task = { state: "cancelled" };
    await user.click(button);
    await bid.findByText(/The client has cancelled this task/);
    expect(bid.getByRole("alert")).toHaveTextContent("This task no longer takes bids");
    expect(bid.queryByRole("button", { name: "Bid Now" })).toBeNull();
  });
});

describe("a bid while things move", () => {
  it("When the task is gone by now, then it says so, and nothing is offered that cannot help", async () => {
    const { user, world } = house();
    const bid = await panel();
    const button = await bid.findByRole("button", { name: "Bid Now" });
    world.refuse = new ApiProblem("task-not-found", 404, "This task no longer exists.");
    world.gone = true;
    await user.click(button);
    await screen.findByRole("heading", { name: "Task not found" });
    expect(screen.queryByRole("button", { name: /Try again|Bid Now/ })).toBeNull();
  });

  it("When the task is gone but the page cannot be read again, then trying again is not offered either", async () => {
    const { user, world } = house();
    const bid = await panel();
    world.refuse = new ApiProblem("task-not-found", 404, "This task no longer exists.");
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    await bid.findByText("This task no longer exists.");
    expect(screen.queryByRole("button", { name: /Try again|Bid Now|Customize/ })).toBeNull();
    expect(bid.getByRole("link", { name: "Browse open tasks" })).toBeInTheDocument();
  });

  it("When more is typed while the bid is being saved, then that is not thrown away", async () => {
    const { user, world } = house({ bid: aBid() });
    const bid = await panel();
    await user.click(await bid.findByRole("button", { name: /Add amount|Edit/ }));
    await user.type(bid.getByLabelText("Message to the client"), "First.");
    let release = () => {};
    world.slow = new Promise((resolve) => {
      release = resolve;
    });
    await user.click(bid.getByRole("button", { name: "Save bid" }));
    await bid.findByRole("button", { name: "Sending…" });
    await user.type(bid.getByLabelText("Message to the client"), " Second.");
    release();
    await bid.findByText("First.", { selector: "p" });
    expect(bid.getByLabelText("Message to the client")).toHaveValue("First. Second.");
    expect(Object.values(localStorage).join()).toContain("First. Second.");
  });
});

describe("what is said about a task that takes no bids", () => {
  it.each([
    [{ state: "expired" as const }, undefined, /deadline of this task has passed/],
    // Read while it was open; the day has passed since.
    [{ state: "open" as const, deadline: "2020-01-01" }, undefined, /deadline of this task has passed/],
    [{ state: "awarded" as const }, undefined, /has hired somebody for this task/],
    [{ state: "completed" as const }, undefined, /This task is completed/],
    [{ state: "cancelled" as const }, undefined, /has cancelled this task/],
    [{ state: "awarded" as const }, aBid({ state: "declined" }), /has chosen somebody else/],
    [{ state: "awarded" as const }, aBid({ state: "awarded" }), /You are hired/],
  ])("When the task is %o and the own bid %o, then it says so", async (task, bid, words) => {
    house({ task, ...(bid ? { bid } : {}) });
    const shown = await panel();
    await shown.findByText(words);
    expect(shown.queryByRole("button", { name: "Bid Now" })).toBeNull();
    expect(shown.queryByRole("button", { name: /Edit|Add amount/ })).toBeNull();
    const withdraw = shown.queryByRole("button", { name: "Withdraw" });
    expect(withdraw).toBeNull();
  });
});

describe("My Bids", () => {
  it("When an operator hides a task from its bidder, then the row says so and leads nowhere, and the bid can be withdrawn", async () => {
    const task = {
      _id: ID,
      title: "Hidden task",
      hidden: true,
      category: "Design",
      state: "open" as const,
      deadline: "2099-06-30",
      budget: 250,
      name: "Clara Client",
      clientId: "client-1",
    };
    const api = createFakeApi(async () => ({
      data: [{ ...aBid(), task }],
      headers: { "X-Total-Count": "1" },
    }));
    renderApp("/dash/mybids", { api, gateway: createFakeAuthGateway(aPerson()) });
    const row = within(await screen.findByRole("row", { name: /An operator has hidden this task/ }));
    expect(row.getByText("Hidden task")).toBeInTheDocument();
    expect(row.queryByRole("link")).toBeNull();
    expect(row.getAllByRole("menuitem", { hidden: true }).map((item) => item.textContent)).toEqual([
      "Withdraw bid",
    ]);
  });
});

import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aBid, findBidCount, findBidPanel, ID, renderBidPage } from "../../testing/bid-page.ts";
import { deferred } from "../../testing/fake-api.ts";

describe("bidding", () => {
  it("When Bid Now is clicked, then one bid without a body is sent, the count rises by one, and details can be added", async () => {
    const { user, writes } = renderBidPage();
    await findBidCount(3);
    await user.click(await (await findBidPanel()).findByRole("button", { name: "Bid Now" }));
    await findBidCount(4);
    expect(writes()).toMatchObject([
      { method: "PATCH", path: `/tasks/${ID}/bid`, body: undefined, headers: { "If-Match": '"0"' } },
    ]);
    const bid = await findBidPanel();
    await user.type(await bid.findByLabelText("Days to deliver"), "7");
    await user.type(bid.getByLabelText("Message to the client"), "I have done this before.");
    await user.click(bid.getByRole("button", { name: "Save bid" }));
    await bid.findByText("I have done this before.", { selector: "p" });
    expect(writes()[1]?.body).toEqual({ amount: 250, days: 7, message: "I have done this before." });
    await waitFor(() => expect(bid.queryByRole("button", { name: "Save bid" })).toBeNull());
    await findBidCount(4);
  });

  it("When somebody types before the page shows their bid, then the field keeps its focus and the text", async () => {
    const { user, server, writes } = renderBidPage();
    const bid = await findBidPanel();
    const { promise, resolve: release } = deferred();
    server.readDelay = promise;
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    const amount = await bid.findByLabelText("Amount (USD)");
    await user.clear(amount);
    await user.type(amount, "455.");
    release();
    await findBidCount(4);
    // A remounted field would have lost the focus.
    await user.keyboard("5");
    expect(bid.getByLabelText("Amount (USD)")).toHaveFocus();
    await user.click(bid.getByRole("button", { name: "Save bid" }));
    await waitFor(() => expect(writes()[1]?.body).toMatchObject({ amount: 455.5 }));
  });

  it("When the page is slow to show a new bid, then its form stays, and cannot be sent twice", async () => {
    const { user, server, writes } = renderBidPage();
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    await user.type(bid.getByLabelText("Message to the client"), "I have done this before.");
    const { promise, resolve: release } = deferred();
    server.readDelay = promise;
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await screen.findByText("Your bid is in. The client can see it now.");
    expect(bid.getByRole("button", { name: "Place this bid" })).toHaveAttribute("aria-disabled", "true");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    release();
    await bid.findByText("I have done this before.", { selector: "p" });
    await waitFor(() => expect(bid.queryByLabelText("Message to the client")).toBeNull());
    expect(writes()).toHaveLength(1);
  });

  it("When another tab has already bid, then it says so and the count does not rise", async () => {
    const { user, server } = renderBidPage();
    const bid = await findBidPanel();
    server.bid = aBid();
    server.otherBids = 2;
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    await screen.findByText("You have already bid on this task. One bid per task is enough.");
    await findBidCount(3);
  });

  it("When a bid fails, then what was typed stays, even after a reload, and a second attempt sends it", async () => {
    const { user, server, writes } = renderBidPage();
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    await user.clear(bid.getByLabelText("Amount (USD)"));
    await user.type(bid.getByLabelText("Amount (USD)"), "199.5");
    await user.type(bid.getByLabelText("Message to the client"), "Half now.");
    server.writeError = offlineProblem();
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText(/We can't reach Tasklane/);
    expect(bid.getByLabelText("Amount (USD)")).toHaveValue(199.5);
    expect(Object.values(localStorage).join()).toContain("Half now.");
    server.writeError = undefined;
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await findBidCount(4);
    expect(writes().at(-1)?.body).toEqual({ amount: 199.5, days: null, message: "Half now." });
    // Not a repeat: the bid may have been withdrawn on another device since.
    const [lost, again] = [writes().at(0), writes().at(-1)].map((call) => call?.headers?.["Idempotency-Key"]);
    expect(again).not.toBe(lost);
    expect(Object.values(localStorage).join()).not.toContain("Half now.");
  });

  it("When a refused bid is abandoned with Back, then its error disappears, and Bid Now is offered again", async () => {
    const { user, server } = renderBidPage();
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    server.writeError = new ApiProblem("too-many-requests", 429, "Too many requests.");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    const reason = await bid.findByText("Too many requests.");
    expect(reason.closest("[tabindex]")).toHaveFocus();
    await user.click(bid.getByRole("button", { name: "Back" }));
    await bid.findByRole("button", { name: "Bid Now" });
    expect(bid.queryByText("Too many requests.")).toBeNull();
  });

  it("When the form is invalid by the contract, then the field says so and nothing is sent", async () => {
    const { user, writes } = renderBidPage();
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    await user.clear(bid.getByLabelText("Amount (USD)"));
    await user.type(bid.getByLabelText("Days to deliver"), "400");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    const amount = bid.getByLabelText("Amount (USD)");
    await waitFor(() => expect(amount).toHaveAccessibleDescription(/Enter the amount as a number/));
    await waitFor(() => expect(amount).toHaveFocus());
    expect(bid.getByLabelText("Days to deliver")).toHaveAccessibleDescription(/1 to 365 whole days/);
    expect(writes()).toEqual([]);
  });

  it("When withdrawing the bid is confirmed, then the bid is gone and Bid Now is back", async () => {
    const { user, writes } = renderBidPage({ bid: aBid({ state: "shortlisted", days: 3 }) });
    const bid = await findBidPanel();
    await bid.findByText("Shortlisted");
    await user.click(bid.getByRole("button", { name: "Withdraw" }));
    await user.click(await screen.findByRole("button", { name: "Yes, withdraw it" }));
    await bid.findByRole("button", { name: "Bid Now" });
    expect(writes().map((call) => call.method)).toEqual(["DELETE"]);
    await findBidCount(3);
  });

  it("When the task stopped taking bids meanwhile, then the server's message is shown and the page is reloaded", async () => {
    const { user, server } = renderBidPage();
    const bid = await findBidPanel();
    const button = await bid.findByRole("button", { name: "Bid Now" });
    server.writeError = new ApiProblem("task-not-open", 409, "This task no longer takes bids");
    server.task = { state: "cancelled" };
    await user.click(button);
    await bid.findByText(/This task was cancelled/);
    expect(bid.getByRole("alert")).toHaveTextContent("This task no longer takes bids");
    expect(bid.queryByRole("button", { name: "Bid Now" })).toBeNull();
  });
});

describe("a bid on a task that changes", () => {
  it("When the client has changed the price since the task was loaded, then Bid Now shows the new price before bidding it", async () => {
    const { user, server, writes } = renderBidPage({ task: { version: 3 } });
    const bid = await findBidPanel();
    await bid.findByText("$250");
    const button = bid.getByRole("button", { name: "Bid Now" });
    server.task = { version: 4, budget: 90 };
    server.writeError = new ApiProblem("changed-meanwhile", 412, "The client has changed this task.");
    await user.click(button);
    await bid.findByText("$90");
    expect(bid.getByRole("alert")).toHaveTextContent("The client has changed this task.");
    server.writeError = undefined;
    await user.click(bid.getByRole("button", { name: "Bid Now" }));
    await findBidCount(4);
    expect(writes().map(({ headers }) => headers?.["If-Match"])).toEqual(['"3"', '"4"']);
  });

  it("When the task no longer exists, then the page says so and offers neither a retry nor Bid Now", async () => {
    const { user, server } = renderBidPage();
    const bid = await findBidPanel();
    const button = await bid.findByRole("button", { name: "Bid Now" });
    server.writeError = new ApiProblem("task-not-found", 404, "This task no longer exists.");
    server.deleted = true;
    await user.click(button);
    await screen.findByRole("heading", { name: "Task not found" });
    expect(screen.queryByRole("button", { name: /Try again|Bid Now/ })).toBeNull();
  });

  it("When the task no longer exists but the page still shows it, then no retry is offered either", async () => {
    const { user, server } = renderBidPage();
    const bid = await findBidPanel();
    server.writeError = new ApiProblem("task-not-found", 404, "This task no longer exists.");
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    await bid.findByText("This task no longer exists.");
    expect(screen.queryByRole("button", { name: /Try again|Bid Now|Customize/ })).toBeNull();
    expect(bid.getByRole("link", { name: "Browse open tasks" })).toBeInTheDocument();
  });

  it("When more is typed while the bid is being saved, then it is kept", async () => {
    const { user, server } = renderBidPage({ bid: aBid() });
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: /Add amount|Edit/ }));
    await user.type(bid.getByLabelText("Message to the client"), "First.");
    const { promise, resolve: release } = deferred();
    server.writeDelay = promise;
    await user.click(bid.getByRole("button", { name: "Save bid" }));
    await bid.findByRole("button", { name: "Sending…" });
    await user.type(bid.getByLabelText("Message to the client"), " Second.");
    release();
    await bid.findByText("First.", { selector: "p" });
    expect(bid.getByLabelText("Message to the client")).toHaveValue("First. Second.");
    expect(Object.values(localStorage).join()).toContain("First. Second.");
  });
});

describe("the daily bid limit", () => {
  it("When few bids are left, then it says how many; when none are, it says when the next is possible and hides Bid Now", async () => {
    const { server, user } = renderBidPage();
    server.bidsLeft = 3;
    const bid = await findBidPanel();
    await bid.findByText("You can place 3 more bids today.");
    server.bidsLeft = 0;
    server.writeError = new ApiProblem("bid-limit-reached", 409, "You have placed 20 bids today.");
    await user.click(bid.getByRole("button", { name: "Bid Now" }));
    await waitFor(() =>
      expect(bid.getByRole("alert")).toHaveTextContent(
        /as many bids as one day allows. You can bid again in \d+ (minute|hour)s?\./,
      ),
    );
    await waitFor(() =>
      expect(bid.queryByRole("button", { name: /Bid Now|Try again|Customize/ })).toBeNull(),
    );
    expect(bid.getAllByText(/as many bids as one day allows/)).toHaveLength(1);
  });

  it("When many bids are left, then the limit is not mentioned", async () => {
    renderBidPage();
    const bid = await findBidPanel();
    await bid.findByRole("button", { name: "Bid Now" });
    expect(bid.queryByText(/more bid/)).toBeNull();
  });
});

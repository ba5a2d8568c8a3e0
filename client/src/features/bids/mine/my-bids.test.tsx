import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { taskNews } from "../../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import { aBid, ID } from "../../../testing/bid-page.ts";
import { aPerson } from "../../../testing/builders.ts";
import { createFakeApi, deferred } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const CLIENT = { clientId: "client-1", name: "Clara Client" };
const TASK = {
  _id: ID,
  title: "Logo",
  category: "Design",
  budget: 250,
  state: "open",
  deadline: "2099-06-30",
};
/** A bid as My Bids lists it, with its task. */
const aMyBid = (task: object = {}, bid?: Parameters<typeof aBid>[0]) => ({
  ...aBid(bid),
  task: { ...TASK, ...CLIENT, ...task },
});
const open = (api: ReturnType<typeof createFakeApi>, address = "/dash/mybids") =>
  renderApp(address, { api, gateway: createFakeAuthGateway(aPerson()) });

describe("My Bids", () => {
  it("When a state is chosen, then it is in the URL, and an empty list says so and can be left", async () => {
    const won = aMyBid({ state: "awarded" }, { state: "awarded" });
    const api = createFakeApi(async ({ path, query }) => ({
      data: path === "/me/bids" && query["state"] !== "declined" ? [won] : [],
    }));
    const { user, router } = open(api, "/dash/mybids?state=nonsense");
    const states = within(await screen.findByRole("navigation", { name: "Bids by state" }));
    expect(states.getByRole("link", { current: true })).toHaveTextContent("All");
    await user.click(states.getByRole("link", { name: "Declined" }));
    expect(await screen.findByRole("heading", { name: "No declined bids" })).toBeVisible();
    expect(router.state.location.search).toBe("?state=declined");
    await user.click(screen.getByRole("link", { name: "Awarded" }));
    expect(await screen.findByRole("link", { name: "Logo" })).toBeVisible();
    const requested = api.calls.filter(({ path }) => path === "/me/bids").map(({ query }) => query["state"]);
    // On a slow machine data is already stale when it is shown, and is fetched again.
    expect([...new Set(requested)]).toEqual([undefined, "declined", "awarded"]);
  });

  it("When a notification about a task arrives, then the bids are refetched", async () => {
    const bid = aMyBid();
    let hired = false;
    const api = createFakeApi(async () => ({ data: [hired ? { ...bid, state: "awarded" } : bid] }));
    open(api);
    const row = await screen.findByRole("row", { name: /Logo/ });
    expect(row).toHaveTextContent("Placed");
    hired = true;
    act(() => taskNews.publish(ID));
    await waitFor(() => expect(row).toHaveTextContent("My bid: Awarded"));
  });

  it("When another state is chosen on a slow connection, then it is highlighted immediately, and the list is marked busy", async () => {
    const { promise: response, resolve: respond } = deferred();
    const api = createFakeApi(async ({ query }) => {
      if (query["state"]) await response;
      return { data: query["state"] ? [] : [aMyBid()] };
    });
    const { user } = open(api);
    await user.click(await screen.findByRole("link", { name: "Declined" }));
    const states = within(screen.getByRole("navigation", { name: "Bids by state" }));
    await waitFor(() => expect(states.getByRole("link", { current: true })).toHaveTextContent("Declined"));
    expect(screen.getByRole("table").parentElement).toHaveAttribute("aria-busy", "true");
    respond();
    await screen.findByRole("heading", { name: "No declined bids" });
  });

  it("When an operator has hidden a task, then its row says so and has no link, and the bid can be withdrawn while the task is open", async () => {
    const hidden = aMyBid({ title: "Hidden task", hidden: true });
    const taken = aMyBid({ _id: "f".repeat(24), title: "Taken", hidden: true, state: "awarded" });
    const bids = [hidden, { ...taken, _id: "e".repeat(24) }];
    const api = createFakeApi(async () => ({ data: bids, headers: { "X-Total-Count": "2" } }));
    open(api);
    const row = within(await screen.findByRole("row", { name: /^Hidden task.*An operator has hidden this/ }));
    expect(row.getByText("Hidden task")).toBeInTheDocument();
    expect(row.queryByRole("link")).toBeNull();
    expect(row.getAllByRole("menuitem", { hidden: true }).map((item) => item.textContent)).toEqual([
      "Withdraw bid",
    ]);
    expect(screen.queryByRole("button", { name: "More for Taken" })).toBeNull();
  });

  it("When the response to withdrawing a bid on a hidden task was lost, then withdrawing it again succeeds", async () => {
    let problem: ApiProblem | undefined = offlineProblem();
    const api = createFakeApi(async ({ method }) => {
      if (method === "GET") return { data: [aMyBid({ title: "Hidden task", hidden: true })] };
      throw problem;
    });
    const { user } = open(api);
    const withdraw = async () => {
      await user.click(await screen.findByRole("button", { name: "More for Hidden task" }));
      await user.click(screen.getByRole("menuitem", { name: "Withdraw bid" }));
      await user.click(await screen.findByRole("button", { name: "Yes, withdraw it" }));
    };
    await withdraw();
    await screen.findByText(/We can't reach/);
    problem = new ApiProblem("task-not-found", 404, "This task no longer exists.");
    await withdraw();
    await screen.findByText("Your bid on “Hidden task” is withdrawn.");
    expect(screen.queryByText(/was not withdrawn/)).toBeNull();
  });

  it("When the client has deleted their account, then neither their profile nor an empty menu is offered", async () => {
    const bid = aMyBid({ state: "completed", name: "Former member", clientId: undefined });
    open(createFakeApi(() => ({ data: [bid] })));
    const row = within(await screen.findByRole("row", { name: /Former member/ }));
    expect(row.getAllByRole("link").map((link) => link.textContent)).toEqual(["Logo", "View task"]);
    expect(row.queryByRole("button")).toBeNull();
  });
});

import {
  type BidState,
  calendarDate,
  type ReceivedBid,
  type Task,
  type TaskState,
} from "@tasklane/server/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { liveTasks, taskNews } from "../../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import { aPerson, aTask } from "../../../testing/builders.ts";
import { createFakeApi, deferred } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const ID = "a".repeat(24);
/** The event of a second bid on the task. */
const SECOND_BID = {
  taskId: ID,
  bidsCount: 2,
  bidsRevision: 2,
  questionsRevision: 0,
  state: "open",
  version: 0,
} as const;
const DONE = { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };

function aReceivedBid(number: number, overrides: Partial<ReceivedBid> = {}): ReceivedBid {
  const at = "2026-11-01T10:00:00.000Z";
  return {
    _id: number.toString(16).padStart(24, "0"),
    freelancerId: `f${number}`,
    name: `Fay ${number}`,
    amount: 100 + number,
    state: "placed",
    rating: { average: null, count: 0 },
    createdAt: at,
    updatedAt: at,
    ...overrides,
  };
}

/**
 * Opens the bids of a client's task. If set, writes fail with `refuse`, reading the bids with `down`, and reading the
 * tasks with `busy`.
 */
function openBids(bids: ReceivedBid[], task: Partial<Task> = {}, address = `/dash/myposttask?bids=${ID}`) {
  const world = {
    bids,
    state: (task.state ?? "open") as TaskState,
    refuse: undefined as Error | undefined,
    down: undefined as Error | undefined,
    pending: undefined as Promise<void> | undefined,
    reading: undefined as Promise<void> | undefined,
    listing: undefined as Promise<void> | undefined,
    busy: undefined as Error | undefined,
  };
  const api = createFakeApi(async ({ method, path, query, body }) => {
    if (path === "/tasks") {
      await world.listing;
      if (world.busy) throw world.busy;
      return {
        data: [aTask({ _id: ID, title: "A fox", bidsCount: world.bids.length, ...task, state: world.state })],
      };
    }
    if (path === `/tasks/${ID}`)
      return { data: aTask({ _id: ID, title: "A fox", bidsCount: world.bids.length, ...task }) };
    if (path === `/tasks/${ID}/bids`) {
      await world.reading;
      if (world.down) throw world.down;
      const found = world.bids.filter((bid) => !query["state"] || bid.state === query["state"]);
      const from = Number(query["cursor"] ?? 0);
      const to = from + Number(query["limit"]);
      const link: Record<string, string> =
        to < found.length ? { Link: `</tasks/${ID}/bids?cursor=${to}>; rel="next"` } : {};
      return { data: found.slice(from, to), headers: { "X-Total-Count": String(found.length), ...link } };
    }
    await world.pending;
    if (world.refuse) throw world.refuse;
    const chosen = path.endsWith("/award") ? (body as { bidId: string }).bidId : path.split("/").at(-1);
    const state = path.endsWith("/award") ? "awarded" : (body as { state: BidState }).state;
    if (state === "awarded") world.state = "awarded";
    world.bids = world.bids.map((bid) => (bid._id === chosen ? { ...bid, state } : bid));
    if (method === "GET") throw new Error(`unexpected ${path}`);
    return DONE;
  });
  const app = renderApp(address, { api, gateway: createFakeAuthGateway(aPerson({ uid: "client-1" })) });
  const listCalls = () => api.calls.filter((call) => call.path === `/tasks/${ID}/bids`);
  const writes = () => api.calls.filter((call) => call.method !== "GET");
  return { ...app, world, api, listCalls, writes };
}

const dialog = async () => within(await screen.findByRole("dialog", { name: "All Bids for This Task" }));
const item = async (name: string) => {
  const link = await (await dialog()).findByRole("link", { name });
  return within(link.closest("li") as HTMLElement);
};

describe("received bids", () => {
  it("When the URL names a task, then the dialog shows its bids, each with its offer", async () => {
    openBids([
      aReceivedBid(1, { days: 5, message: "Gladly." }),
      aReceivedBid(2, { state: "shortlisted", amount: 280.5, rating: { average: 4.25, count: 12 } }),
      aReceivedBid(3, { freelancerId: undefined, name: "Former member" }),
    ]);
    const shown = await dialog();
    expect(await shown.findByText("A fox")).toBeInTheDocument();
    await shown.findByText("Gladly.");
    expect((shown.getByText("Total Bids:").parentElement as HTMLElement).textContent).toBe("Total Bids: 3");
    const first = await item("Fay 1");
    expect(first.getByRole("link", { name: "Fay 1" })).toHaveAttribute("href", "/people/f1");
    expect(first.getByText("$101")).toBeInTheDocument();
    expect(first.getByText("$149 under budget")).toBeInTheDocument();
    expect(first.getByText("in 5 days")).toBeInTheDocument();
    expect(first.getByText("No reviews yet")).toBeInTheDocument();
    const second = await item("Fay 2");
    expect(second.getByText("$280.50")).toBeInTheDocument();
    expect(second.getByText("$30.50 over budget")).toBeInTheDocument();
    expect(second.getByText("4.3")).toBeInTheDocument();
    expect(second.getByText(/12 reviews/)).toBeInTheDocument();
    // The date is when it was placed, not when it was shortlisted.
    expect(second.getByText("Shortlisted").closest("p")).toHaveTextContent("Shortlisted placed Nov 1, 2026");
    // The account is deleted, so there is no profile to link to.
    expect(shown.getByText("Former member").closest("a")).toBeNull();
  });

  it("When a bid answers the screening question or repeats a message, then the card shows that, and others do not", async () => {
    openBids([
      aReceivedBid(1, { question: "When?", answer: "Today.", message: "Hello", sentTo: 14 }),
      aReceivedBid(2, { message: "Hello", sentTo: 1 }),
      aReceivedBid(3, { message: "Hello", sentTo: 50 }),
      aReceivedBid(4, { message: "Hello" }),
    ]);
    const first = await item("Fay 1");
    expect(first.getByText("When?", { selector: "dt" })).toBeInTheDocument();
    expect(first.getByText("Today.", { selector: "dd p" })).toBeInTheDocument();
    expect(first.getByText("Sent to 14 other tasks")).toBeInTheDocument();
    expect((await item("Fay 2")).getByText("Sent to 1 other task")).toBeInTheDocument();
    expect((await item("Fay 3")).getByText("Sent to 50 or more other tasks")).toBeInTheDocument();
    const last = await item("Fay 4");
    expect(last.queryByText(/Sent to/)).toBeNull();
    expect(last.queryByText("When?")).toBeNull();
  });

  it("When there is one bid, then sorting and filtering are not offered; when another arrives, they are", async () => {
    const { world } = openBids([aReceivedBid(1)]);
    const shown = await dialog();
    await shown.findByRole("link", { name: "Fay 1" });
    expect(shown.queryByLabelText("Sort by")).toBeNull();
    expect(shown.queryByLabelText("Show")).toBeNull();
    world.bids = [aReceivedBid(2), ...world.bids];
    liveTasks.deliver(ID, SECOND_BID);
    await shown.findByLabelText("Sort by");
    expect(shown.getByLabelText("Show")).toBeInTheDocument();
  });

  it("When the bids are opened and closed, then the URL follows, and the tasks are not fetched again", async () => {
    const { user, router, api } = openBids([], {}, "/dash/myposttask");
    await user.click(await screen.findByRole("button", { name: /^Bids \d+ for A fox/ }));
    await (await dialog()).findByText("No bids yet");
    expect(router.state.location.search).toBe(`?bids=${ID}`);
    // jsdom does not implement `method=dialog` forms, which close their dialog.
    screen.getByRole<HTMLDialogElement>("dialog", { name: "All Bids for This Task" }).close();
    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(api.calls.filter((call) => call.path === "/tasks")).toHaveLength(1);
  });

  it("When bids are closed while the tasks reload, then they can be opened again at once", async () => {
    const { user, world, queryClient, router } = openBids([aReceivedBid(1)], {}, "/dash/myposttask");
    const opening = await screen.findByRole("button", { name: /^Bids \d+ for A fox/ });
    await user.click(opening);
    const shown = await dialog();
    await shown.findByRole("link", { name: "Fay 1" });
    const listing = deferred();
    world.listing = listing.promise;
    void queryClient.invalidateQueries({ queryKey: ["tasks", "mine"] });
    screen.getByRole<HTMLDialogElement>("dialog", { name: "All Bids for This Task" }).close();
    await waitFor(() => expect(router.state.navigation.state).toBe("loading"));
    await user.click(opening);
    listing.resolve();
    await waitFor(() => expect(router.state.navigation.state).toBe("idle"));
    expect(await (await dialog()).findByRole("link", { name: "Fay 1" })).toBeVisible();
    expect(router.state.location.search).toBe(`?bids=${ID}`);
  });

  it("When bids opened by a link are closed while the tasks reload, and opened again, then closing them is final", async () => {
    const { user, world, queryClient, router } = openBids([aReceivedBid(1)]);
    const close = () =>
      screen.getByRole<HTMLDialogElement>("dialog", { name: "All Bids for This Task" }).close();
    await (await dialog()).findByRole("link", { name: "Fay 1" });
    const listing = deferred();
    world.listing = listing.promise;
    void queryClient.invalidateQueries({ queryKey: ["tasks", "mine"] });
    close();
    await waitFor(() => expect(router.state.navigation.state).toBe("loading"));
    await user.click(screen.getByRole("button", { name: /^Bids \d+ for A fox/ }));
    listing.resolve();
    await waitFor(() => expect(router.state.navigation.state).toBe("idle"));
    await (await dialog()).findByRole("link", { name: "Fay 1" });
    close();
    await waitFor(() => expect(router.state.location.search).toBe(""));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("When a bid arrives while the tasks may not be reloaded, then they are reloaded once that is allowed", async () => {
    const { world, api, queryClient } = openBids([aReceivedBid(1)]);
    await (await dialog()).findByRole("link", { name: "Fay 1" });
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const lists = () => api.calls.filter(({ path }) => path === "/tasks").length;
    world.busy = new ApiProblem("too-many-requests", 429, "Too many requests.", { retryAfter: 40 });
    void queryClient.invalidateQueries({ queryKey: ["tasks", "mine"] });
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    act(() => liveTasks.deliver(ID, SECOND_BID));
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    world.busy = undefined;
    const before = lists();
    await act(() => vi.advanceTimersByTimeAsync(45_000));
    expect(lists()).toBeGreaterThan(before);
  });

  it("When sort order, filter and more are chosen, then the server is asked for exactly that", async () => {
    const { user, listCalls } = openBids(Array.from({ length: 30 }, (_, index) => aReceivedBid(index + 1)));
    const shown = await dialog();
    await shown.findByRole("link", { name: "Fay 20" });
    expect(shown.queryByRole("link", { name: "Fay 21" })).toBeNull();
    await user.click(shown.getByRole("button", { name: "Load more bids" }));
    await shown.findByRole("link", { name: "Fay 30" });
    expect(shown.queryByRole("button", { name: "Load more bids" })).toBeNull();
    await user.selectOptions(shown.getByLabelText("Sort by"), "Amount: lowest");
    await user.selectOptions(shown.getByLabelText("Show"), "Shortlisted");
    await shown.findByText("No bids with this status");
    expect(listCalls().at(0)?.query).toMatchObject({ sort: "newest", state: "", limit: "20" });
    expect(listCalls().at(-1)?.query).toMatchObject({
      sort: "amount-asc",
      state: "shortlisted",
      limit: "20",
    });
  });

  it("When a bid is shortlisted, then it shows before the server responds, and can be undone", async () => {
    const { user, world, writes } = openBids([aReceivedBid(1)]);
    const write = deferred();
    world.pending = write.promise;
    const row = await item("Fay 1");
    await user.click(row.getByRole("button", { name: "Shortlist Fay 1" }));
    await row.findByText("Shortlisted");
    expect(world.bids[0]?.state).toBe("placed");
    const read = deferred();
    world.reading = read.promise;
    write.resolve();
    await waitFor(() => expect(world.bids[0]?.state).toBe("shortlisted"));
    const back = await row.findByRole("button", { name: "Remove from shortlist: Fay 1" });
    // The list of tasks is refetched too, and may arrive long before the bids.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(row.queryByText("Placed")).toBeNull();
    read.resolve();
    await waitFor(() => expect(back).not.toHaveAttribute("aria-disabled"));
    await user.click(back);
    await row.findByText("Placed");
    await waitFor(() =>
      expect(writes().map((call) => call.body)).toEqual([{ state: "shortlisted" }, { state: "placed" }]),
    );
  });

  it("When a declined bid was edited afterwards, then it says so", async () => {
    const [declinedAt, updatedAt] = ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"];
    openBids([
      aReceivedBid(1, { state: "declined", declinedAt, updatedAt }),
      aReceivedBid(2, { state: "declined", declinedAt: updatedAt, updatedAt: declinedAt }),
    ]);
    expect((await item("Fay 1")).getByText(/edited since you declined it$/)).toBeInTheDocument();
    expect((await item("Fay 2")).getByText(/edited$/)).toBeInTheDocument();
  });

  it("When decisions reload the tasks more often than the API allows, then the bids stay open", async () => {
    const { user, world } = openBids([aReceivedBid(1)]);
    const row = await item("Fay 1");
    world.busy = new ApiProblem("too-many-requests", 429, "Too many requests. Try again in 40 seconds.");
    await user.click(row.getByRole("button", { name: "Decline Fay 1" }));
    const undo = await row.findByRole("button", { name: "Undo decline of Fay 1" });
    await waitFor(() => expect(undo).not.toHaveAttribute("aria-disabled"));
    expect(undo).toBeVisible();
  });

  it("When the server refuses, then the bid returns to its state, with the reason", async () => {
    const { user, world } = openBids([aReceivedBid(1)]);
    world.refuse = new ApiProblem("bid-not-found", 404, "This bid no longer exists");
    const row = await item("Fay 1");
    await user.click(row.getByRole("button", { name: "Decline Fay 1" }));
    expect(await row.findByText(/no longer exists/)).toBeInTheDocument();
    expect(row.getByText("Placed")).toBeInTheDocument();
  });

  it("When a task is awarded, then name and amount are confirmed first, and afterwards nobody else can be chosen", async () => {
    const { user, writes } = openBids([aReceivedBid(1, { days: 1 }), aReceivedBid(2)]);
    const row = await item("Fay 1");
    await user.click(row.getByRole("button", { name: "Award to Fay 1" }));
    expect(await screen.findByText("Award this task to Fay 1?")).toBeInTheDocument();
    const terms = "title, category, description, budget and screening question";
    const confirmation = screen.getByText(/Fay 1 does “A fox” for \$101, due on/);
    expect(confirmation).toHaveTextContent(`and the task’s ${terms} can no longer be changed.`);
    expect(writes()).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Award for $101" }));
    await row.findByText("Awarded");
    await waitFor(() => expect(screen.queryByRole("button", { name: /^Award to/ })).toBeNull());
    await waitFor(() => expect(row.getByRole("link", { name: "Fay 1" }).parentElement).toHaveFocus());
    expect(writes().map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", `/tasks/${ID}/award`, { bidId: aReceivedBid(1)._id, updatedAt: aReceivedBid(1).updatedAt }],
    ]);
  });

  it("When a bid is far above the budget and due after the deadline, then its card and the award's confirmation warn of both", async () => {
    const task = { budget: 1_600, deadline: calendarDate(new Date()) };
    const { user } = openBids([aReceivedBid(1, { amount: 900_000, days: 300 })], task);
    const row = await item("Fay 1");
    expect(row.getByText("$898,400 over budget")).toBeInTheDocument();
    expect(row.getByText("300 days after the deadline")).toBeInTheDocument();
    await user.click(row.getByRole("button", { name: "Award to Fay 1" }));
    await screen.findByText(/That is \$898,400 over budget and 300 days after the deadline\./);
  });

  it("When the response to an award is lost, then the page does not claim that nothing was changed", async () => {
    const { user, world } = openBids([aReceivedBid(1)]);
    const row = await item("Fay 1");
    await user.click(row.getByRole("button", { name: "Award to Fay 1" }));
    world.refuse = offlineProblem();
    await user.click(await screen.findByRole("button", { name: "Award for $101" }));
    expect(await row.findByText(/^We can't reach Tasklane/)).not.toHaveTextContent(/nothing was changed/i);
  });

  it("When the response to an award is lost and the bid is awarded again, then that is a new request", async () => {
    const { user, world, writes } = openBids([aReceivedBid(1)]);
    const row = await item("Fay 1");
    const award = async () => {
      await user.click(row.getByRole("button", { name: "Award to Fay 1" }));
      await user.click(await screen.findByRole("button", { name: "Award for $101" }));
    };
    world.refuse = offlineProblem();
    await award();
    await row.findByText(/^We can't reach Tasklane/);
    world.refuse = undefined;
    await award();
    await row.findByText("Awarded");
    const [lost, again] = writes().map(({ headers }) => headers?.["Idempotency-Key"]);
    expect(again).not.toBe(lost);
  });

  it("When a bid was changed since it was loaded, then the award is refused, the new bid is shown, and can be awarded", async () => {
    const { user, world, writes } = openBids([aReceivedBid(1)]);
    const row = await item("Fay 1");
    await user.click(row.getByRole("button", { name: "Award to Fay 1" }));
    const yes = await screen.findByRole("button", { name: "Award for $101" });
    const changed = aReceivedBid(1, { amount: 4_000, updatedAt: "2026-11-01T10:00:00.001Z" });
    world.bids = [changed];
    const reason = "This bid was changed since you read it: look at it again.";
    world.refuse = new ApiProblem("changed-meanwhile", 412, reason);
    await user.click(yes);
    expect(await row.findByText(reason)).toBeInTheDocument();
    expect(await row.findByText("$4,000")).toBeInTheDocument();
    world.refuse = undefined;
    await user.click(row.getByRole("button", { name: "Award to Fay 1" }));
    await user.click(await screen.findByRole("button", { name: "Award for $4,000" }));
    await row.findByText("Awarded");
    expect(writes().at(-1)?.body).toEqual({ bidId: changed._id, updatedAt: changed.updatedAt });
  });

  it("When an event about another bid arrives, then count and list are updated", async () => {
    const { world } = openBids([aReceivedBid(1)]);
    const shown = await dialog();
    await shown.findByRole("link", { name: "Fay 1" });
    world.bids = [aReceivedBid(2), ...world.bids];
    liveTasks.deliver(ID, SECOND_BID);
    await shown.findByText("2", { selector: "strong" });
    await shown.findByRole("link", { name: "Fay 2" });
  });

  it("When the bids fail to load, then the dialog says so, and retrying works", async () => {
    const { user, world } = openBids([aReceivedBid(1)], {}, "/dash/myposttask");
    world.down = new ApiProblem("unavailable", 503, "The service is not available right now");
    await user.click(await screen.findByRole("button", { name: /^Bids \d+ for A fox/ }));
    const shown = await dialog();
    await shown.findByText("The bids did not load");
    world.down = undefined;
    await user.click(shown.getByRole("button", { name: "Try again" }));
    await shown.findByRole("link", { name: "Fay 1" });
  });

  it("When the bids of another filter fail to load, then the previous ones are not shown in their place", async () => {
    const { user, world } = openBids([aReceivedBid(1), aReceivedBid(2, { state: "shortlisted" })]);
    const shown = await dialog();
    await shown.findByRole("link", { name: "Fay 1" });
    world.down = new ApiProblem("unavailable", 503, "The service is not available right now");
    await user.selectOptions(shown.getByLabelText("Show"), "Shortlisted");
    await shown.findByText("The bids did not load");
    expect(shown.queryByRole("list", { name: "Bids" })).toBeNull();
    world.down = undefined;
    await user.click(shown.getByRole("button", { name: "Try again" }));
    await waitFor(() => {
      expect(shown.getByRole("list", { name: "Bids" })).toHaveAttribute("aria-busy", "false");
      expect(shown.getAllByRole("listitem")).toHaveLength(1);
    });
    expect(shown.getByRole("link", { name: "Fay 2" })).toBeInTheDocument();
  });

  it("When more bids fail to load, then the loaded ones stay, and loading more can be retried", async () => {
    const { user, world } = openBids(Array.from({ length: 30 }, (_, index) => aReceivedBid(index + 1)));
    const shown = await dialog();
    const more = await shown.findByRole("button", { name: "Load more bids" });
    world.down = new ApiProblem("unavailable", 503, "The service is not available right now");
    await user.click(more);
    await shown.findByText(/not available right now/);
    expect(shown.getByRole("list", { name: "Bids" })).toHaveAttribute("aria-busy", "false");
    world.down = undefined;
    await user.click(shown.getByRole("button", { name: "Load more bids" }));
    await shown.findByRole("link", { name: "Fay 30" });
  });

  it("When a bid arrives as soon as My Posted Tasks is shown, then its task's count is updated", async () => {
    const { world } = openBids([], {}, "/dash/myposttask");
    // Runs right after the rows are rendered, before anything else can happen.
    const rows = new MutationObserver(() => {
      if (!screen.queryByRole("button", { name: /^Bids \d+ for A fox/ })) return;
      rows.disconnect();
      world.bids = [aReceivedBid(1)];
      taskNews.publish(ID);
    });
    rows.observe(document.body, { childList: true, subtree: true });
    const open = await screen.findByRole("button", { name: /^Bids \d+ for A fox/ });
    await waitFor(() => expect(open).toHaveTextContent("Bids 1"));
  });
});

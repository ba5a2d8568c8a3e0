import { type BidState, calendarDate, type ReceivedBid, type Task } from "@tasklane/server/contract";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { liveTasks, taskNews } from "../../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import {
  aPerson,
  aReceivedBid,
  aTask,
  aTaskEvent,
  CLIENT,
  FREELANCER,
  ID,
} from "../../../testing/builders.ts";
import { pageOfItems } from "../../../testing/fake-api.ts";
import { findDialog, findRegion } from "../../../testing/find.ts";
import { openApp } from "../../../testing/open-app.tsx";

const DOWN = new ApiProblem("unavailable", 503, "The service is not available right now");
const MY_TASKS = "/dash/myposttask";
const BIDS = "GET /tasks/:id/bids";

/** Opens the bids of a client's task, which is stored by a fake server. */
function openBids(bids: ReceivedBid[], task: Partial<Task> = {}, address = `${MY_TASKS}?bids=${ID}`) {
  const world = { bids, task: aTask({ _id: ID, title: "A fox", viewer: CLIENT, ...task }) };
  const current = () => ({ ...world.task, bidsCount: world.bids.length });
  const decide = (id: string | undefined, state: BidState) => {
    world.bids = world.bids.map((bid) => (bid._id === id ? { ...bid, state } : bid));
    if (state === "awarded") world.task = { ...world.task, state };
  };
  const app = openApp(
    address,
    {
      // Only a task that is read by itself says who reads it.
      "GET /tasks": () => [{ ...current(), viewer: undefined }],
      "GET /tasks/:id/files": bids.slice(0, 1).map(({ _id }) => ({
        ...{ _id: "f1", name: "fox.pdf", size: 5, type: "application/pdf", place: "bid", on: _id },
        by: "freelancer",
      })),
      "GET /tasks/:id": current,
      [BIDS]: (call) =>
        pageOfItems(
          world.bids.filter(({ state }) => !call.query["state"] || state === call.query["state"]),
          call,
        ),
      "POST /tasks/:id/award": ({ body }) => decide((body as { bidId: string }).bidId, "awarded"),
      "PATCH /tasks/:id/bids/:bidId": ({ params, body }) =>
        decide(params["bidId"], (body as ReceivedBid).state),
      "PUT /tasks/:id/bids/:bidId/note": ({ params, body }) => {
        const { note } = body as ReceivedBid;
        world.bids = world.bids.map((bid) => (bid._id === params["bidId"] ? { ...bid, note } : bid));
      },
    },
    { person: aPerson({ uid: "client-1" }) },
  );
  return { ...app, world };
}

const dialog = () => findDialog("All Bids for This Task");
const item = async (name: string) => {
  const link = await (await dialog()).findByRole("link", { name });
  return within(link.closest("li") as HTMLElement);
};
const opening = () => screen.findByRole("button", { name: /^Bids \d+ for A fox/ });
// jsdom does not implement `method=dialog` forms, which close their dialog.
const close = () => screen.getByRole<HTMLDialogElement>("dialog", { name: "All Bids for This Task" }).close();
const manyBids = () => Array.from({ length: 30 }, (_, index) => aReceivedBid(index + 1));

it("When the URL names a task, then the dialog shows its bids, each with its offer and files", async () => {
  const [declinedAt, updatedAt] = ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"];
  openBids([
    aReceivedBid(1, { days: 5, question: "When?", answer: "Today.", message: "Gladly.", sentTo: 14 }),
    aReceivedBid(2, {
      ...{ state: "shortlisted", amount: 280.5, rating: { average: 4.25, count: 12 } },
      ...{ message: "Hello", sentTo: 1 },
    }),
    aReceivedBid(3, { freelancerId: undefined, name: "Former member", message: "Hello", sentTo: 50 }),
    aReceivedBid(4, { state: "declined", declinedAt, updatedAt, message: "Hello" }),
    aReceivedBid(5, { state: "declined", declinedAt: updatedAt, updatedAt: declinedAt }),
  ]);
  const shown = await dialog();
  const first = await item("Fay 1");
  expect(shown.getByText("A fox")).toBeVisible();
  expect(shown.getByText("Total Bids:").parentElement?.textContent).toBe("Total Bids: 5");
  expect(first.getByRole("link", { name: "Fay 1" })).toHaveAttribute("href", "/people/f1");
  await first.findByText("fox.pdf");
  for (const text of [
    "$101",
    "$149 under budget",
    "in 5 days",
    "No reviews yet",
    "Gladly.",
    "When?",
    "Today.",
  ])
    expect(first.getByText(text)).toBeVisible();
  expect(first.getByText("Sent to 14 other tasks")).toBeVisible();
  const second = await item("Fay 2");
  for (const text of ["$280.50", "$30.50 over budget", "4.2", /12 reviews/, "Sent to 1 other task"])
    expect(second.getByText(text)).toBeVisible();
  // The date is when it was placed, not when it was shortlisted.
  expect(second.getByText("Shortlisted").closest("p")).toHaveTextContent("Shortlisted placed Nov 1, 2026");
  // Only somebody on the shortlist can be written to.
  expect(await shown.findAllByRole("button", { name: /^Message/ })).toHaveLength(1);
  expect(second.getByRole("button", { name: "Message Fay 2" })).toBeVisible();
  // The account is deleted, so there is no profile to link to.
  expect(shown.getByText("Former member").closest("a")).toBeNull();
  expect(shown.getByText("Sent to 50 or more other tasks")).toBeVisible();
  const fourth = await item("Fay 4");
  expect(fourth.getByText(/edited since you declined it$/)).toBeVisible();
  expect(fourth.queryByText(/Sent to|When\?/)).toBeNull();
  expect((await item("Fay 5")).getByText(/edited$/)).toBeVisible();
});

it("When there is one bid, then sorting and filtering are not offered; when another arrives, it is listed, and they are", async () => {
  const { world } = openBids([aReceivedBid(1)]);
  const shown = await dialog();
  await item("Fay 1");
  expect(shown.queryByLabelText(/Sort by|Show/)).toBeNull();
  world.bids = [aReceivedBid(2), ...world.bids];
  act(() => liveTasks.deliver(ID, aTaskEvent({ bidsCount: 2, bidsRevision: 2 })));
  await item("Fay 2");
  expect(await shown.findByText("2", { selector: "strong" })).toBeVisible();
  expect(shown.getByLabelText("Sort by")).toBeVisible();
  expect(shown.getByLabelText("Show")).toBeVisible();
});

it("When there are no bids, then what may bring some is suggested only while the task takes any", async () => {
  for (const task of [{ state: "cancelled" }, { hidden: true }] as const) {
    openBids([], task);
    expect(await (await dialog()).findByText("This task takes no bids now.")).toBeVisible();
    cleanup();
  }
  openBids([]);
  const update = await (await dialog()).findByRole("link", { name: "Update the task" });
  expect(update).toHaveAttribute("href", `/dash/updatetask/${ID}`);
});

it("When the bids are opened and closed, then the URL follows, and the tasks are not fetched again", async () => {
  // On a busy machine the list would be old enough to be read again.
  vi.setSystemTime(new Date());
  const { user, address, asked, isAt } = openBids([], {}, MY_TASKS);
  await user.click(await opening());
  await (await dialog()).findByText("No bids yet");
  expect(address()).toBe(`${MY_TASKS}?bids=${ID}`);
  close();
  await isAt(MY_TASKS);
  expect(asked("GET /tasks")).toHaveLength(1);
});

it.each([
  ["here", MY_TASKS],
  ["by a link", `${MY_TASKS}?bids=${ID}`],
])(
  "When bids opened %s are closed while the tasks reload, then they can be opened again at once, and closing them is final",
  async (_, start) => {
    const { user, server, queryClient, router, address, isAt } = openBids([aReceivedBid(1)], {}, start);
    const button = await opening();
    if (start === MY_TASKS) await user.click(button);
    await item("Fay 1");
    const list = server.hold("GET /tasks");
    void queryClient.invalidateQueries({ queryKey: ["tasks", "mine"] });
    close();
    await waitFor(() => expect(router.state.navigation.state).toBe("loading"));
    await user.click(button);
    list();
    await waitFor(() => expect(router.state.navigation.state).toBe("idle"));
    await item("Fay 1");
    expect(address()).toBe(`${MY_TASKS}?bids=${ID}`);
    close();
    await isAt(MY_TASKS);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  },
);

it("When the bids open as a page, then the brief is beside them, and up to three can be compared", async () => {
  const bids = [1, 2, 3, 4].map((number) => aReceivedBid(number));
  bids[0] = { ...bids[0], headline: "Foxes", skills: ["Ink"], jobsCompleted: 3 } as ReceivedBid;
  const { user, press } = openBids(
    bids,
    { description: "A brief of a fox.", skills: ["Foxes"] },
    `/dash/bids/${ID}`,
  );
  const brief = await findRegion("Brief");
  expect(brief.getByText("A brief of a fox.")).toBeVisible();
  expect(brief.getByRole("link", { name: "Foxes" })).toHaveAttribute("href", "/browsetask?search=Foxes");
  const first = within((await screen.findByRole("link", { name: "Fay 1" })).closest("li") as HTMLElement);
  for (const text of ["Foxes", "Ink", /3 jobs done/]) expect(first.getByText(text)).toBeVisible();
  for (const number of [1, 2, 4]) await user.click(screen.getByLabelText(`Compare Fay ${number}`));
  expect(screen.getByLabelText("Compare Fay 3")).toBeDisabled();
  expect(screen.getByText("At most 3 at once.")).toBeVisible();
  await press("Compare 3 bids");
  expect(screen.queryByRole("link", { name: "Fay 3" })).toBeNull();
  await press("Show all bids");
  expect(screen.getByRole("link", { name: "Fay 3" })).toBeVisible();
  // With one left, nothing is compared until that is asked for again.
  await press("Compare 3 bids");
  for (const number of [1, 2]) await user.click(screen.getByLabelText(`Compare Fay ${number}`));
  await user.click(screen.getByLabelText("Compare Fay 3"));
  expect(screen.getByRole("link", { name: "Fay 1" })).toBeVisible();
});

it("When a bid that is compared is gone, then another can be compared in its place", async () => {
  const { user, world, reload } = openBids([1, 2, 3, 4, 5].map((number) => aReceivedBid(number)));
  for (const number of [1, 2, 3]) await user.click(await screen.findByLabelText(`Compare Fay ${number}`));
  world.bids = world.bids.slice(1);
  await reload();
  await screen.findByRole("button", { name: "Compare 2 bids" });
  await user.click(screen.getByLabelText("Compare Fay 4"));
  expect(screen.getByRole("button", { name: "Compare 3 bids" })).toBeVisible();
  expect(screen.getByLabelText("Compare Fay 5")).toBeDisabled();
});

it("When the hired freelancer has deleted their account, then their bid leads to the task, and nobody can be written to", async () => {
  const left = aReceivedBid(1, { state: "awarded", freelancerId: undefined, name: "Former member" });
  openBids([left], { state: "awarded", otherSideLeft: true });
  const shown = await dialog();
  const link = await shown.findByRole("link", { name: "See the task" });
  expect(link).toHaveAttribute("href", `/dash/taskdetails/${ID}`);
  expect(shown.queryByRole("button", { name: /^Message/ })).toBeNull();
});

it("When somebody else opens the page of a task's bids, then it says that only its client sees them", async () => {
  const { asked } = openBids([], { viewer: FREELANCER }, `/dash/bids/${ID}`);
  expect(await screen.findByRole("alert")).toHaveTextContent("This task belongs to someone else");
  expect(screen.queryByRole("region", { name: "Brief" })).toBeNull();
  expect(asked(BIDS)).toEqual([]);
});

it("When sort order, filter and more are chosen, then the server is asked for exactly that", async () => {
  const { user, press, asked } = openBids(manyBids());
  const shown = await dialog();
  await item("Fay 20");
  expect(shown.queryByRole("link", { name: "Fay 21" })).toBeNull();
  await press("Load more bids", shown);
  await item("Fay 30");
  expect(shown.queryByRole("button", { name: "Load more bids" })).toBeNull();
  await user.selectOptions(shown.getByLabelText("Sort by"), "Amount: lowest");
  await user.selectOptions(shown.getByLabelText("Show"), "Shortlisted");
  await shown.findByText("No bids with this status");
  const queries = asked(BIDS).map(({ query }) => query);
  expect(queries.at(0)).toMatchObject({ sort: "newest", state: "", limit: "20" });
  expect(queries.at(-1)).toMatchObject({ sort: "amount-asc", state: "shortlisted", limit: "20" });
});

it("When a profile is looked at, then Back finds the sort order, the filter and the comparison again; a link to the bids begins anew", async () => {
  const bids = [1, 2, 3].map((number) => aReceivedBid(number, { state: "shortlisted" }));
  const address = `/dash/bids/${ID}`;
  const { user, press, goTo, goBack } = openBids([...bids, aReceivedBid(4)], {}, address);
  await user.selectOptions(await screen.findByLabelText("Sort by"), "Amount: lowest");
  await user.selectOptions(screen.getByLabelText("Show"), "Shortlisted");
  await waitFor(() => expect(screen.queryByRole("link", { name: "Fay 4" })).toBeNull());
  for (const number of [1, 2]) await user.click(screen.getByLabelText(`Compare Fay ${number}`));
  await press("Compare 2 bids");
  await user.click(screen.getByRole("link", { name: "Fay 1" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Brief" })).toBeNull());
  await goBack();
  await screen.findByRole("button", { name: "Show all bids" });
  expect(screen.getByLabelText("Sort by")).toHaveValue("amount-asc");
  expect(screen.getByLabelText("Show")).toHaveValue("shortlisted");
  expect(screen.queryByRole("link", { name: "Fay 3" })).toBeNull();
  for (const shown of ["/dash/myposttask", address]) {
    await goTo(shown);
    await goTo(address);
    await screen.findByRole("link", { name: "Fay 4" });
    await user.selectOptions(screen.getByLabelText("Show"), "Shortlisted");
    await waitFor(() => expect(screen.queryByRole("link", { name: "Fay 4" })).toBeNull());
  }
});

it("When a bidder is suspended, then their bid cannot be awarded", async () => {
  openBids([aReceivedBid(1, { suspended: true })]);
  const row = await item("Fay 1");
  expect(row.getByText(/the bid cannot be awarded now/)).toBeVisible();
  expect(row.queryByRole("button", { name: /^Award/ })).toBeNull();
});

it("When the task is over, then a bid without days keeps the day on which it was to be delivered", async () => {
  openBids([aReceivedBid(1)], { state: "cancelled", deadline: "2020-02-01", deliverBy: "2020-03-01" });
  expect((await item("Fay 1")).getByText("by Mar 1, 2020")).toBeVisible();
});

it("When a bid is shortlisted, then it shows before the server responds, and until the list is reloaded, and can be undone", async () => {
  const { user, press, server, world, asked, writes, queryClient } = openBids([aReceivedBid(1)]);
  const write = server.hold("writes");
  const row = await item("Fay 1");
  await press("Shortlist Fay 1", row);
  await row.findByText("Shortlisted");
  expect(world.bids[0]?.state).toBe("placed");
  const read = server.hold(BIDS);
  write();
  await waitFor(() => expect(world.bids[0]?.state).toBe("shortlisted"));
  // The list of tasks may arrive long before the bids.
  await waitFor(() => expect(asked("GET /tasks").length).toBeGreaterThan(1));
  const back = await row.findByRole("button", { name: "Remove from shortlist: Fay 1" });
  expect(row.queryByText("Placed")).toBeNull();
  read();
  await waitFor(() => expect(back).not.toHaveAttribute("aria-disabled"));
  await user.click(back);
  await row.findByText("Placed");
  const again = await row.findByRole("button", { name: "Shortlist Fay 1" });
  await waitFor(() => expect(again).not.toHaveAttribute("aria-disabled"));
  // What is read again later does not keep anybody from the next click.
  const later = server.hold(BIDS);
  const refetched = queryClient.invalidateQueries();
  await waitFor(() => expect(queryClient.isFetching()).toBeGreaterThan(0));
  expect(again).not.toHaveAttribute("aria-disabled");
  later();
  await act(() => refetched);
  await waitFor(() =>
    expect(writes().map(({ body }) => body)).toEqual([{ state: "shortlisted" }, { state: "placed" }]),
  );
});

it("When the client notes something, then the card shows the note, which can be emptied", async () => {
  const { user, fill, press } = openBids([aReceivedBid(1)]);
  const row = await item("Fay 1");
  await press("Add a private note about Fay 1", row);
  expect(row.getByLabelText(/Private note/)).toHaveFocus();
  await fill(/Private note/, "Ask about fonts.", row);
  await press("Save note", row);
  expect(await row.findByText("Ask about fonts.", { selector: "p" })).toBeVisible();
  await press("Edit note about Fay 1", row);
  await user.clear(row.getByLabelText(/Private note/));
  await press("Save note", row);
  await row.findByRole("button", { name: "Add a private note about Fay 1" });
  expect(row.queryByText("Ask about fonts.")).toBeNull();
});

it("When the server refuses, then the bid returns to its state, with the reason", async () => {
  const { press, server } = openBids([aReceivedBid(1)]);
  server.fails.writes = new ApiProblem("bid-not-found", 404, "This bid no longer exists");
  const row = await item("Fay 1");
  await press("Decline Fay 1", row);
  expect(await row.findByText(/no longer exists/)).toBeVisible();
  expect(row.getByText("Placed")).toBeVisible();
});

it("When a bid far above the budget and after the deadline is awarded, then its card and the confirmation warn, and afterwards nobody else can be chosen", async () => {
  const task = { budget: 1_600, deadline: calendarDate(new Date()) };
  const declined = aReceivedBid(2, { state: "declined", declinedAt: new Date().toISOString() });
  const { press, writes } = openBids([aReceivedBid(1, { amount: 900_000, days: 300 }), declined], task);
  const row = await item("Fay 1");
  expect(screen.getByText(/unless you undo this/)).toBeVisible();
  expect(row.getByText("$898,400 over budget")).toBeVisible();
  expect(row.getByText("300 days after the deadline")).toBeVisible();
  await press("Award to Fay 1", row);
  await screen.findByText("Award this task to Fay 1?");
  const confirmation = screen.getByText(/Fay 1 does “A fox” for \$900,000, due on/);
  expect(confirmation).toHaveTextContent(/That is \$898,400 over budget and 300 days after the deadline\./);
  expect(confirmation).toHaveTextContent(/other bidders will be notified/);
  const terms = "title, category, description, budget, skills and screening question";
  expect(confirmation).toHaveTextContent(`and the task’s ${terms} can no longer be changed.`);
  expect(writes()).toEqual([]);
  await press("Award for $900,000");
  await row.findByText("Awarded");
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Award to/ })).toBeNull());
  expect(screen.queryByText(/unless you undo this/)).toBeNull();
  await waitFor(() => expect(row.getByRole("link", { name: "Fay 1" }).parentElement).toHaveFocus());
  const { _id: bidId, updatedAt } = aReceivedBid(1);
  expect(writes()).toMatchObject([{ path: `/tasks/${ID}/award`, body: { bidId, updatedAt } }]);
});

it("When the response to an award is lost, then the page does not claim that nothing was changed, and awarding again is a new request", async () => {
  const { press, server, writes } = openBids([aReceivedBid(1)]);
  const row = await item("Fay 1");
  const award = async () => {
    await press("Award to Fay 1", row);
    expect(await screen.findByText(/Fay 1 does “A fox”/)).not.toHaveTextContent(/other bidders/);
    await press("Award for $101");
  };
  server.fails.writes = offlineProblem();
  await award();
  expect(await row.findByText(/^We can't reach Tasklane/)).not.toHaveTextContent(/nothing was changed/i);
  server.fails.writes = undefined;
  await award();
  await row.findByText("Awarded");
  const [lost, again] = writes().map(({ headers }) => headers?.["Idempotency-Key"]);
  expect(again).not.toBe(lost);
});

it("When a bid was changed since it was loaded, then the award is refused, the new bid is shown, and can be awarded", async () => {
  const { user, press, server, world, writes, reload } = openBids([aReceivedBid(1)]);
  const row = await item("Fay 1");
  await press("Award to Fay 1", row);
  const yes = await screen.findByRole("button", { name: "Award for $101" });
  const changed = aReceivedBid(1, { amount: 4_000, updatedAt: "2026-11-01T10:00:00.001Z" });
  world.bids = [changed];
  await reload();
  const reason = "This bid was changed since you read it: look at it again.";
  server.fails.writes = new ApiProblem("changed-meanwhile", 412, reason);
  await user.click(yes);
  expect(await row.findByText(reason)).toBeVisible();
  expect(writes()[0]?.body).toEqual({ bidId: changed._id, updatedAt: aReceivedBid(1).updatedAt });
  expect(await row.findByText("$4,000")).toBeVisible();
  server.fails.writes = undefined;
  await press("Award to Fay 1", row);
  await press("Award for $4,000");
  await row.findByText("Awarded");
  expect(writes().at(-1)?.body).toEqual({ bidId: changed._id, updatedAt: changed.updatedAt });
});

it("When the bids of another filter fail to load, then the previous ones are not shown in their place", async () => {
  const { user, press, server } = openBids([aReceivedBid(1), aReceivedBid(2, { state: "shortlisted" })]);
  const shown = await dialog();
  await item("Fay 1");
  server.fails[BIDS] = DOWN;
  await user.selectOptions(shown.getByLabelText("Show"), "Shortlisted");
  await shown.findByText("The bids did not load");
  expect(shown.queryByRole("list", { name: "Bids" })).toBeNull();
  server.fails[BIDS] = undefined;
  await press("Try again", shown);
  await item("Fay 2");
  expect(shown.getAllByRole("listitem")).toHaveLength(1);
});

it("When more bids fail to load, then the loaded ones stay, and loading more can be retried", async () => {
  const { user, press, server } = openBids(manyBids());
  const shown = await dialog();
  const more = await shown.findByRole("button", { name: "Load more bids" });
  server.fails[BIDS] = DOWN;
  await user.click(more);
  await shown.findByText(/not available right now/);
  expect(shown.getByRole("list", { name: "Bids" })).toHaveAttribute("aria-busy", "false");
  server.fails[BIDS] = undefined;
  await press("Load more bids", shown);
  await item("Fay 30");
});

it("When a bid arrives as soon as My Posted Tasks is shown, then its task's count is updated", async () => {
  const { world } = openBids([], {}, MY_TASKS);
  // Runs right after the rows are rendered, before anything else can happen.
  const rows = new MutationObserver(() => {
    if (!screen.queryByRole("button", { name: /^Bids \d+ for A fox/ })) return;
    rows.disconnect();
    world.bids = [aReceivedBid(1)];
    taskNews.publish(ID);
  });
  rows.observe(document.body, { childList: true, subtree: true });
  const button = await opening();
  await waitFor(() => expect(button).toHaveTextContent("Bids 1"));
});

it("When the client writes to a shortlisted bidder on a phone, then the conversation's page opens; a failure can be retried", async () => {
  const { press, server, address } = openBids([aReceivedBid(1, { state: "shortlisted" })]);
  const write = async () => press("Message Fay 1", await item("Fay 1"));
  server.fails.writes = offlineProblem();
  await write();
  await (await item("Fay 1")).findByText(/We can't reach Tasklane/);
  server.fails.writes = undefined;
  await write();
  await waitFor(() => expect(address()).toMatch(/^\/dash\/messages\/[\da-f]{24}$/));
  expect(server.writes().at(-1)?.path).toMatch(/\/bids\/[\da-f]{24}\/conversation$/);
});

it("When the task is gone by the time its bids are refetched, then My Posted Tasks loads again", async () => {
  const { server, reload, asked } = openBids([aReceivedBid(1)], {}, MY_TASKS);
  await opening();
  const before = asked("GET /tasks").length;
  server.fails["GET /tasks"] = new ApiProblem("not-your-task", 403, "Not yours.");
  await reload();
  await screen.findByText("Not yours.");
  expect(asked("GET /tasks").length).toBeGreaterThan(before + 1);
});

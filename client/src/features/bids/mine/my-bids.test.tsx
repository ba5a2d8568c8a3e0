import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { taskNews } from "../../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import { aBid, aTask, ID } from "../../../testing/builders.ts";
import { Reply } from "../../../testing/fake-api.ts";
import { openApp } from "../../../testing/open-app.tsx";

/** A bid as My Bids lists it, with its task. */
const aMyBid = (task: object = {}, bid: Parameters<typeof aBid>[0] = {}) => ({
  ...aBid(bid),
  task: { ...aTask({ _id: ID, title: "Logo", clientId: "client-1" }), ...task },
});
/** Opens My Bids with these bids, by the state that is asked for. */
const open = (bids: (state?: string) => object[], address = "/dash/mybids") =>
  openApp(address, {
    "GET /me/bids": ({ query }) => {
      const found = bids(query["state"]);
      return new Reply(found, { "X-Total-Count": String(found.length) });
    },
  });
const states = async () => within(await screen.findByRole("navigation", { name: "Bids by state" }));

it("When a state is chosen on a slow connection, then it is marked immediately and is in the URL, and an empty list can be left", async () => {
  const bids = (state?: string) => (state === "declined" ? [] : [aMyBid({}, { state: "awarded" })]);
  const { user, server, address, asked } = open(bids, "/dash/mybids?state=nonsense");
  await screen.findByRole("link", { name: "Logo" });
  const current = async () => (await states()).getByRole("link", { current: true });
  expect(await current()).toHaveTextContent("All");
  const respond = server.hold("reads");
  await user.click((await states()).getByRole("link", { name: "Declined" }));
  await waitFor(async () => expect(await current()).toHaveTextContent("Declined"));
  expect(screen.getByRole("table").parentElement).toHaveAttribute("aria-busy", "true");
  respond();
  await screen.findByRole("heading", { name: "No declined bids" });
  // True of "Placed", too, which a bid leaves then.
  expect(screen.getByText("Bids change their status when their client decides on them.")).toBeVisible();
  expect(address()).toBe("/dash/mybids?state=declined");
  await user.click(screen.getByRole("link", { name: "Awarded" }));
  await screen.findByRole("link", { name: "Logo" });
  const requested = asked("GET /me/bids").map(({ query }) => query["state"]);
  // On a slow machine data is already stale when it is shown, and is fetched again.
  expect([...new Set(requested)]).toEqual([undefined, "declined", "awarded"]);
});

it("When bids are searched, then the URL keeps the state that was just chosen, and a search without a match can be left", async () => {
  const { user, server, address } = open((state) => (state ? [] : [aMyBid()]));
  const placed = (await states()).getByRole("link", { name: "Placed" });
  const respond = server.hold("reads");
  await user.click(placed);
  await user.type(await screen.findByRole("searchbox", { name: "Search your bids" }), " Logo {Enter}");
  respond();
  await screen.findByRole("heading", { name: "No bids with “Logo”" });
  expect(address()).toBe("/dash/mybids?state=placed&search=Logo");
  expect(screen.getByRole("searchbox", { name: "Search your bids" })).toHaveFocus();
  expect(server.calls.at(-1)?.query).toMatchObject({ state: "placed", search: "Logo" });
  await user.click(screen.getByRole("link", { name: "Show all bids" }));
  await screen.findByRole("link", { name: "Logo" });
  expect(screen.getByRole("searchbox", { name: "Search your bids" })).toHaveValue("");
});

it("When a search in the URL has invisible marks, as copied text can, then it is searched without them, as the API refuses them", async () => {
  const { asked } = open(() => [aMyBid()], "/dash/mybids?search=%E2%81%A8Logo%E2%81%A9");
  await screen.findByRole("link", { name: "Logo" });
  expect(asked("GET /me/bids")[0]?.query).toMatchObject({ search: "Logo" });
});

it("When a notification about a task arrives, then the bids are refetched", async () => {
  let isHired = false;
  open(() => [aMyBid({}, { state: isHired ? "awarded" : "placed" })]);
  const row = await screen.findByRole("row", { name: /Logo/ });
  expect(row).toHaveTextContent("Placed");
  isHired = true;
  act(() => taskNews.publish(ID));
  await waitFor(() => expect(row).toHaveTextContent("My bid: Awarded"));
});

it("When an operator has hidden a task, then its row says so and has no link, and the bid can be withdrawn while the task is open", async () => {
  const hidden = aMyBid({ title: "Hidden task", hidden: true });
  const taken = aMyBid({ _id: "f".repeat(24), title: "Taken", hidden: true, state: "awarded" });
  open(() => [hidden, { ...taken, _id: "e".repeat(24) }]);
  const row = within(await screen.findByRole("row", { name: /^Hidden task.*An operator has hidden this/ }));
  expect(row.getByText("Hidden task")).toBeVisible();
  expect(row.getByText("Hidden")).toBeVisible();
  expect(row.queryByRole("link")).toBeNull();
  const items = row.getAllByRole("menuitem", { hidden: true }).map(({ textContent }) => textContent);
  expect(items).toEqual(["Withdraw bid"]);
  expect(screen.queryByRole("button", { name: "More for Taken" })).toBeNull();
});

it("When the response to withdrawing a bid on a hidden task was lost, then withdrawing it again succeeds", async () => {
  const { server, choose, press } = open(() => [aMyBid({ title: "Hidden task", hidden: true })]);
  const withdraw = async () => {
    await choose("More for Hidden task", "Withdraw bid");
    await press("Yes, withdraw it");
  };
  server.fails.writes = offlineProblem();
  await withdraw();
  await screen.findByText(/We can't reach/);
  server.fails.writes = new ApiProblem("task-not-found", 404, "This task no longer exists.");
  await withdraw();
  await screen.findByText("Your bid on “Hidden task” is withdrawn.");
  expect(screen.queryByText(/was not withdrawn/)).toBeNull();
});

it("When the client has deleted their account, then neither their profile nor an empty menu is offered", async () => {
  open(() => [aMyBid({ clientId: undefined, name: "Former member", state: "completed" })]);
  const row = within(await screen.findByRole("row", { name: /Former member/ }));
  expect(row.getAllByRole("link").map((link) => link.textContent)).toEqual(["Logo", "View task"]);
  expect(row.queryByRole("button")).toBeNull();
});

it("When the client waits for the bidder, then the row's button says for what, and otherwise edits or shows the bid", async () => {
  const rows: [string, Parameters<typeof aMyBid>, object][] = [
    ["Deliver", [{ state: "awarded" }, { state: "awarded" }], {}],
    ["Review", [{ state: "completed" }, { state: "awarded" }], { reviewDue: true }],
    ["Edit bid", [{ state: "open" }], {}],
    ["View task", [{ state: "cancelled" }], {}],
  ];
  open(() =>
    rows.map(([text, [task, bid], fields], index) => ({
      ...aMyBid({ ...task, title: text }, { ...bid, _id: `${index}`.repeat(24) }),
      ...fields,
    })),
  );
  for (const [text] of rows)
    expect(await screen.findByRole("link", { name: `${text}: ${text}` })).toBeVisible();
});

it("When a task is cancelled, then its row no longer says when the work is due", async () => {
  const ended = aMyBid({ title: "Ended", state: "cancelled" }, { _id: "e".repeat(24), state: "awarded" });
  open(() => [aMyBid({ state: "awarded" }, { state: "awarded" }), ended]);
  expect(await screen.findByRole("row", { name: /Logo/ })).toHaveTextContent(", due ");
  expect(screen.getByRole("row", { name: /Ended/ })).not.toHaveTextContent(", due ");
});

it("When the deadline passes while bids are shown, then the row no longer offers to edit the bid", async () => {
  vi.useFakeTimers({
    toFake: ["Date", "setInterval", "clearInterval"],
    now: new Date("2026-11-20T23:59:00Z"),
  });
  open(() => [aMyBid({ deadline: "2026-11-20" })]);
  expect(await screen.findByRole("link", { name: "Edit bid: Logo" })).toBeVisible();
  act(() => void vi.advanceTimersByTime(3 * 60_000));
  expect(screen.getByText("Expired")).toBeVisible();
  expect(screen.getByRole("link", { name: "View task: Logo" })).toBeVisible();
});

it("When another price was agreed on since the bid, then its row shows that one, and says so", async () => {
  open(() => [aMyBid({ state: "awarded", agreedPrice: 600 }, { state: "awarded", amount: 450 })]);
  const row = await screen.findByRole("row", { name: /Logo/ });
  expect(row).toHaveTextContent("$600Agreed price");
  expect(row).not.toHaveTextContent("$450");
});

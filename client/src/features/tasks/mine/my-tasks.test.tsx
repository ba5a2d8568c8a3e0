import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { aTask } from "../../../testing/builders.ts";
import { openApp } from "../../../testing/open-app.tsx";

beforeEach(() => void vi.setSystemTime("2026-11-20T12:00:00Z"));

const agreed = { amount: 90, due: "2026-11-23" };
const SKETCH = { name: "Sketch", amount: 40, due: "2026-11-21" };
const REST = { name: "Rest", amount: 50, due: "2026-12-23" };
const byParts = (title: string, more: object) =>
  aTask({
    ...{ title, budget: 45, state: "awarded" },
    agreed: { amount: 90, due: REST.due, accepted: 1, milestones: [SKETCH, REST], ...more },
  });
const TASKS = [
  aTask({ title: "Quiet", budget: 10, deadline: "2027-01-05" }),
  aTask({ title: "Wanted", budget: 40, deadline: "2027-01-04", bidsCount: 2 }),
  aTask({ title: "Over", budget: 20, deadline: "2026-11-01", state: "expired" }),
  aTask({ title: "In work", budget: 50, state: "awarded", agreed: { ...agreed, name: "Ben Hired" } }),
  byParts("By parts", { accepted: 0 }),
  aTask({ title: "Sent back", budget: 60, state: "awarded", agreed: { ...agreed, sentBack: true } }),
  aTask({ title: "Delivered work", budget: 30, state: "delivered", agreed }),
  aTask({ title: "Reviewable", budget: 70, state: "completed", reviewDue: true }),
  aTask({ title: "Gone", budget: 80, state: "cancelled" }),
];

/** The table's lines: headings of groups, and the tasks' titles with what they wait for. */
const lines = () =>
  screen.getAllByRole("row").map((row) => {
    const link = row.querySelector("th a");
    const waiting = row.querySelector("td .text-xs:not(.font-normal)")?.textContent;
    return link ? [link.textContent, waiting].filter(Boolean).join(": ") : row.textContent;
  });

it("When tasks wait for different things, then they are grouped by that, and numbered as they are shown", async () => {
  const ending = "operator";
  const payment = { state: "missing", at: "2026-11-19T12:00:00.000Z" };
  const more = [
    byParts("To pay", {}),
    byParts("To pay in a dispute", { ending }),
    byParts("To pay again", { milestones: [{ ...SKETCH, payment }, REST] }),
    byParts("Nothing to pay", { ending, accepted: 0 }),
    aTask({ title: "Left behind", state: "awarded", agreed, otherSideLeft: true }),
  ];
  openApp("/dash/myposttask", { "GET /tasks": [...TASKS, ...more] });
  await screen.findByRole("link", { name: "Quiet" });
  expect(lines()).toEqual([
    expect.stringContaining("No."),
    "Needs you",
    "Wanted: 2 bids",
    "Over: Extend it or post it again",
    "Delivered work: Work to look at",
    "Reviewable: Review to write",
    "To pay: Milestone not marked as paid",
    "To pay in a dispute: Milestone not marked as paid",
    "To pay again: Payment not received",
    "Left behind: The freelancer has left",
    "Running",
    "Quiet: No bids so far",
    "In work: 3 days left",
    "By parts: 1 day left",
    "Sent back: Changes asked for",
    "Nothing to pay: In dispute",
    "Done",
    "Gone",
  ]);
  expect(screen.getByText("Ben Hired").closest("td")).toHaveTextContent("$90Agreed price with Ben Hired");
  const numbers = screen.getAllByRole("cell", { name: /^\d+$/ }).map(({ textContent }) => textContent);
  expect(numbers).toEqual(Array.from({ length: 14 }, (_, at) => String(at + 1)));
});

it("When tasks are filtered, searched and sorted, then only those are shown, in that order, and again after Back", async () => {
  const { user, fill, address, goBack } = openApp("/dash/myposttask", { "GET /tasks": TASKS });
  await user.click(await screen.findByRole("link", { name: "Running 4" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Gone" })).toBeNull());
  expect(address()).toBe("/dash/myposttask?show=running");
  await user.selectOptions(screen.getByLabelText("Sort your tasks"), "Budget: highest");
  const titles = () =>
    lines()
      .slice(1)
      .map((line) => line?.split(":")[0]);
  expect(titles()).toEqual(["In work", "By parts", "Sent back", "Quiet"]);
  await user.selectOptions(screen.getByLabelText("Sort your tasks"), "Deadline");
  expect(titles()).toEqual(["In work", "Sent back", "By parts", "Quiet"]);
  await user.type(screen.getByLabelText("Search your tasks"), " IN\u2068 w");
  expect(lines()).toHaveLength(2);
  await user.click(screen.getByRole("link", { name: "In work" }));
  await waitFor(() => expect(address()).toMatch(/taskdetails/));
  await goBack();
  expect(await screen.findByLabelText("Search your tasks")).toHaveValue(" IN\u2068 w");
  expect(screen.getByLabelText("Sort your tasks")).toHaveValue("deadline");
  expect(lines()).toHaveLength(2);
  await fill("Search your tasks", "x");
  expect(screen.getByText("No such tasks")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "Show all tasks" }));
  await screen.findByRole("link", { name: "Gone" });
});

it("When the URL changes by a link or Back, then search and list follow it", async () => {
  const { user, fill, address, goBack, isAt } = openApp("/dash/myposttask", { "GET /tasks": TASKS });
  await screen.findByRole("link", { name: "Quiet" });
  const search = screen.getByLabelText("Search your tasks");
  await fill("Search your tasks", "in w");
  const running = screen.getByRole("link", { name: "Running 4" });
  await waitFor(() => expect(running).toHaveAttribute("href", "/dash/myposttask?search=in+w&show=running"));
  await user.click(running);
  await screen.findByRole("link", { name: "Running 4", current: true });
  expect(address()).toBe("/dash/myposttask?search=in+w&show=running");
  expect(search).toHaveValue("in w");
  await user.clear(search);
  await isAt("/dash/myposttask?show=running");
  await goBack();
  await waitFor(() => expect(search).toHaveValue("in w"));
  expect(lines()).toHaveLength(2);
  await user.click(screen.getByRole("link", { name: "My Posted Tasks" }));
  await waitFor(() => expect(search).toHaveValue(""));
  expect(screen.getByRole("link", { name: "Gone" })).toBeVisible();
});

it("When the window is shown again, then the tasks are those of now: own actions elsewhere notify nobody", async () => {
  let tasks = [aTask({ title: "Wanted", deadline: "2027-01-04", bidsCount: 2 })];
  openApp("/dash/myposttask", { "GET /tasks": () => tasks });
  await screen.findByText("2 bids");
  tasks = tasks.map((task) => ({ ...task, state: "awarded", agreed }));
  vi.setSystemTime("2026-11-20T12:00:05Z");
  act(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  expect(await screen.findByText("3 days left")).toBeVisible();
});

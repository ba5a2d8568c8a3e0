import { concernsFreelancers, TASK_FIELD_NAMES, type Task } from "@tasklane/server/contract";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { ApiProblem } from "../../../lib/problem.ts";
import {
  aReceivedBid,
  aTask,
  CLIENT,
  COMPLETE_TASKS,
  FREELANCER,
  HIRED,
  ID,
} from "../../../testing/builders.ts";
import { type Handlers, openApp } from "../../../testing/open-app.tsx";

beforeEach(() => void vi.setSystemTime("2026-11-20T12:00:00Z"));

/** Opens a task's details page, signed in. */
async function showTask(overrides: Partial<Task>, handlers: Handlers = {}) {
  const task = aTask({ _id: ID, title: "A fox", viewer: FREELANCER, ...overrides });
  const app = openApp(`/taskdetails/${ID}`, { "GET /tasks/:id": task, ...handlers });
  await screen.findByRole("heading", { name: task.title, level: 1 });
  return app;
}

const contact = { id: "fay", name: "Fay Lance", email: "fay@example.com", emailVerified: false };
const region = (name: string) => screen.getByRole("region", { name });

it("When an email is verified, then it is shown without a mark; otherwise it is marked, once", async () => {
  await showTask({ email: "clara@example.com", emailVerified: true });
  expect(screen.getByRole("link", { name: "clara@example.com" })).toBeVisible();
  expect(screen.queryByText("not verified")).toBeNull();
  cleanup();
  await showTask({ ...contact, state: "awarded", viewer: { ...HIRED, contact } });
  expect(region("Your client")).toHaveTextContent("not verified");
  // One card for one person.
  expect(screen.getAllByText("not verified")).toHaveLength(1);
  expect(screen.queryByRole("region", { name: "Buyer" })).toBeNull();
});

it("When somebody was hired, then the client can message them from the contact card", async () => {
  const bid = aReceivedBid(1, { state: "awarded", freelancerId: "fay", name: "Fay Lance" });
  await showTask({ state: "awarded", viewer: { ...CLIENT, contact } }, { "GET /tasks/:id/bids": [bid] });
  await within(region("Your freelancer")).findByRole("button", { name: "Message Fay Lance" });
});

it("When the client has sent a message, then the hired freelancer can open the conversation from the task's page", async () => {
  const open = {
    _id: "c".repeat(24),
    task: { _id: ID, title: "A logo" },
    role: "freelancer",
    other: { id: "c", name: "Clara Client" },
    ...{ count: 1, unread: 0, seenByOther: 0, createdAt: "2026-11-01T10:00:00.000Z" },
  };
  const viewer = { ...HIRED, contact: { ...contact, name: "Clara Client" } };
  await showTask(
    { state: "awarded", viewer },
    { "GET /me/conversations": ({ query }) => (query["task"] === ID ? [open] : []) },
  );
  const link = await screen.findByRole("link", { name: "Message Clara Client" });
  expect(link).toHaveAttribute("href", `/dash/messages/${open._id}`);
});

it("When a task is opened from a list, then its page leads back to that list with its filters", async () => {
  const app = openApp("/dash/mybids?state=awarded", {
    "GET /me/bids": [],
    "GET /tasks/:id": aTask({ _id: ID, viewer: FREELANCER }),
  });
  await screen.findByText("No awarded bids");
  await app.goTo(`/dash/taskdetails/${ID}`);
  const article = within(await screen.findByRole("article"));
  expect(article.getByRole("link", { name: "My Bids" })).toHaveAttribute(
    "href",
    "/dash/mybids?state=awarded",
  );
});

it("When a task is shown, then each fact appears once, with the number of days left", async () => {
  await showTask({ category: "Marketing", deadline: "2026-11-24" });
  expect(screen.getAllByText("Marketing")).toHaveLength(1);
  expect(within(screen.getByRole("article")).getByText("4 days left")).toBeVisible();
  expect(screen.getByText("Jan 1, 2026")).toBeVisible();
});

it("When any field of a task differs, then its page differs", async () => {
  const textOf = async (overrides: Partial<Task>) => {
    await showTask(overrides);
    const { textContent } = screen.getByRole("article");
    cleanup();
    return textContent;
  };
  const [one, other] = COMPLETE_TASKS;
  for (const field of TASK_FIELD_NAMES.filter(concernsFreelancers))
    expect(await textOf({ [field]: one[field] }), field).not.toBe(await textOf({ [field]: other[field] }));
});

const record = {
  memberSince: "2026-03-05T10:00:00.000Z",
  ...{ tasksPosted: 24, tasksCompleted: 10, hireRate: 0.834, rating: { average: 4.75, count: 12 } },
  lastActiveOn: "2026-11-17",
};
const factsIn = (name: string) =>
  within(region(name))
    .getAllByRole("definition")
    .map(({ textContent }) => textContent);

it("When a freelancer considers bidding, then the client's record is shown beside Bid Now, once", async () => {
  const { press } = await showTask({ client: record });
  await press("Customize your bid");
  expect(factsIn("Buyer")).toEqual(["83%", "24", "10", "4.7 of 5 stars (12)", "3 days ago", "March 2026"]);
  expect(screen.getAllByText("Hire rate")).toHaveLength(1);
});

it("When none of the client's tasks has closed yet, then they are called new instead of having a hire rate of 0%", async () => {
  const rating = { average: null, count: 0 };
  await showTask({ client: { ...record, tasksPosted: 1, hireRate: null, rating } });
  expect(factsIn("Buyer")).toEqual(["New client", "1", "10", "None yet", "3 days ago", "March 2026"]);
  cleanup();
  await showTask({});
  expect(region("Buyer")).toHaveTextContent("BuyerCCClara Client");
});

it("When it is the viewer's own task, then the buyer is among the facts, and there is no contact card before hiring", async () => {
  await showTask({ email: "fay@example.com", viewer: CLIENT });
  expect(within(screen.getByRole("article")).getByText("fay@example.com")).toBeVisible();
  expect(screen.queryByRole("region", { name: /Buyer|Your freelancer/ })).toBeNull();
});

it("When a task or a milestone is delivered, then it is not overdue", async () => {
  const agreed = { amount: 90, due: "2026-11-19" };
  const milestones = [{ name: "Draft", ...agreed }];
  for (const terms of [agreed, { ...agreed, milestones }]) {
    for (const [state, isOverdue] of [
      ["awarded", true],
      ["delivered", false],
    ] as const) {
      await showTask({ state, agreed: terms, viewer: HIRED });
      expect(region("Your job").textContent?.includes("Overdue")).toBe(isOverdue);
      cleanup();
    }
  }
});

it("When the deadline passes while a task is shown, then nobody is offered what is no longer possible", async () => {
  const openTask = async (viewer: Task["viewer"]) => {
    vi.useFakeTimers({
      toFake: ["Date", "setInterval", "clearInterval"],
      now: new Date("2026-11-20T23:59:00Z"),
    });
    await showTask({ deadline: "2026-11-20", viewer });
  };
  const pass = () => act(() => void vi.advanceTimersByTime(3 * 60_000));
  await openTask(FREELANCER);
  await screen.findByRole("button", { name: "Ask a question" });
  expect(screen.getByRole("button", { name: "Bid Now" })).toBeVisible();
  pass();
  expect(screen.queryByRole("button", { name: /Bid Now|Ask a question/ })).toBeNull();
  expect(region("Your bid")).toHaveTextContent("The deadline of this task has passed");
  cleanup();
  await openTask(CLIENT);
  expect(region("Your task")).toHaveTextContent("Freelancers can bid until the end");
  pass();
  expect(region("Your task")).toHaveTextContent("Its deadline has passed");
  expect(screen.getByRole("button", { name: "Extend deadline" })).toBeVisible();
});

it("When the work is completed, then the page links to the review form until the review is written", async () => {
  await showTask({ state: "completed", reviewDue: true, viewer: HIRED });
  const link = screen.getByRole("link", { name: "Write your review" });
  expect(link).toHaveAttribute("href", expect.stringMatching(/#review$/));
  cleanup();
  await showTask({ state: "completed", viewer: { ...HIRED, hasReviewed: true } });
  expect(screen.queryByRole("link", { name: "Write your review" })).toBeNull();
});

it("When the other side has deleted their account since the review, then the page does not claim that it is shown", async () => {
  await showTask({ state: "completed", otherSideLeft: true, viewer: { ...HIRED, hasReviewed: true } });
  const review = region("Your review");
  expect(review).toHaveTextContent(/Your client has deleted their account since, so nobody sees your review/);
  expect(review).not.toHaveTextContent("is shown");
  // The account is deleted, so there is no profile to link to.
  expect(within(region("Buyer")).queryByRole("link")).toBeNull();
});

it.each([
  [{ viewer: FREELANCER }, /looked up the addresses of 200 buyers today/],
  [{ state: "awarded", email: "fay@example.com", viewer: CLIENT }, /will be shown tomorrow/],
] as const)(
  "When the daily limit of addresses is reached, then the page says when they are shown: %o",
  async (task, text) => {
    await showTask({ ...task, viewer: { ...task.viewer, addressLimitReached: true } });
    expect(screen.getAllByText(/looked up the addresses|will be shown tomorrow/)).toHaveLength(1);
    expect(screen.getByText(text)).toBeVisible();
  },
);

it.each([
  ["ending", "Proposals and disputes"],
  ["files", "The attached files"],
  ["invoices", "The invoices"],
  ["timeline", "The history of this task"],
] as const)(
  "When the %s of a task cannot be loaded, then the page says so once, and its button has the focus while it is loaded again",
  async (part, what) => {
    const agreed = { amount: 90, due: "2026-11-19" };
    const task = aTask({ _id: ID, state: "completed", wasAwarded: true, agreed, viewer: HIRED });
    const { press, server } = openApp(`/taskdetails/${ID}`, { "GET /tasks/:id": task });
    const endpoint = `GET /tasks/:id/${part}` as const;
    server.fails[endpoint] = new ApiProblem("internal", 500, "Oops");
    const alert = await screen.findByText(`${what} could not be loaded.`);
    server.fails[endpoint] = undefined;
    const respond = server.hold(endpoint);
    await press("Try again", within(alert));
    expect(await within(alert).findByRole("button", { name: "Trying…" })).toHaveFocus();
    respond();
    await waitFor(() => expect(alert).not.toBeInTheDocument());
  },
);

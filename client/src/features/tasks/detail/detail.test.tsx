import type { Task, TaskDraft } from "@tasklane/server/contract";
import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { aPerson, aTask } from "../../../testing/builders.ts";
import { createFakeApi } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const stranger = { isOwner: false, hasBid: false, role: "freelancer", hasReviewed: false } as const;
const owner = { isOwner: true, hasBid: false, role: "client", hasReviewed: false } as const;

beforeEach(() => void vi.setSystemTime("2026-11-20T12:00:00Z"));

/** Opens a task's details page, signed in. */
async function showTask(overrides: Partial<Task>) {
  const task = aTask({ viewer: stranger, ...overrides });
  const api = createFakeApi(({ path }) => ({ data: path === `/tasks/${task._id}` ? task : [] }));
  renderApp(`/taskdetails/${task._id}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  await screen.findByRole("heading", { name: task.title, level: 1 }, { timeout: 15_000 });
}

it("When the buyer's email is verified, then it is shown without a mark", async () => {
  await showTask({ email: "clara@example.com", emailVerified: true });
  expect(screen.getByRole("link", { name: "clara@example.com" })).toBeVisible();
  expect(screen.queryByText("not verified")).toBeNull();
});

it("When an email is not verified, then it is marked as such", async () => {
  const contact = { id: "client-1", name: "Clara Client", email: "clara@example.com", emailVerified: false };
  await showTask({
    email: "clara@example.com",
    emailVerified: false,
    state: "awarded",
    viewer: { ...stranger, role: "hired", contact },
  });
  expect(screen.getByRole("region", { name: "Your client" })).toHaveTextContent("not verified");
  // One card for one person.
  expect(screen.getAllByText("not verified")).toHaveLength(1);
  expect(screen.queryByRole("region", { name: "Buyer" })).toBeNull();
});

/** For elements whose code is loaded lazily. */
const SLOW = { timeout: 15_000 };

const ID = "a".repeat(24);
const contact = { id: "fay", name: "Fay Lance", email: "fay@example.com", emailVerified: true };

/** Opens a task's details page; `more` holds other responses of the API, by path and `task` parameter. */
async function showTaskWith(overrides: Partial<Task>, more: Record<string, unknown>) {
  const task = aTask({ _id: ID, state: "awarded", ...overrides });
  const responses: Record<string, unknown> = { [`/tasks/${task._id}`]: task, ...more };
  const api = createFakeApi(({ path, query: { task: about } }) => ({
    data: responses[about ? `${path}?task=${about}` : path] ?? [],
  }));
  renderApp(`/taskdetails/${task._id}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  await screen.findByRole("heading", { name: task.title, level: 1 }, SLOW);
}

it("When somebody was hired, then the client can message them from the contact card", async () => {
  const bid = { _id: "b".repeat(24), amount: 90, state: "awarded", freelancerId: "fay", name: "Fay Lance" };
  const times = { createdAt: "2026-11-01T10:00:00.000Z", updatedAt: "2026-11-01T10:00:00.000Z" };
  const received = { ...bid, ...times, rating: { average: null, count: 0 } };
  await showTaskWith({ viewer: { ...owner, contact } }, { [`/tasks/${ID}/bids`]: [received] });
  const card = within(await screen.findByRole("region", { name: "Your freelancer" }));
  expect(await card.findByRole("button", { name: "Message Fay Lance" }, SLOW)).toBeVisible();
});

it("When the client has sent a message, then the hired freelancer can open the conversation from the task's page", async () => {
  const viewer = { ...stranger, role: "hired", contact: { ...contact, name: "Clara Client" } } as const;
  const talk = {
    task: { _id: ID, title: "A logo" },
    role: "freelancer",
    other: { id: "c", name: "Clara Client" },
  };
  const counts = { count: 1, unread: 0, seenByOther: 0, createdAt: "2026-11-01T10:00:00.000Z" };
  const open = { _id: "c".repeat(24), ...talk, ...counts };
  await showTaskWith({ viewer }, { [`/me/conversations?task=${ID}`]: [open] });
  const link = await screen.findByRole("link", { name: "Message Clara Client" }, SLOW);
  expect(link).toHaveAttribute("href", `/dash/messages/${open._id}`);
});

it("When a task is shown, then each fact appears once, with the number of days left", async () => {
  await showTask({ category: "Marketing", deadline: "2026-11-24" });
  expect(screen.getAllByText("Marketing")).toHaveLength(1);
  expect(within(screen.getByRole("article")).getByText("4 days left")).toBeVisible();
  expect(screen.getByText("Jan 1, 2026")).toBeVisible();
});

/** A different value for each publicly visible field. */
const CHANGES: { [field in Exclude<keyof TaskDraft, "showEmail">]-?: TaskDraft[field] } = {
  title: "Another title",
  category: "Writing",
  description: "Another description.",
  deadline: "2098-01-31",
  budget: 99.5,
  screeningQuestion: "Which foxes?",
};

it("When any field of a task differs, then its page differs", async () => {
  const textOf = async (overrides: Partial<Task>) => {
    await showTask(overrides);
    const { textContent } = screen.getByRole("article");
    cleanup();
    return textContent;
  };
  const text = await textOf({ title: "One title" });
  for (const [field, value] of Object.entries(CHANGES))
    expect(await textOf({ title: "One title", [field]: value }), field).not.toBe(text);
});

const record = {
  memberSince: "2026-03-05T10:00:00.000Z",
  tasksPosted: 24,
  tasksCompleted: 10,
  hireRate: 0.834,
  rating: { average: 4.75, count: 12 },
  lastActiveOn: "2026-11-17",
};
const factsOfBuyer = () =>
  within(screen.getByRole("region", { name: "Buyer" }))
    .getAllByRole("definition")
    .map(({ textContent }) => textContent);

it("When a freelancer considers bidding, then the client's record is shown beside Bid Now", async () => {
  await showTask({ client: record });
  const facts = ["83%", "24", "10", "4.8 of 5 stars (12)", "3 days ago", "March 2026"];
  expect(factsOfBuyer()).toEqual(facts);
  // And once more in the bid form.
  await userEvent.click(screen.getByRole("button", { name: "Customize your bid" }));
  const panel = within(screen.getByRole("region", { name: "Your bid" }));
  expect(panel.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(facts);
});

it("When none of the client's tasks has closed yet, then they are called new instead of having a hire rate of 0%", async () => {
  await showTask({
    client: { ...record, tasksPosted: 1, hireRate: null, rating: { average: null, count: 0 } },
  });
  expect(factsOfBuyer()).toEqual(["New client", "1", "10", "None yet", "3 days ago", "March 2026"]);
});

it("When the client's record is missing, then the card shows only their name", async () => {
  await showTask({});
  expect(screen.getByRole("region", { name: "Buyer" })).toHaveTextContent("BuyerCCClara Client");
});

it("When it is the viewer's own task, then the buyer is among the facts, and there is no contact card before hiring", async () => {
  await showTask({ email: "fay@example.com", viewer: owner });
  expect(within(screen.getByRole("article")).getByText("fay@example.com")).toBeVisible();
  expect(screen.queryByRole("region", { name: /Buyer|Your freelancer/ })).toBeNull();
});

it("When the work is completed, then the page links to the review form until the review is written", async () => {
  await showTask({ state: "completed", reviewDue: true, viewer: { ...stranger, role: "hired" } });
  expect(screen.getByRole("link", { name: "Write your review" })).toHaveAttribute(
    "href",
    expect.stringMatching(/#review$/),
  );
  cleanup();
  await showTask({ state: "completed", viewer: { ...stranger, role: "hired", hasReviewed: true } });
  expect(screen.queryByRole("link", { name: "Write your review" })).toBeNull();
});

it("When the other side has deleted their account since the review, then the page does not claim that it is shown", async () => {
  const viewer = { ...stranger, role: "hired", hasReviewed: true } as const;
  await showTask({ state: "completed", otherSideLeft: true, viewer });
  const review = screen.getByRole("region", { name: "Your review" });
  expect(review).toHaveTextContent(/Your client has deleted their account since, so nobody sees your review/);
  expect(review).not.toHaveTextContent("is shown");
  // The account is deleted, so there is no profile to link to.
  expect(within(screen.getByRole("region", { name: "Buyer" })).queryByRole("link")).toBeNull();
});

it("When the daily limit of addresses is reached, then the page says why there is none", async () => {
  await showTask({ viewer: { ...stranger, addressLimitReached: true } });
  expect(screen.getByText(/looked up the addresses of 200 buyers today/)).toBeVisible();
});

it("When a client has hired many people today, then the page says when the freelancer's address will be shown", async () => {
  await showTask({
    state: "awarded",
    email: "fay@example.com",
    viewer: { ...owner, addressLimitReached: true },
  });
  expect(screen.getByText(/will be shown tomorrow/)).toBeVisible();
  expect(screen.queryByText(/looked up the addresses/)).toBeNull();
});

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

/** The details page of a task, as somebody signed in sees it. */
async function showing(overrides: Partial<Task>) {
  const task = aTask({ viewer: stranger, ...overrides });
  const api = createFakeApi(({ path }) => ({ data: path === `/tasks/${task._id}` ? task : [] }));
  renderApp(`/taskdetails/${task._id}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  await screen.findByRole("heading", { name: task.title, level: 1 }, { timeout: 15_000 });
}

it("When the buyer's address is verified, then nothing is said of it; when it is not, then it is marked", async () => {
  await showing({ email: "clara@example.com", emailVerified: true });
  expect(screen.getByRole("link", { name: "clara@example.com" })).toBeVisible();
  expect(screen.queryByText("not verified")).toBeNull();
});

it("When an address is not verified, then it is marked where it is shown", async () => {
  const contact = { id: "client-1", name: "Clara Client", email: "clara@example.com", emailVerified: false };
  await showing({
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

/** Their code comes in its own time. */
const PATIENT = { timeout: 15_000 };

const ID = "a".repeat(24);
const contact = { id: "fay", name: "Fay Lance", email: "fay@example.com", emailVerified: true };

/** What the API returns beside the task. */
async function showingWith(overrides: Partial<Task>, more: Record<string, unknown>) {
  const task = aTask({ _id: ID, state: "awarded", ...overrides });
  const responses: Record<string, unknown> = { [`/tasks/${task._id}`]: task, ...more };
  const api = createFakeApi(({ path }) => ({ data: responses[path] ?? [] }));
  renderApp(`/taskdetails/${task._id}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  await screen.findByRole("heading", { name: task.title, level: 1 }, PATIENT);
}

it("When somebody was hired, then the client can write to them where their address is", async () => {
  const bid = { _id: "b".repeat(24), amount: 90, state: "awarded", freelancerId: "fay", name: "Fay Lance" };
  const times = { createdAt: "2026-11-01T10:00:00.000Z", updatedAt: "2026-11-01T10:00:00.000Z" };
  const received = { ...bid, ...times, rating: { average: null, count: 0 } };
  await showingWith({ viewer: { ...owner, contact } }, { [`/tasks/${ID}/bids`]: [received] });
  const card = within(await screen.findByRole("region", { name: "Your freelancer" }));
  expect(await card.findByRole("button", { name: "Message Fay Lance" }, PATIENT)).toBeVisible();
});

it("When the client has written, then whom they hired goes on from the task's page", async () => {
  const viewer = { ...stranger, role: "hired", contact: { ...contact, name: "Clara Client" } } as const;
  const talk = {
    task: { _id: ID, title: "A logo" },
    role: "freelancer",
    other: { id: "c", name: "Clara Client" },
  };
  const counts = { count: 1, unread: 0, seenByOther: 0, createdAt: "2026-11-01T10:00:00.000Z" };
  const open = { _id: "c".repeat(24), ...talk, ...counts };
  const other = { ...open, _id: "d".repeat(24), task: { _id: "e".repeat(24), title: "Another" } };
  await showingWith({ viewer }, { "/me/conversations": [other, open] });
  const link = await screen.findByRole("link", { name: "Message Clara Client" }, PATIENT);
  expect(link).toHaveAttribute("href", `/dash/messages/${open._id}`);
});

it("When a task is shown, then each fact stands once, with the days that are left", async () => {
  await showing({ category: "Marketing", deadline: "2026-11-24" });
  expect(screen.getAllByText("Marketing")).toHaveLength(1);
  expect(within(screen.getByRole("article")).getByText("4 days left")).toBeVisible();
  expect(screen.getByText("Jan 1, 2026")).toBeVisible();
});

/** Another value of each field that others see. */
const CHANGES: { [field in Exclude<keyof TaskDraft, "showEmail">]-?: TaskDraft[field] } = {
  title: "Another title",
  category: "Writing",
  description: "Another description.",
  deadline: "2098-01-31",
  budget: 99.5,
  screeningQuestion: "Which foxes?",
};

it("When any field of a task is another one, then its page is", async () => {
  const textOf = async (overrides: Partial<Task>) => {
    await showing(overrides);
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

it("When somebody thinks about bidding, then the client's record stands beside Bid Now", async () => {
  await showing({ client: record });
  const facts = ["83%", "24", "10", "4.8 of 5 stars (12)", "3 days ago", "March 2026"];
  expect(factsOfBuyer()).toEqual(facts);
  // And once more where the bid is written.
  await userEvent.click(screen.getByRole("button", { name: "Customize your bid" }));
  const panel = within(screen.getByRole("region", { name: "Your bid" }));
  expect(panel.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual(facts);
});

it("When nothing of the client's has come to an end yet, then they are new instead of hiring nobody", async () => {
  await showing({
    client: { ...record, tasksPosted: 1, hireRate: null, rating: { average: null, count: 0 } },
  });
  expect(factsOfBuyer()).toEqual(["New client", "1", "10", "None yet", "3 days ago", "March 2026"]);
});

it("When the client has left, then nothing is made up about them", async () => {
  await showing({});
  expect(screen.getByRole("region", { name: "Buyer" })).toHaveTextContent("BuyerCCClara Client");
});

it("When it is the reader's own task, then it says who buys, and there is a card only for whom they hired", async () => {
  await showing({ email: "fay@example.com", viewer: owner });
  expect(within(screen.getByRole("article")).getByText("fay@example.com")).toBeVisible();
  expect(screen.queryByRole("region", { name: /Buyer|Your freelancer/ })).toBeNull();
});

it("When the work is completed, then the page leads both sides to the review until they have written it", async () => {
  await showing({ state: "completed", reviewDue: true, viewer: { ...stranger, role: "hired" } });
  expect(screen.getByRole("link", { name: "Write your review" })).toHaveAttribute(
    "href",
    expect.stringMatching(/#review$/),
  );
  cleanup();
  await showing({ state: "completed", viewer: { ...stranger, role: "hired", hasReviewed: true } });
  expect(screen.queryByRole("link", { name: "Write your review" })).toBeNull();
});

it("When the other side has left since the review, then the page does not say that it is shown", async () => {
  const viewer = { ...stranger, role: "hired", hasReviewed: true } as const;
  await showing({ state: "completed", otherSideLeft: true, viewer });
  const review = screen.getByRole("region", { name: "Your review" });
  expect(review).toHaveTextContent(/Your client has deleted their account since, so nobody sees your review/);
  expect(review).not.toHaveTextContent("is shown");
  // Nobody's profile is theirs any more.
  expect(within(screen.getByRole("region", { name: "Buyer" })).queryByRole("link")).toBeNull();
});

it("When the day's addresses are used up, then the page says why there is none", async () => {
  await showing({ viewer: { ...stranger, addressLimitReached: true } });
  expect(screen.getByText(/looked up the addresses of 200 buyers today/)).toBeVisible();
});

it("When a client hired again and again, then the page says when the freelancer's address comes", async () => {
  await showing({
    state: "awarded",
    email: "fay@example.com",
    viewer: { ...owner, addressLimitReached: true },
  });
  expect(screen.getByText(/shown from tomorrow on/)).toBeVisible();
  expect(screen.queryByText(/looked up the addresses/)).toBeNull();
});

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
    bidsLeft: undefined as number | undefined,
    others: 3,
    refuse: undefined as Error | undefined,
    gone: false,
    slow: undefined as Promise<void> | undefined,
    slowRead: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    if (path === `/tasks/${ID}`) {
      await world.slowRead;
      if (world.gone) throw new ApiProblem("task-not-found", 404, "Gone.");
      const viewer = {
        isOwner: false,
        hasBid: Boolean(world.bid),
        role: "freelancer" as const,
        hasReviewed: false,
        ...(world.bid ? { bid: world.bid } : {}),
        ...(world.bidsLeft === undefined ? {} : { bidsLeft: world.bidsLeft }),
      };
      const bidsCount = world.others + (world.bid ? 1 : 0);
      return { data: aTask({ _id: ID, bidsCount, viewer, ...world.task }) };
    }
    if (path === `/tasks/${ID}/questions`) return { data: [] };
    if (path !== `/tasks/${ID}/bid`) throw new Error(`unexpected ${method} ${path}`);
    await world.slow;
    if (world.refuse) throw world.refuse;
    if (method === "DELETE") {
      world.bid = undefined;
      return { data: { acknowledged: true, deletedCount: 1 } };
    }
    const repeated = Boolean(world.bid) && body === undefined;
    const { days, message, ...rest } = (body ?? {}) as Partial<Bid>;
    if (!repeated)
      world.bid = aBid({ ...world.bid, ...rest, ...(days ? { days } : {}), ...(message ? { message } : {}) });
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

  it("When somebody types before the page knows of their bid, then the field keeps its focus and the text", async () => {
    const { user, world, writes } = house();
    const bid = await panel();
    let release = () => {};
    world.slowRead = new Promise((resolve) => {
      release = resolve;
    });
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    const amount = await bid.findByLabelText("Amount (USD)");
    await user.clear(amount);
    await user.type(amount, "455.");
    release();
    await count(4);
    // A field that was replaced would take the rest of it no longer.
    await user.keyboard("5");
    expect(bid.getByLabelText("Amount (USD)")).toHaveFocus();
    await user.click(bid.getByRole("button", { name: "Save bid" }));
    await waitFor(() => expect(writes()[1]?.body).toMatchObject({ amount: 455.5 }));
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
    await bid.findByText(/This task was cancelled/);
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

describe("a screening question", () => {
  const QUESTION = "Which bakeries have you worked for?";
  const OTHER = "When can you start?";

  it("When the client asks one, then Bid Now leads to its field, and nothing is sent without an answer", async () => {
    const { user, writes } = house({ task: { screeningQuestion: QUESTION } });
    const bid = await panel();
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    const answer = await bid.findByRole("textbox", { name: QUESTION });
    await waitFor(() => expect(answer).toHaveFocus());
    expect(answer).toBeRequired();
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await waitFor(() => expect(answer).toHaveAccessibleDescription(/Answer is required/));
    expect(answer).toHaveFocus();
    expect(writes()).toEqual([]);
    await user.type(answer, "Two, in Bremen.");
    expect(Object.values(localStorage).join()).toContain("Two, in Bremen.");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText("Two, in Bremen.", { selector: "dd p" });
    expect(writes().map(({ body }) => body)).toEqual([
      { amount: 250, days: null, message: "", question: QUESTION, answer: "Two, in Bremen." },
    ]);
    expect(Object.values(localStorage).join()).not.toContain("Bremen");
  });

  it("When the server knows another question by now, then the field says so, asks that one, and keeps what was typed", async () => {
    const { user, world, writes } = house({ task: { screeningQuestion: QUESTION } });
    const bid = await panel();
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    await user.type(await bid.findByLabelText(QUESTION), "Two.");
    const detail = "The client asks another question now.";
    world.task = { screeningQuestion: OTHER };
    world.refuse = new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/answer", detail }] });
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    const answer = await bid.findByRole("textbox", { name: OTHER });
    expect(answer).toHaveValue("Two.");
    await waitFor(() =>
      expect(answer).toHaveAccessibleDescription(/has changed this question since .* another question now/),
    );
    world.refuse = undefined;
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText("Two.", { selector: "dd p" });
    expect(writes().at(-1)?.body).toMatchObject({ question: OTHER, answer: "Two." });
  });

  it("When the page does not know of the question yet, then the refusal of Bid Now brings it", async () => {
    const { user, world } = house();
    const bid = await panel();
    const button = await bid.findByRole("button", { name: "Bid Now" });
    const detail = `The client asks every bidder: “${QUESTION}”`;
    world.task = { screeningQuestion: QUESTION };
    world.refuse = new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/answer", detail }] });
    await user.click(button);
    await bid.findByText(detail);
    await bid.findByText("The client asks everybody who bids one question.");
    await user.click(bid.getByRole("button", { name: "Bid Now" }));
    await bid.findByRole("textbox", { name: QUESTION });
  });

  it("When the own bid answers a former question, then it says so, and the new one's field is empty", async () => {
    const bid = aBid({ question: QUESTION, answer: "Two." });
    const { user } = house({ task: { screeningQuestion: OTHER }, bid });
    const shown = await panel();
    await shown.findByText(/Your bid does not answer that yet/);
    expect(shown.getByText(OTHER, { selector: "q" })).toBeInTheDocument();
    expect(shown.getByText("Two.", { selector: "dd p" })).toBeInTheDocument();
    await user.click(shown.getByRole("button", { name: "Answer the question" }));
    expect(await shown.findByRole("textbox", { name: OTHER })).toHaveValue("");
  });

  it("When the own bid answers it, then editing begins with that answer", async () => {
    const bid = aBid({ question: QUESTION, answer: "Two." });
    const { user } = house({ task: { screeningQuestion: QUESTION }, bid });
    const shown = await panel();
    await user.click(await shown.findByRole("button", { name: "Edit bid" }));
    expect(await shown.findByRole("textbox", { name: QUESTION })).toHaveValue("Two.");
    expect(shown.queryByText(/does not answer/)).toBeNull();
  });
});

describe("the bids of one day", () => {
  it("When few are left, then it says how many; when none is, when the next one is possible, and nothing is offered", async () => {
    const { world, user } = house();
    world.bidsLeft = 3;
    const bid = await panel();
    await bid.findByText("You can place 3 more bids today.");
    world.bidsLeft = 0;
    world.refuse = new ApiProblem("bid-limit-reached", 409, "You have placed 20 bids today.");
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

  it("When many are left, then nothing is said of it", async () => {
    house();
    const bid = await panel();
    await bid.findByRole("button", { name: "Bid Now" });
    expect(bid.queryByText(/more bid/)).toBeNull();
  });
});

describe("what a message says", () => {
  it("When it holds contact data, then the form says gently where that belongs, and sends it all the same", async () => {
    const { user, writes } = house();
    const bid = await panel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    const message = bid.getByLabelText("Message to the client");
    await user.type(message, "I charge $1,200 until 2027-03-31.");
    expect(bid.queryByText(/seems to contain/)).toBeNull();
    await user.type(message, " Write to fay@mail.example");
    expect(bid.getByText(/seems to contain an email address\. Better wait/)).toBeInTheDocument();
    await user.type(message, " or call +49 170 1234567");
    expect(bid.getByText(/seems to contain an email address and a phone number\./)).toBeInTheDocument();
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText(/Write to fay@mail.example/, { selector: "p" });
    expect(writes()).toHaveLength(1);
    await user.click(bid.getByRole("button", { name: "Edit bid" }));
    await user.clear(bid.getByLabelText("Message to the client"));
    expect(bid.queryByText(/seems to contain/)).toBeNull();
  });

  it("When it was sent before, then its freelancer sees what the client sees", async () => {
    house({ bid: aBid({ message: "Hello again", sentTo: 14 }) });
    const bid = await panel();
    await bid.findByText("Sent to 14 other tasks");
    expect(bid.getByText("The client sees this beside your message.")).toBeInTheDocument();
  });
});

describe("what is said about a task that takes no bids", () => {
  it.each([
    [{ state: "expired" as const }, undefined, /deadline of this task has passed/],
    // Read while it was open; the day has passed since.
    [{ state: "open" as const, deadline: "2020-01-01" }, undefined, /deadline of this task has passed/],
    [{ state: "awarded" as const }, undefined, /has hired somebody for this task/],
    [{ state: "completed" as const }, undefined, /This task is completed/],
    [{ state: "cancelled" as const }, undefined, /This task was cancelled/],
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
  it("When bids of one state are chosen, then the address says so, and what is not there is said with a way back", async () => {
    const task = { _id: ID, title: "Logo", category: "Design", state: "awarded", deadline: "2099-06-30" };
    const won = {
      ...aBid({ state: "awarded" }),
      task: { ...task, budget: 250, name: "Clara", clientId: "c" },
    };
    const api = createFakeApi(async ({ path, query }) => ({
      data: path === "/me/bids" && query["state"] !== "declined" ? [won] : [],
    }));
    const { user, router } = renderApp("/dash/mybids?state=nonsense", {
      api,
      gateway: createFakeAuthGateway(aPerson()),
    });
    const states = within(await screen.findByRole("navigation", { name: "Bids by state" }));
    expect(states.getByRole("link", { current: true })).toHaveTextContent("All");
    await user.click(states.getByRole("link", { name: "Declined" }));
    expect(await screen.findByRole("heading", { name: "No bid of yours is declined" })).toBeVisible();
    expect(router.state.location.search).toBe("?state=declined");
    await user.click(screen.getByRole("link", { name: "Awarded" }));
    expect(await screen.findByRole("link", { name: "Logo" })).toBeVisible();
    const asked = api.calls.filter(({ path }) => path === "/me/bids").map(({ query }) => query["state"]);
    expect(asked).toEqual([undefined, "declined", "awarded"]);
  });

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

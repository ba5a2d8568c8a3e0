import type { Task } from "@tasklane/server/contract";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { liveTasks } from "../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const ID = "a".repeat(24);
const viewer = { isOwner: true, hasBid: false, role: "client" as const, hasReviewed: false };

/** Opens a page as the task's owner. If `refuse` is set, every write fails with it. */
function owner(address: string, overrides: Partial<Task> = {}) {
  const world = {
    task: aTask({ _id: ID, title: "A fox", viewer, ...overrides }) as Task | undefined,
    refuse: undefined as Error | undefined,
    busy: undefined as Error | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    // Like a network, so that a response arrives after the page has rendered.
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (path === "/tasks" && world.busy) throw world.busy;
    if (method === "GET" && path === "/tasks") return { data: world.task ? [world.task] : [] };
    if (method === "GET") return { data: world.task };
    if (world.refuse) throw world.refuse;
    if (method === "DELETE") {
      world.task = undefined;
      return { data: { acknowledged: true, deletedCount: 1 } };
    }
    const change = body as Partial<Task>;
    if (world.task) world.task = { ...world.task, ...change, reviewDue: change.state === "completed" };
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const app = renderApp(address, { api, gateway: createFakeAuthGateway(aPerson()) });
  const writes = () =>
    api.calls.filter((call) => call.method !== "GET").map(({ method, path, body }) => [method, path, body]);
  return { world, writes, api, ...app };
}

const menuItems = () => screen.queryAllByRole("menuitem", { hidden: true }).map((item) => item.textContent);

/** Chooses an action of the task's menu. */
async function choose(user: ReturnType<typeof owner>["user"], name: string): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "More for A fox" }));
  await user.click(screen.getByRole("menuitem", { name }));
  expect(screen.queryByRole("menuitem")).toBeNull();
}

it("When an operator has hidden an open task, then its owner reads why and what to do, and nowhere that it takes bids", async () => {
  const hiddenBecause = "Fraud or a scam. “Asks for money.”";
  owner(`/taskdetails/${ID}`, { hidden: true, hiddenBecause });
  const alert = (await screen.findByText(/An operator has hidden this task/, {}, { timeout: 15_000 }))
    .textContent;
  expect(alert).toBe(
    "An operator has hidden this task: it is not listed and takes no bids. Reason: Fraud or a scam. “Asks for money.” " +
      "Contact us once you have changed that, or if you think it is a mistake.",
  );
  expect(screen.getByRole("link", { name: "Contact us" })).toHaveAttribute("href", "/contact");
  expect(screen.queryByText(/can bid until/)).toBeNull();
});

it("When an expired task is hidden, then extending it does not promise bids", async () => {
  const { user } = owner(`/taskdetails/${ID}`, { hidden: true, state: "expired", deadline: "2020-01-01" });
  await user.click(await screen.findByRole("button", { name: "Extend deadline" }, { timeout: 15_000 }));
  expect(screen.getByRole("dialog", { name: "Extend the deadline" })).toHaveTextContent(
    "It takes no bids until an operator shows it again",
  );
});

it("When an operator looks at a hidden task, then Bid Now is not offered", async () => {
  owner(`/taskdetails/${ID}`, {
    hidden: true,
    viewer: { ...viewer, isOwner: false, role: "freelancer" },
  });
  await screen.findByText(/An operator has hidden this task/, {}, { timeout: 15_000 });
  expect(screen.queryByRole("button", { name: "Bid Now" })).toBeNull();
});

describe("owner actions", () => {
  it.each([
    ["open", ["Update", "Cancel task", "Delete"]],
    ["expired", ["Update", "Extend deadline", "Cancel task", "Post again", "Delete"]],
    ["awarded", ["Update", "Mark as completed", "Cancel task", "Post again"]],
    ["delivered", ["Update", "Mark as completed", "Post again"]],
    ["completed", ["Post again"]],
    ["cancelled", ["Update", "Reopen", "Post again", "Delete"]],
  ] as const)(
    "When a task is %s, then its row shows that state and offers the actions allowed in it",
    async (state, offered) => {
      owner("/dash/myposttask", { state });
      const row = await screen.findByRole("row", { name: /A fox/ });
      expect(row).toHaveTextContent(new RegExp(state, "i"));
      expect(menuItems()).toEqual(offered);
    },
  );

  it("When Space is pressed on a link in the menu, then the link is followed, as with Enter", async () => {
    const { user, router } = owner("/dash/myposttask", { state: "open" });
    await user.click(await screen.findByRole("button", { name: "More for A fox" }));
    screen.getByRole("menuitem", { name: "Update" }).focus();
    await user.keyboard(" ");
    await waitFor(() => expect(router.state.location.pathname).toBe(`/dash/updatetask/${ID}`));
  });

  it("When a cancelled task has been awarded before, then it can be reopened but not deleted", async () => {
    owner("/dash/myposttask", { state: "cancelled", wasAwarded: true });
    await screen.findByRole("row", { name: /A fox/ });
    expect(menuItems()).toEqual(["Update", "Reopen", "Post again"]);
  });

  it("When the owner completes a task, then it asks for confirmation, sends the change and shows the new state", async () => {
    const { user, writes } = owner(`/dash/taskdetails/${ID}`, { state: "awarded" });
    await user.click(await screen.findByRole("button", { name: "Mark as completed" }));
    await user.click(await screen.findByRole("button", { name: "Yes, it is completed" }));
    await screen.findByText("Completed");
    expect(writes()).toEqual([["PATCH", `/tasks/${ID}/state`, { state: "completed" }]]);
    expect(screen.queryByRole("button", { name: "Bid Now" })).toBeNull();
    expect(screen.getByText(/This is your own task/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("heading", { name: /How was working with/ })).toHaveFocus());
  });

  it("When the client waits for changes, then the agreed terms are shown, and completing is not the suggested step", async () => {
    const agreed = { amount: 1_450, due: "2026-12-01", sentBack: true };
    const { user } = owner(`/dash/taskdetails/${ID}`, { state: "awarded", agreed, budget: 1_600 });
    const complete = await screen.findByRole("button", { name: "Mark as completed" });
    expect(complete).not.toHaveClass("btn-primary");
    expect(screen.getByText(/You asked for changes\./)).toBeInTheDocument();
    expect(screen.getByText("Agreed price").closest("div")).toHaveTextContent("$1,450Budget: $1,600");
    expect(screen.getByText("Agreed date").closest("div")).toHaveTextContent("Dec 1, 2026Deadline:");
    await user.click(complete);
    await screen.findByText(/You confirm that you have what was agreed for \$1,450\./);
  });

  it("When the freelancer has deleted their account, then completing the task says so and does not lead to a review", async () => {
    const { user, router } = owner(`/dash/taskdetails/${ID}`, { state: "awarded", otherSideLeft: true });
    await user.click(await screen.findByRole("button", { name: "Mark as completed" }));
    const warning = await screen.findByText(/has deleted their account, so there is nobody to review/);
    await waitFor(() => expect(warning).toBeVisible());
    await user.click(screen.getByRole("button", { name: "Yes, it is completed" }));
    const popup = await screen.findByText("Your task is completed");
    await waitFor(() => expect(popup).not.toBeInTheDocument(), { timeout: 5_000 });
    // If it led to the review, it would have done so by now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(router.state.location.hash).toBe("");
  });

  it("When the page is left during the confirmation, then the dialog closes and nothing is sent", async () => {
    const { user, router, writes } = owner("/dash/myposttask", { state: "open" });
    await choose(user, "Cancel task");
    await screen.findByRole("button", { name: "Yes, cancel it" });
    await act(() => router.navigate("/about"));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Yes, cancel it" })).toBeNull());
    expect(document.body).not.toHaveClass("swal2-shown");
    expect(writes()).toEqual([]);
  });

  it("When somebody is hired, then cancelling asks for a reason and sends it", async () => {
    const { user, writes, world } = owner("/dash/myposttask", { state: "awarded" });
    const detail = "Say why you cancel.";
    world.refuse = new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/reason", detail }] });
    await choose(user, "Cancel task");
    await user.click(await screen.findByRole("button", { name: "Yes, cancel it" }));
    await screen.findByText(detail);
    expect(screen.getByLabelText("Reason")).toHaveAccessibleDescription(detail);
    world.refuse = undefined;
    await user.type(screen.getByLabelText("Reason"), "The café closes.");
    // In a browser, Escape and a click outside do this.
    fireEvent(screen.getByRole("dialog"), new Event("close"));
    await waitFor(() => expect(screen.queryByLabelText("Reason")).toBeNull());
    await choose(user, "Cancel task");
    expect(await screen.findByLabelText("Reason")).toHaveValue("The café closes.");
    expect(screen.queryByText(detail)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));
    await screen.findByText("Cancelled");
    const sent = { state: "cancelled", reason: "The café closes." };
    expect(writes().at(-1)).toEqual(["PATCH", `/tasks/${ID}/state`, sent]);
  });

  it("When a cancelled task was reopened elsewhere, then cancelling it again is not a repeat of the first", async () => {
    const { user, world, api, queryClient } = owner("/dash/myposttask", { state: "open", version: 3 });
    const cancel = async () => {
      await choose(user, "Cancel task");
      await user.click(await screen.findByRole("button", { name: "Yes, cancel it" }));
    };
    world.refuse = offlineProblem();
    await cancel();
    await screen.findByText(/We can't reach/);
    world.refuse = undefined;
    world.task = { ...(world.task as Task), version: 5 };
    await act(() => queryClient.invalidateQueries());
    await cancel();
    await screen.findByText("Your task is cancelled");
    const sent = api.calls.filter(({ method }) => method === "PATCH").map(({ headers }) => headers);
    expect([sent.at(0)?.["If-Match"], sent.at(-1)?.["If-Match"]]).toEqual(['"3"', '"5"']);
    expect(sent.at(-1)?.["Idempotency-Key"]).not.toBe(sent.at(0)?.["Idempotency-Key"]);
  });

  it("When work was delivered, then its row links to it", async () => {
    owner("/dash/myposttask", { state: "delivered" });
    const link = await screen.findByRole("link", { name: "View work: A fox" });
    expect(link).toHaveAttribute("href", `/dash/taskdetails/${ID}#delivery`);
  });

  it("When a completed task's review is due, then its row links to the form; once it is not, the link goes away", async () => {
    const { world, queryClient } = owner("/dash/myposttask", { state: "completed", reviewDue: true });
    const review = await screen.findByRole("link", { name: "Review: A fox" });
    expect(review).toHaveAttribute("href", `/dash/taskdetails/${ID}#review`);
    world.task = aTask({ _id: ID, title: "A fox", state: "completed" });
    await queryClient.invalidateQueries();
    await waitFor(() => expect(review).not.toBeInTheDocument());
  });

  it("When the owner extends an expired task, then it asks for a future deadline and sends it", async () => {
    vi.setSystemTime("2026-11-20T12:00:00Z");
    const { user, writes } = owner("/dash/myposttask", { state: "expired", deadline: "2026-01-01" });
    await choose(user, "Extend deadline");
    const date = await screen.findByLabelText("New deadline");
    expect(date).toHaveAttribute("min", "2026-11-20");
    await user.clear(date);
    await user.type(date, "2099-05-01");
    fireEvent(screen.getByRole("dialog"), new Event("close"));
    await waitFor(() => expect(date).not.toBeInTheDocument());
    await choose(user, "Extend deadline");
    expect(await screen.findByLabelText("New deadline")).toHaveValue("2099-05-01");
    await user.click(await screen.findByRole("button", { name: "Extend" }));
    await screen.findByText("Open");
    expect(writes()).toEqual([["PATCH", `/tasks/${ID}/state`, { state: "open", deadline: "2099-05-01" }]]);
  });

  it("When a task is deleted, but the list cannot be reloaded, then the task is gone from it", async () => {
    const { user, world } = owner("/dash/myposttask");
    await choose(user, "Delete");
    world.busy = new ApiProblem("too-many-requests", 429, "Too many requests.", { retryAfter: 40 });
    await user.click(await screen.findByRole("button", { name: "Yes, delete it!" }));
    await screen.findByText("Your task has been deleted.");
    expect(screen.queryByRole("row", { name: /A fox/ })).toBeNull();
  });

  it("When an award was cancelled, reverted elsewhere and is cancelled again, then that is not a repeat", async () => {
    const { user, world, api, queryClient } = owner("/dash/myposttask", { state: "awarded", version: 3 });
    const cancel = async () => {
      await choose(user, "Cancel task");
      await user.click(await screen.findByRole("button", { name: "Yes, cancel it" }));
    };
    await choose(user, "Cancel task");
    await user.type(await screen.findByLabelText("Reason"), "The café closes.");
    world.refuse = offlineProblem();
    await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));
    await screen.findByText(/We can't reach/);
    fireEvent(screen.getByRole("dialog"), new Event("close"));
    world.refuse = undefined;
    world.task = { ...(world.task as Task), version: 5 };
    await act(() => queryClient.invalidateQueries());
    await cancel();
    await screen.findByText("Your task is cancelled");
    const sent = api.calls.filter(({ method }) => method === "PATCH").map(({ headers }) => headers);
    expect([sent.at(0)?.["If-Match"], sent.at(-1)?.["If-Match"]]).toEqual(['"3"', '"5"']);
    expect(sent.at(-1)?.["Idempotency-Key"]).not.toBe(sent.at(0)?.["Idempotency-Key"]);
  });

  it("When a change is refused, then the reason is shown and the task keeps its state", async () => {
    const { user, world } = owner("/dash/myposttask", { state: "open" });
    world.refuse = new ApiProblem("wrong-state", 409, "This is not possible in the task's current state");
    await choose(user, "Cancel task");
    await user.click(await screen.findByRole("button", { name: "Yes, cancel it" }));
    await screen.findByText(/“A fox” was not changed\. This is not possible/);
    expect(screen.getByText("Open")).toBeInTheDocument();
  });

  it("When a task with bids is deleted, then a warning about the bidders comes before the specified popups", async () => {
    const { user, writes } = owner("/dash/myposttask", { bidsCount: 2 });
    await choose(user, "Delete");
    await screen.findByText("2 freelancers have bid and will be notified");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByText("You won't be able to revert this!");
    await user.click(screen.getByRole("button", { name: "Yes, delete it!" }));
    await screen.findByText("Your task has been deleted.");
    expect(writes()).toEqual([["DELETE", `/tasks/${ID}`, undefined]]);
  });
});

describe("the update form after an award", () => {
  it("When the task is awarded, then its terms are locked, the form says why, and the deadline can be changed", async () => {
    const { user, writes } = owner(`/dash/updatetask/${ID}`, { state: "awarded", title: "A fox" });
    await screen.findByText(/what your freelancer agreed to/);
    expect(screen.getByLabelText("Title")).toHaveAttribute("readonly");
    expect(screen.getByLabelText("Description")).toHaveAttribute("readonly");
    expect(screen.getByLabelText("Budget (USD)")).toHaveAttribute("readonly");
    await user.clear(screen.getByLabelText("Deadline"));
    await user.type(screen.getByLabelText("Deadline"), "2099-07-01");
    await user.click(screen.getByLabelText("Show my email to signed-in visitors"));
    await user.click(screen.getByRole("button", { name: "Update Task" }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]?.[2]).toMatchObject({
      title: "A fox",
      category: "Design",
      deadline: "2099-07-01",
      showEmail: false,
    });
  });

  it("When the task is completed, then there is no form", async () => {
    owner(`/dash/updatetask/${ID}`, { state: "completed" });
    await screen.findByRole("heading", { name: "This task is completed" });
    expect(screen.queryByLabelText("Title")).toBeNull();
  });
});

describe("the details page", () => {
  it("When a bid event arrives as soon as the task is shown, then the count is updated", async () => {
    owner(`/taskdetails/${ID}`, { bidsCount: 4 });
    // Runs right after the count is rendered, before anything else can happen.
    const shown = new MutationObserver(() => {
      if (!screen.queryByText("4", { selector: "strong" })) return;
      shown.disconnect();
      const revisions = { bidsRevision: 9, questionsRevision: 0, version: 0 };
      liveTasks.deliver(ID, { taskId: ID, bidsCount: 5, state: "open", ...revisions });
    });
    shown.observe(document.body, { childList: true, subtree: true });
    await screen.findByText("5", { selector: "strong" });
  });

  it("When the task is awarded, then the owner sees the freelancer's contact data", async () => {
    const email = "fay?bcc=all@example.com";
    const contact = { id: "f1", name: "Fay Lance", email, emailVerified: true };
    owner(`/taskdetails/${ID}`, { state: "awarded", viewer: { ...viewer, contact } });
    await screen.findByRole("heading", { name: "Your freelancer" });
    expect(screen.getByRole("link", { name: "Fay Lance" })).toHaveAttribute("href", "/people/f1");
    expect(screen.getByRole("link", { name: email })).toHaveAttribute(
      "href",
      "mailto:fay%3Fbcc%3Dall@example.com",
    );
  });
});

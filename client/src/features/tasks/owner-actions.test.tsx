import type { Task } from "@tasklane/server/contract";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { liveTasks } from "../../lib/live.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const ID = "a".repeat(24);
const viewer = { isOwner: true, hasBid: false, role: "client" as const, hasReviewed: false };

/** An owner at one of their pages; `refuse` is the response to a write instead of doing it. */
function owner(address: string, overrides: Partial<Task> = {}) {
  const world = {
    task: aTask({ _id: ID, title: "A fox", viewer, ...overrides }) as Task | undefined,
    refuse: undefined as Error | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    // What a network takes at least: a response comes after the page has rendered.
    await new Promise((resolve) => setTimeout(resolve, 5));
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
  return { world, writes, ...app };
}

const names = () => screen.queryAllByRole("menuitem", { hidden: true }).map((item) => item.textContent);

/** Chooses an action of the task's menu. */
async function choose(user: ReturnType<typeof owner>["user"], name: string): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "More for A fox" }));
  await user.click(screen.getByRole("menuitem", { name }));
  expect(screen.queryByRole("menuitem")).toBeNull();
}

describe("what an owner can do", () => {
  it.each([
    ["open", ["Update", "Cancel task", "Delete"]],
    ["expired", ["Update", "Extend deadline", "Cancel task", "Post again", "Delete"]],
    ["awarded", ["Update", "Mark as completed", "Cancel task", "Post again"]],
    ["delivered", ["Update", "Mark as completed", "Post again"]],
    ["completed", ["Post again"]],
    ["cancelled", ["Update", "Reopen", "Post again", "Delete"]],
  ] as const)(
    "When a task is %s, then its row says so and offers what the rules allow",
    async (state, offered) => {
      owner("/dash/myposttask", { state });
      const row = await screen.findByRole("row", { name: /A fox/ });
      expect(row).toHaveTextContent(new RegExp(state, "i"));
      expect(names()).toEqual(offered);
    },
  );

  it("When Space is pressed on a link of the menu, then it is followed, as with Enter", async () => {
    const { user, router } = owner("/dash/myposttask", { state: "open" });
    await user.click(await screen.findByRole("button", { name: "More for A fox" }));
    screen.getByRole("menuitem", { name: "Update" }).focus();
    await user.keyboard(" ");
    await waitFor(() => expect(router.state.location.pathname).toBe(`/dash/updatetask/${ID}`));
  });

  it("When a task was awarded before and cancelled since, then it can be opened again, but not deleted", async () => {
    owner("/dash/myposttask", { state: "cancelled", wasAwarded: true });
    await screen.findByRole("row", { name: /A fox/ });
    expect(names()).toEqual(["Update", "Reopen", "Post again"]);
  });

  it("When the owner completes a task, then that is asked first, sent, and shown", async () => {
    const { user, writes } = owner(`/dash/taskdetails/${ID}`, { state: "awarded" });
    await user.click(await screen.findByRole("button", { name: "Mark as completed" }));
    await user.click(await screen.findByRole("button", { name: "Yes, it is completed" }));
    await screen.findByText("Completed");
    expect(writes()).toEqual([["PATCH", `/tasks/${ID}/state`, { state: "completed" }]]);
    expect(screen.queryByRole("button", { name: "Bid Now" })).toBeNull();
    expect(screen.getByText(/This is your own task/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("heading", { name: /How was it with/ })).toHaveFocus());
  });

  it("When the owner completes a task whose freelancer has left, then it says so, and leads to no review", async () => {
    const { user, router } = owner(`/dash/taskdetails/${ID}`, { state: "awarded", otherSideLeft: true });
    await user.click(await screen.findByRole("button", { name: "Mark as completed" }));
    expect(await screen.findByText(/has deleted their account, so there is nobody to review/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Yes, it is completed" }));
    const said = await screen.findByText("Your task is completed");
    await waitFor(() => expect(said).not.toBeInTheDocument(), { timeout: 5_000 });
    // Where it would lead, it has by then.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(router.state.location.hash).toBe("");
  });

  it("When the page is left while it asks, then nothing is asked any more, and nothing is done", async () => {
    const { user, router, writes } = owner("/dash/myposttask", { state: "open" });
    await choose(user, "Cancel task");
    await screen.findByRole("button", { name: "Yes, cancel it" });
    await act(() => router.navigate("/about"));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Yes, cancel it" })).toBeNull());
    expect(document.body).not.toHaveClass("swal2-shown");
    expect(writes()).toEqual([]);
  });

  it("When somebody is hired, then cancelling asks for a reason, which is sent", async () => {
    const { user, writes, world } = owner("/dash/myposttask", { state: "awarded" });
    const detail = "Say why you cancel.";
    world.refuse = new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/reason", detail }] });
    await choose(user, "Cancel task");
    await user.click(await screen.findByRole("button", { name: "Yes, cancel it" }));
    await screen.findByText(detail);
    expect(screen.getByLabelText("Reason")).toHaveAccessibleDescription(detail);
    world.refuse = undefined;
    await user.type(screen.getByLabelText("Reason"), "The café closes.");
    // What Escape and a click beside it do in a browser.
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

  it("When work was delivered, then its row leads to it", async () => {
    owner("/dash/myposttask", { state: "delivered" });
    const link = await screen.findByRole("link", { name: "View work: A fox" });
    expect(link).toHaveAttribute("href", `/dash/taskdetails/${ID}#delivery`);
  });

  it("When a completed task has no review yet, then its row leads to it, and otherwise not", async () => {
    const { world, queryClient } = owner("/dash/myposttask", { state: "completed", reviewDue: true });
    const review = await screen.findByRole("link", { name: "Review: A fox" });
    expect(review).toHaveAttribute("href", `/dash/taskdetails/${ID}#review`);
    world.task = aTask({ _id: ID, title: "A fox", state: "completed" });
    await queryClient.invalidateQueries();
    await waitFor(() => expect(review).not.toBeInTheDocument());
  });

  it("When the owner extends an expired task, then a date ahead is asked for and sent", async () => {
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

  it("When a change is refused, then the reason is said and the task stays", async () => {
    const { user, world } = owner("/dash/myposttask", { state: "open" });
    world.refuse = new ApiProblem("wrong-state", 409, "The task is in a state where this is not possible");
    await choose(user, "Cancel task");
    await user.click(await screen.findByRole("button", { name: "Yes, cancel it" }));
    await screen.findByText(/“A fox” was not changed\. The task is in a state/);
    expect(screen.getByText("Open")).toBeInTheDocument();
  });

  it("When a task with bids is deleted, then the bidders are thought of first, then come the specified popups", async () => {
    const { user, writes } = owner("/dash/myposttask", { bidsCount: 2 });
    await choose(user, "Delete");
    await screen.findByText("2 freelancers have bid and will be told");
    await user.click(screen.getByRole("button", { name: "Go on" }));
    await screen.findByText("You won't be able to revert this!");
    await user.click(screen.getByRole("button", { name: "Yes, delete it!" }));
    await screen.findByText("Your task has been deleted.");
    expect(writes()).toEqual([["DELETE", `/tasks/${ID}`, undefined]]);
  });
});

describe("the update form after an award", () => {
  it("When the task is awarded, then its terms are locked with the reason, and the deadline can be changed", async () => {
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
  it("When the stream tells of another bid from the moment that the task is shown, then the count moves by itself", async () => {
    owner(`/taskdetails/${ID}`, { bidsCount: 4 });
    // Called right after the count is in the page, before anything else can happen.
    const shown = new MutationObserver(() => {
      if (!screen.queryByText("4", { selector: "strong" })) return;
      shown.disconnect();
      liveTasks.deliver(ID, {
        taskId: ID,
        bidsCount: 5,
        bidsRevision: 9,
        questionsRevision: 0,
        state: "open",
        version: 0,
      });
    });
    shown.observe(document.body, { childList: true, subtree: true });
    await screen.findByText("5", { selector: "strong" });
  });

  it("When the task is awarded, then the two sides see how to reach each other", async () => {
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

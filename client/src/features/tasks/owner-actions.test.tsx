import type { Task } from "@tasklane/server/contract";
import { act, screen, waitFor } from "@testing-library/react";
import Swal from "sweetalert2/dist/sweetalert2.esm.js";
import { describe, expect, it, vi } from "vitest";
import { liveTasks, taskNews } from "../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aTask, aTaskEvent, CLIENT, FREELANCER, ID } from "../../testing/builders.ts";
import { closeDialog } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";

const MY_TASKS = "/dash/myposttask";
const DETAILS = `/dash/taskdetails/${ID}`;

/** Opens a page as the owner of "A fox", which a fake server stores. */
function openAsOwner(address: string, task: Partial<Task> = {}) {
  const world = { task: aTask({ _id: ID, title: "A fox", viewer: CLIENT, ...task }) as Task | undefined };
  const app = openApp(address, {
    "GET /tasks": () => (world.task ? [world.task] : []),
    "GET /tasks/:id": () => world.task,
    "DELETE /tasks/:id": () => {
      world.task = undefined;
    },
    "PATCH /tasks/:id/state": ({ body }) => {
      const change = body as Partial<Task>;
      if (world.task) world.task = { ...world.task, ...change, reviewDue: change.state === "completed" };
    },
  });
  const choose = async (name: string) => {
    await app.choose("More for A fox", name);
    expect(screen.queryByRole("menuitem")).toBeNull();
  };
  return { ...app, world, choose };
}

describe("a task that an operator has hidden", () => {
  it("When it is open, then its owner reads why and what to do, and nowhere that it takes bids", async () => {
    openAsOwner(DETAILS, { hidden: true, hiddenBecause: "Fraud or a scam. “Asks for money.”" });
    expect((await screen.findByText(/An operator has hidden this task/)).textContent).toBe(
      "An operator has hidden this task: it is not listed and takes no bids. Reason: Fraud or a scam. “Asks for money.” " +
        "Contact us once you have changed that, or if you think it is a mistake.",
    );
    expect(screen.getByRole("link", { name: "Contact us" })).toHaveAttribute("href", "/contact");
    expect(screen.queryByText(/can bid until/)).toBeNull();
  });

  it("When it is hidden while its owner reads it, then the notification brings the reason", async () => {
    const { world } = openAsOwner(DETAILS);
    await screen.findByRole("heading", { name: "A fox" });
    world.task = { ...(world.task as Task), hidden: true, hiddenBecause: "Spam." };
    act(() => taskNews.publish(ID));
    expect(await screen.findByText(/An operator has hidden this task/)).toHaveTextContent("Reason: Spam.");
  });

  it("When it has expired, then extending it does not promise bids", async () => {
    const { press } = openAsOwner(DETAILS, { hidden: true, state: "expired", deadline: "2020-01-01" });
    await press("Extend deadline");
    expect(screen.getByRole("dialog", { name: "Extend the deadline" })).toHaveTextContent(
      "It takes no bids until an operator shows it again",
    );
  });

  it("When an operator looks at it, then Bid Now is not offered", async () => {
    openAsOwner(DETAILS, { hidden: true, viewer: FREELANCER });
    await screen.findByText(/An operator has hidden this task/);
    expect(screen.queryByRole("button", { name: "Bid Now" })).toBeNull();
  });
});

describe("the menu", () => {
  it.each([
    [{ state: "open" }, ["Update", "Cancel task", "Delete"]],
    [{ state: "expired" }, ["Update", "Extend deadline", "Cancel task", "Post again", "Delete"]],
    [{ state: "awarded" }, ["Update", "Mark as completed", "Cancel task", "Post again"]],
    [
      { state: "awarded", agreed: { amount: 90, due: "2099-12-01", ending: "operator" } },
      ["Update", "Mark as completed", "Post again"],
    ],
    [{ state: "delivered" }, ["Update", "Mark as completed", "Post again"]],
    [{ state: "completed" }, ["Post again"]],
    [{ state: "cancelled" }, ["Update", "Reopen", "Post again", "Delete"]],
    [{ state: "cancelled", wasAwarded: true }, ["Update", "Reopen", "Post again"]],
  ] as const)(
    "When a task is %o, then its row shows that and offers the actions allowed in it",
    async (task, offered) => {
      openAsOwner(MY_TASKS, task);
      expect(await screen.findByRole("row", { name: /A fox/ })).toHaveTextContent(
        new RegExp(task.state, "i"),
      );
      const items = screen.queryAllByRole("menuitem", { hidden: true }).map(({ textContent }) => textContent);
      expect(items).toEqual(offered);
    },
  );

  it("When Space is pressed on a link in it, then the link is followed, as with Enter", async () => {
    const { user, press, isAt } = openAsOwner(MY_TASKS);
    await press("More for A fox");
    screen.getByRole("menuitem", { name: "Update" }).focus();
    await user.keyboard(" ");
    await isAt(`/dash/updatetask/${ID}`);
  });

  it.each([
    ["work was delivered", { state: "delivered" }, "View work: A fox", "delivery"],
    ["a review is due", { state: "completed", reviewDue: true }, "Review: A fox", "review"],
  ] as const)("When %s, then the row links to that until it is not", async (_, task, name, hash) => {
    const { world, reload } = openAsOwner(MY_TASKS, task);
    const link = await screen.findByRole("link", { name });
    expect(link).toHaveAttribute("href", `${DETAILS}#${hash}`);
    world.task = aTask({ _id: ID, title: "A fox", state: "completed" });
    await reload();
    await waitFor(() => expect(link).not.toBeInTheDocument());
  });
});

describe("completing", () => {
  it("When the client waits for changes, then the agreed terms are shown, and completing is not the suggested step", async () => {
    const agreed = { amount: 1_450, due: "2026-12-01", sentBack: true };
    const { choose } = openAsOwner(DETAILS, { state: "awarded", agreed, budget: 1_600 });
    expect((await screen.findByText("Changes")).closest("li")).toHaveAttribute("aria-current", "step");
    expect(screen.queryByRole("button", { name: "Mark as completed" })).toBeNull();
    expect(screen.getByText(/You asked for changes\./)).toBeVisible();
    expect(screen.getByText("Agreed price").closest("div")).toHaveTextContent("$1,450Budget: $1,600");
    expect(screen.getByText("Agreed date").closest("div")).toHaveTextContent(/Dec 1, 2026.*Deadline:/);
    await choose("Mark as completed");
    await screen.findByText(/You confirm that you have what was agreed for \$1,450\./);
  });

  it("When the freelancer has deleted their account, then the page and completing the task say so, cancelling notifies nobody, and no review follows", async () => {
    const { press, choose, address } = openAsOwner(DETAILS, { state: "awarded", otherSideLeft: true });
    await screen.findByText(/The freelancer you hired has deleted their account/);
    await choose("Cancel task");
    expect(screen.getByRole("dialog", { name: "Cancel this task?" })).not.toHaveTextContent(/notified/);
    await closeDialog();
    await press("Mark as completed");
    await screen.findByText(/has deleted their account, so there is nobody to review/);
    await press("Yes, it is completed");
    const popup = await screen.findByText("Your task is completed");
    Swal.close();
    await waitFor(() => expect(popup).not.toBeInTheDocument());
    // If it led to the review, it would have done so by now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(address()).toBe(DETAILS);
  });
});

describe("the suggested step", () => {
  const agreed = { amount: 90, due: "2099-12-01" };
  const hired = { state: "awarded", agreed } as const;
  it.each([
    ["somebody was hired", hired, ["Mark as completed"], /You have hired somebody/],
    [
      "the client proposes to end it early",
      { ...hired, agreed: { ...agreed, ending: "client" } },
      ["Mark as completed"],
      /You have hired somebody/,
    ],
    [
      "the freelancer proposes to end it early",
      { ...hired, agreed: { ...agreed, ending: "freelancer" } },
      [],
      /You have hired somebody/,
    ],
    [
      "there is a dispute",
      { ...hired, agreed: { ...agreed, ending: "operator" } },
      [],
      /There is a dispute: an operator decides\./,
    ],
    [
      "there is a dispute about delivered work",
      { state: "delivered", agreed: { ...agreed, ending: "operator" } },
      [],
      /There is a dispute: an operator decides\./,
    ],
    [
      "the freelancer has left before they made the changes",
      { ...hired, agreed: { ...agreed, sentBack: true }, otherSideLeft: true },
      ["Mark as completed"],
      /has deleted their account/,
    ],
    [
      "it has expired with bids",
      { state: "expired", bidsCount: 3 },
      ["See 3 bids"],
      /choose among the bids received/,
    ],
    ["it has expired without bids", { state: "expired" }, ["Extend deadline"], /Extend it, or post it again/],
  ] as const)("When %s, then it is what the page's owner can do next", async (_, task, suggested, hint) => {
    openAsOwner(DETAILS, task);
    const card = await screen.findByRole("region", { name: "Your task" });
    expect(card).toHaveTextContent(hint);
    expect([...card.querySelectorAll(".btn-primary")].map(({ textContent }) => textContent)).toEqual(
      suggested,
    );
  });
});

describe("cancelling", () => {
  it("When the page is left during the confirmation, then the dialog closes and nothing is sent", async () => {
    const { goTo, writes, choose } = openAsOwner(MY_TASKS);
    await choose("Cancel task");
    await screen.findByRole("button", { name: "Yes, cancel it" });
    await goTo("/about");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Yes, cancel it" })).toBeNull());
    expect(document.body).not.toHaveClass("swal2-shown");
    expect(writes()).toEqual([]);
  });

  it("When somebody is hired, then cancelling asks for a reason and sends it", async () => {
    const { fill, writes, press, choose } = openAsOwner(MY_TASKS, { state: "awarded" });
    await choose("Cancel task");
    await fill("Reason", "The café closes.");
    await closeDialog();
    await choose("Cancel task");
    expect(await screen.findByLabelText("Reason")).toHaveValue("The café closes.");
    await press("Yes, cancel it");
    await screen.findByText("Cancelled");
    expect(writes().at(-1)?.body).toEqual({ state: "cancelled", reason: "The café closes." });
  });

  it.each(["open", "awarded"] as const)(
    "When the response to cancelling an %s task is lost, it is reverted elsewhere and cancelled again, then that is not a repeat",
    async (state) => {
      const { user, world, server, reload, writes, press, choose } = openAsOwner(MY_TASKS, {
        state,
        version: 3,
      });
      const cancel = async (reason?: string) => {
        await choose("Cancel task");
        if (reason) await user.type(await screen.findByLabelText("Reason"), reason);
        await press("Yes, cancel it");
      };
      server.fails.writes = offlineProblem();
      await cancel(state === "awarded" ? "The café closes." : undefined);
      await screen.findByText(/We can't reach/);
      if (state === "awarded") await closeDialog();
      server.fails.writes = undefined;
      world.task = { ...(world.task as Task), version: 5 };
      await reload();
      await cancel();
      await screen.findByText("Your task is cancelled");
      const [first, last] = [writes().at(0)?.headers, writes().at(-1)?.headers];
      expect([first?.["If-Match"], last?.["If-Match"]]).toEqual(['"3"', '"5"']);
      expect(last?.["Idempotency-Key"]).not.toBe(first?.["Idempotency-Key"]);
    },
  );
});

it("When the owner extends an expired task, then it asks for a future deadline and sends it", async () => {
  vi.setSystemTime("2026-11-20T12:00:00Z");
  const { fill, writes, press, choose } = openAsOwner(MY_TASKS, { state: "expired", deadline: "2026-01-01" });
  await choose("Extend deadline");
  expect(await screen.findByLabelText("New deadline")).toHaveAttribute("min", "2026-11-20");
  await fill("New deadline", "2099-05-01");
  await press("Extend");
  await screen.findByText("Open");
  expect(writes().map(({ body }) => body)).toEqual([{ state: "open", deadline: "2099-05-01" }]);
});

it("When a task with bids is deleted, then a warning about the bidders comes first, a failure is reported, and success removes it even if the list cannot be reloaded", async () => {
  const { server, writes, press, choose } = openAsOwner(MY_TASKS, { bidsCount: 2 });
  await choose("Delete");
  await screen.findByText("2 freelancers have bid and will be notified");
  await press("Continue");
  await screen.findByText("You won't be able to revert this!");
  server.fails.writes = offlineProblem();
  await press("Yes, delete it!");
  await screen.findByText(/was not deleted\. We can't reach Tasklane/);
  server.fails.writes = undefined;
  await choose("Delete");
  await press("Continue");
  server.fails["GET /tasks"] = new ApiProblem("too-many-requests", 429, "Too many requests.", {
    retryAfter: 40,
  });
  await press("Yes, delete it!");
  await screen.findByText("Your task has been deleted.");
  expect(screen.queryByRole("row", { name: /A fox/ })).toBeNull();
  expect(writes().at(-1)).toMatchObject({ method: "DELETE", path: `/tasks/${ID}` });
});

describe("the update form", () => {
  it("When the task is awarded, then its terms are locked, the form says why, and the deadline can be changed", async () => {
    const { user, fill, writes, press } = openAsOwner(`/dash/updatetask/${ID}`, { state: "awarded" });
    await screen.findByText(/what your freelancer agreed to/);
    for (const label of ["Title", "Description", "Budget (USD)"])
      expect(screen.getByLabelText(label)).toHaveAttribute("readonly");
    await fill("Deadline", "2099-07-01");
    await user.click(screen.getByLabelText("Show my email to signed-in visitors"));
    await press("Update Task");
    const sent = { title: "A fox", category: "Design", deadline: "2099-07-01", showEmail: false };
    await waitFor(() => expect(writes()).toMatchObject([{ body: sent }]));
  });

  it("When the task is completed, then there is no form", async () => {
    openAsOwner(`/dash/updatetask/${ID}`, { state: "completed" });
    await screen.findByRole("heading", { name: "This task is completed" });
    expect(screen.queryByLabelText("Title")).toBeNull();
  });
});

describe("the details page", () => {
  it("When a bid event arrives as soon as the task is shown, then the count is updated", async () => {
    openAsOwner(DETAILS, { bidsCount: 4 });
    // Runs right after the count is rendered, before anything else can happen.
    const shown = new MutationObserver(() => {
      if (!screen.queryByText("4", { selector: "strong" })) return;
      shown.disconnect();
      liveTasks.deliver(ID, aTaskEvent({ bidsCount: 5, bidsRevision: 9 }));
    });
    shown.observe(document.body, { childList: true, subtree: true });
    await screen.findByText("5", { selector: "strong" });
  });

  it("When the task is awarded, then the owner sees the freelancer's contact data", async () => {
    const email = "fay?bcc=all@example.com";
    const contact = { id: "f1", name: "Fay Lance", email, emailVerified: true };
    openAsOwner(DETAILS, { state: "awarded", viewer: { ...CLIENT, contact } });
    await screen.findByRole("heading", { name: "Your freelancer" });
    const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(hrefOf("Fay Lance")).toBe("/people/f1");
    expect(hrefOf(email)).toBe("mailto:fay%3Fbcc%3Dall@example.com");
  });
});

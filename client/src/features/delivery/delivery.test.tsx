import type { Task, Timeline, TimelineEntry } from "@tasklane/server/contract";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask, noonOf } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const PATIENT = { timeout: 15_000 };
const ID = "d".repeat(24);
const AT = noonOf("2026-03-01");
const contact = { id: "p1", name: "Jonas Lind", email: "j@example.com", emailVerified: true };
const CLIENT = { isOwner: true, hasBid: false, role: "client", hasReviewed: false, contact } as const;
const HIRED = { isOwner: false, hasBid: true, role: "hired", hasReviewed: false, contact } as const;
const STRANGER = { isOwner: false, hasBid: false, role: "freelancer", hasReviewed: false } as const;

let steps = 0;
const step = (kind: TimelineEntry["kind"], more: Partial<TimelineEntry> = {}): TimelineEntry => {
  steps += 1;
  return { _id: String(steps).padStart(24, "0"), kind, at: AT, ...more };
};
const WORK = step("delivered", {
  by: "freelancer",
  note: "All done.",
  links: ["https://files.example/work.zip"],
});
const MISSING = step("changes-requested", { by: "client", reason: "The logo is missing." });
const ROUND = [WORK, MISSING, step("delivered", { by: "freelancer", note: "With the logo." })];

/** A task's page, as somebody sees it; what is written moves the task on as the server would. */
function showing(viewer: Task["viewer"], state: Task["state"], past: TimelineEntry[], more: object = {}) {
  const world = {
    task: aTask({ _id: ID, title: "A fox", state, viewer, version: 3 }),
    timeline: { entries: [step("posted"), step("awarded"), ...past], ...more } as Timeline,
    refuse: undefined as Error | undefined,
    reading: undefined as Promise<void> | undefined,
    readingTimeline: undefined as Promise<void> | undefined,
  };
  const moveOn = (next: Task["state"], entry: TimelineEntry) => {
    const reviewDue = next === "completed";
    world.task = { ...world.task, state: next, reviewDue, version: world.task.version + 1 };
    world.timeline = { entries: [...world.timeline.entries, entry] };
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (method === "GET") await world.reading;
    if (path.endsWith("/timeline")) await world.readingTimeline;
    if (method === "GET") return { data: path.endsWith("/timeline") ? world.timeline : world.task };
    if (world.refuse) throw world.refuse;
    if (path.endsWith("/deliveries")) moveOn("delivered", step("delivered", body as object));
    else if (path.endsWith("/changes")) moveOn("awarded", step("changes-requested", body as object));
    else moveOn("completed", step("completed"));
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const app = renderApp(`/taskdetails/${ID}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  const writes = () => api.calls.filter(({ method }) => method !== "GET");
  return { world, api, writes, ...app };
}

const panel = async (name: string) => within(await screen.findByRole("region", { name }, PATIENT));

describe("the hired freelancer", () => {
  it("When work is handed in, then it needs a note, links may leave out https://, and what went wrong loses nothing", async () => {
    const { user, writes, world } = showing(HIRED, "awarded", []);
    const form = await panel("Deliver your work");
    const fill = async (label: string, text: string) => {
      await user.clear(form.getByLabelText(label));
      await user.paste(text);
    };
    await user.click(form.getByRole("button", { name: "Deliver" }));
    await form.findByText("Note is required.");
    await fill("Note", "All done.");
    await fill("Links (optional)", "ftp://files.example/a");
    await user.click(form.getByRole("button", { name: "Deliver" }));
    await form.findByText("Each link must start with https:// and lead to a website.");
    expect(writes()).toEqual([]);
    await fill("Links (optional)", "files.example/a\n\nhttps://b.example/");
    world.refuse = offlineProblem();
    await user.click(form.getByRole("button", { name: "Deliver" }));
    await form.findByText(/We can't reach Tasklane/);
    expect(form.getByLabelText("Note")).toHaveValue("All done.");

    world.refuse = undefined;
    await user.click(form.getByRole("button", { name: "Deliver" }));
    const done = await panel("Your work is delivered");
    expect(await done.findByText("All done.")).toBeVisible();
    const [first, second] = writes();
    expect(second).toMatchObject({
      path: `/tasks/${ID}/deliveries`,
      body: { note: "All done.", links: ["https://files.example/a", "https://b.example/"] },
    });
    // The same request once more, not another one.
    expect(second?.headers).toEqual(first?.headers);
    expect(await screen.findByText(/Your work is delivered, and your client is told/)).toBeVisible();
  });

  it("When the page is left before it is sent, then what was typed is there again, with what the client asked for", async () => {
    const { user } = showing(HIRED, "awarded", [WORK, MISSING]);
    const form = await panel("Deliver your work");
    expect(await form.findByText("The logo is missing.")).toBeVisible();
    await user.type(form.getByLabelText("Note"), "With the logo");
    cleanup();
    showing(HIRED, "awarded", [WORK, MISSING]);
    expect((await panel("Deliver your work")).getByLabelText("Note")).toHaveValue("With the logo");
  });

  it("When a second delivery is handed in, then the first one never stands in its place", async () => {
    const { user, world } = showing(HIRED, "awarded", [WORK, MISSING]);
    const form = await panel("Deliver your work");
    await form.findByText("The logo is missing.");
    await user.type(form.getByLabelText("Note"), "With the logo.");
    let arrive = () => {};
    world.readingTimeline = new Promise((resolve) => {
      arrive = resolve;
    });
    await user.click(form.getByRole("button", { name: "Deliver" }));
    const delivered = await panel("Your work is delivered");
    expect(delivered.queryByText("All done.")).toBeNull();
    arrive();
    await delivered.findByText("With the logo.");
  });

  it("When only the response is lost and the client asks for changes, then the next delivery is not taken for that one", async () => {
    const deliver = async (past: TimelineEntry[]) => {
      const { user, world, writes } = showing(HIRED, "awarded", past);
      world.refuse = offlineProblem();
      const form = await panel("Deliver your work");
      if (past.length === 0) await user.type(form.getByLabelText("Note"), "All done.");
      await user.click(form.getByRole("button", { name: "Deliver" }));
      await form.findByText(/We can't reach Tasklane/);
      cleanup();
      return writes()[0]?.headers?.["Idempotency-Key"];
    };
    const first = await deliver([]);
    // Whoever was not here in between finds what they sent, and may send it once more.
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await deliver([WORK, MISSING])).not.toBe(first);
    showing(HIRED, "delivered", ROUND);
    await panel("Your work is delivered");
    cleanup();
    showing(HIRED, "awarded", [...ROUND, step("changes-requested", { by: "client", reason: "Larger." })]);
    expect((await panel("Deliver your work")).getByLabelText("Note")).toHaveValue("");
  });

  it("When the client has days left, then it says until when; when they are over, the freelancer completes it and reviews", async () => {
    showing(HIRED, "delivered", [WORK], { mayCompleteFrom: noonOf("2099-03-15") });
    const waiting = await panel("Your work is delivered");
    expect(await waiting.findByText("Mar 15, 2099")).toBeVisible();
    expect(waiting.queryByRole("button", { name: "Mark as completed" })).toBeNull();
    cleanup();
    const over = { mayCompleteFrom: noonOf("2026-03-15") };
    const { user, writes } = showing(HIRED, "delivered", [WORK], over);
    await user.click(await screen.findByRole("button", { name: "Mark as completed" }, PATIENT));
    await user.click(await screen.findByRole("button", { name: "Yes, it is completed" }));
    await waitFor(() => expect(screen.getByRole("heading", { name: /How was it with/ })).toHaveFocus());
    expect(writes()).toMatchObject([{ method: "POST", path: `/tasks/${ID}/completion` }]);
  });

  it("When the client's last day has come, then the sentence names it by its date", async () => {
    vi.setSystemTime(new Date("2026-03-15T08:00:00"));
    showing(HIRED, "delivered", [WORK], { mayCompleteFrom: noonOf("2026-03-15") });
    const waiting = await panel("Your work is delivered");
    expect(await waiting.findByText("Mar 15, 2026")).toBeVisible();
  });

  it("When the client has left, then that is said in place of their silence", async () => {
    const { contact: _, ...alone } = HIRED;
    const { user, world } = showing(alone, "delivered", [WORK], { mayCompleteFrom: noonOf("2026-03-15") });
    world.task.otherSideLeft = true;
    const gone = await panel("Your work is delivered");
    expect(await gone.findByText(/Your client has deleted their account/)).toBeVisible();
    expect(gone.queryByText(/not reacted/)).toBeNull();
    await user.click(gone.getByRole("button", { name: "Mark as completed" }));
    expect(await screen.findByRole("dialog")).toHaveTextContent("Your client has deleted their account.");
  });
});

describe("the client", () => {
  it("When work was delivered, then it is shown with plain links, and sent back only with a reason", async () => {
    const { user, writes } = showing(CLIENT, "delivered", [WORK]);
    const work = await panel("The work is delivered");
    expect(await work.findByText("All done.")).toBeVisible();
    const link = work.getByRole("link", { name: /^https:\/\/files.example\/work.zip/ });
    expect(link).toHaveAttribute("rel", "nofollow ugc noopener noreferrer");
    await user.click(work.getByRole("button", { name: "Ask for changes" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Ask for changes" }));
    await user.click(dialog.getByRole("button", { name: "Ask for changes" }));
    await dialog.findByText("Reason is required.");
    await user.type(dialog.getByLabelText("What is missing?"), "The logo is missing.");
    await user.click(dialog.getByRole("button", { name: "Ask for changes" }));
    expect(await (await panel("Changes asked for")).findByText("The logo is missing.")).toBeVisible();
    expect(writes()).toMatchObject([
      { path: `/tasks/${ID}/changes`, body: { reason: "The logo is missing." } },
    ]);
  });

  it("When only the response is lost and the work is delivered again, then the next request is not taken for that one", async () => {
    const ask = async (past: TimelineEntry[], type: boolean) => {
      const { user, world, writes } = showing(CLIENT, "delivered", past);
      world.refuse = offlineProblem();
      await user.click(
        (await panel("The work is delivered")).getByRole("button", { name: "Ask for changes" }),
      );
      const dialog = within(await screen.findByRole("dialog", { name: "Ask for changes" }));
      if (type) await user.type(dialog.getByLabelText("What is missing?"), "The logo.");
      await user.click(dialog.getByRole("button", { name: "Ask for changes" }));
      await dialog.findByText(/We can't reach Tasklane/);
      cleanup();
      return writes()[0]?.headers?.["Idempotency-Key"];
    };
    const first = await ask([WORK], true);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await ask(ROUND, false)).not.toBe(first);
  });

  it("When only the response is lost and changes are asked for all the same, then the next round's form is empty", async () => {
    const reasonIn = async (past: TimelineEntry[]) => {
      const page = showing(CLIENT, "delivered", past);
      page.world.refuse = offlineProblem();
      const work = await panel("The work is delivered");
      await page.user.click(work.getByRole("button", { name: "Ask for changes" }));
      return { user: page.user, reason: await screen.findByLabelText("What is missing?") };
    };
    const { user, reason } = await reasonIn([WORK]);
    await user.type(reason, "The logo.");
    cleanup();
    showing(CLIENT, "awarded", [WORK, MISSING]);
    await panel("Changes asked for");
    cleanup();
    expect((await reasonIn(ROUND)).reason).toHaveValue("");
  });

  it("When the work is accepted, then as the one that was seen; if it changed meanwhile, that is said", async () => {
    const { user, writes, world } = showing(CLIENT, "delivered", [WORK]);
    world.refuse = new ApiProblem("changed-meanwhile", 412, "This task was changed in the meantime.");
    // There is one way to accept it, beside the work.
    const accept = async () => {
      await user.click(await screen.findByRole("button", { name: "Mark as completed" }, PATIENT));
      await user.click(await screen.findByRole("button", { name: "Yes, it is completed" }));
    };
    await screen.findByRole("button", { name: "Mark as completed" }, PATIENT);
    let read = () => {};
    world.reading = new Promise((resolve) => {
      read = resolve;
    });
    await accept();
    await screen.findByText(/was not changed\. This task was changed in the meantime/);
    world.refuse = undefined;
    // The page is still being read again.
    await accept();
    await waitFor(() => expect(writes()).toHaveLength(2));
    read();
    await screen.findByText("Completed", { selector: ".badge" });
    expect(writes().map(({ headers }) => headers)).toMatchObject([
      { "If-Match": '"3"' },
      { "If-Match": '"3"' },
    ]);
  });
});

describe("the timeline", () => {
  const words = async () =>
    within(await screen.findByRole("region", { name: "Timeline" }, PATIENT))
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent?.replace(/Mar 1, 2026.*/, ""));

  it("When a task has gone through a round of changes, then every step stands there, oldest first", async () => {
    showing(CLIENT, "completed", [WORK, MISSING, step("delivered", { note: "Again." }), step("completed")]);
    const listed = (await words()).filter((text) => text && !text.startsWith("https"));
    expect(listed).toEqual([
      "Posted",
      "Awarded",
      "Work delivered",
      "Changes asked for",
      "Work delivered",
      "Completed",
    ]);
  });

  it("When nobody was ever hired, then it is not asked for; strangers have no panel", async () => {
    const { api } = showing(STRANGER, "open", []);
    await screen.findByRole("heading", { name: "A fox", level: 1 }, PATIENT);
    expect(api.calls.some(({ path }) => path.endsWith("/timeline"))).toBe(false);
    expect(screen.queryByRole("region", { name: "Timeline" })).toBeNull();
    cleanup();
    showing(STRANGER, "awarded", []);
    expect(await words()).toEqual(["Posted", "Awarded"]);
    expect(screen.queryByRole("region", { name: /deliver/i })).toBeNull();
  });

  it("When it cannot be read, then that is said, and trying again brings it", async () => {
    const { user, api } = showing(HIRED, "completed", [WORK]);
    const call = api.call.bind(api);
    cleanup();
    api.call = (path, options) =>
      path.endsWith("/timeline")
        ? Promise.reject(new ApiProblem("internal", 500, "Oops"))
        : call(path, options);
    renderApp(`/taskdetails/${ID}`, { api, gateway: createFakeAuthGateway(aPerson()) });
    const timeline = await panel("Timeline");
    await timeline.findByText(/could not be loaded/);
    // A slow one: the button says that something happens, and keeps the focus.
    let answer = () => {};
    const wait = new Promise<void>((resolve) => {
      answer = resolve;
    });
    api.call = (path, options) =>
      path.endsWith("/timeline") ? wait.then(() => call(path, options)) : call(path, options);
    await user.click(timeline.getByRole("button", { name: "Try again" }));
    expect(await timeline.findByRole("button", { name: "Trying…" })).toHaveFocus();
    answer();
    await waitFor(async () => expect(await words()).toContain("Work delivered"));
  });
});

import type { Task, Timeline, TimelineEntry } from "@tasklane/server/contract";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask, noonOf } from "../../testing/builders.ts";
import { createFakeApi, deferred } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const SLOW = { timeout: 15_000 };
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

/** Opens the task's page as `viewer`. Writes change the fake server's task as the real one would. */
function openTask(viewer: Task["viewer"], state: Task["state"], past: TimelineEntry[], more: object = {}) {
  const server = {
    task: aTask({ _id: ID, title: "A fox", state, viewer, version: 3 }),
    timeline: { entries: [step("posted"), step("awarded"), ...past], ...more } as Timeline,
    refuse: undefined as Error | undefined,
    reading: undefined as Promise<void> | undefined,
    readingTimeline: undefined as Promise<void> | undefined,
    failTimeline: undefined as Error | undefined,
  };
  const moveOn = (next: Task["state"], entry: TimelineEntry) => {
    const reviewDue = next === "completed";
    server.task = { ...server.task, state: next, reviewDue, version: server.task.version + 1 };
    server.timeline = { entries: [...server.timeline.entries, entry] };
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (method === "GET") await server.reading;
    if (path.endsWith("/timeline")) await server.readingTimeline;
    if (path.endsWith("/timeline") && server.failTimeline) throw server.failTimeline;
    if (method === "GET") return { data: path.endsWith("/timeline") ? server.timeline : server.task };
    if (server.refuse) throw server.refuse;
    if (path.endsWith("/deliveries")) moveOn("delivered", step("delivered", body as object));
    else if (path.endsWith("/changes")) moveOn("awarded", step("changes-requested", body as object));
    else moveOn("completed", step("completed"));
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const app = renderApp(`/taskdetails/${ID}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  const writes = () => api.calls.filter(({ method }) => method !== "GET");
  return { server, api, writes, ...app };
}

const panel = async (name: string) => within(await screen.findByRole("region", { name }, SLOW));

describe("the hired freelancer", () => {
  it("When work is delivered, then a note is required, https:// is optional, and a failure keeps the text", async () => {
    const { user, writes, server } = openTask(HIRED, "awarded", []);
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
    server.refuse = offlineProblem();
    await user.click(form.getByRole("button", { name: "Deliver" }));
    await form.findByText(/We can't reach Tasklane/);
    expect(form.getByLabelText("Note")).toHaveValue("All done.");

    server.refuse = undefined;
    await user.click(form.getByRole("button", { name: "Deliver" }));
    const done = await panel("Your work is delivered");
    expect(await done.findByText("All done.")).toBeVisible();
    const [first, second] = writes();
    expect(second).toMatchObject({
      path: `/tasks/${ID}/deliveries`,
      body: { note: "All done.", links: ["https://files.example/a", "https://b.example/"] },
    });
    // The retry has the same idempotency key.
    expect(second?.headers).toEqual(first?.headers);
    expect(
      await screen.findByText(/Your work is delivered, and your client has been notified/),
    ).toBeVisible();
  });

  it("When the page is left before delivering, then the draft is restored beside the requested changes", async () => {
    const { user } = openTask(HIRED, "awarded", [WORK, MISSING]);
    const form = await panel("Deliver your work");
    expect(await form.findByText("The logo is missing.")).toBeVisible();
    await user.type(form.getByLabelText("Note"), "With the logo");
    cleanup();
    openTask(HIRED, "awarded", [WORK, MISSING]);
    expect((await panel("Deliver your work")).getByLabelText("Note")).toHaveValue("With the logo");
  });

  it("When work is delivered again, then the first delivery is never shown in its place", async () => {
    const { user, server } = openTask(HIRED, "awarded", [WORK, MISSING]);
    const form = await panel("Deliver your work");
    await form.findByText("The logo is missing.");
    await user.type(form.getByLabelText("Note"), "With the logo.");
    const { promise, resolve: arrive } = deferred();
    server.readingTimeline = promise;
    await user.click(form.getByRole("button", { name: "Deliver" }));
    const delivered = await panel("Your work is delivered");
    expect(delivered.queryByText("All done.")).toBeNull();
    arrive();
    await delivered.findByText("With the logo.");
  });

  it("When a delivery's response is lost and the client asks for changes, then the next delivery has a new key", async () => {
    const deliver = async (past: TimelineEntry[]) => {
      const { user, server, writes } = openTask(HIRED, "awarded", past);
      server.refuse = offlineProblem();
      const form = await panel("Deliver your work");
      if (past.length === 0) await user.type(form.getByLabelText("Note"), "All done.");
      await user.click(form.getByRole("button", { name: "Deliver" }));
      await form.findByText(/We can't reach Tasklane/);
      cleanup();
      return writes()[0]?.headers?.["Idempotency-Key"];
    };
    const first = await deliver([]);
    // Somebody who was away in between still finds their draft and can send it again.
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await deliver([WORK, MISSING])).not.toBe(first);
    openTask(HIRED, "delivered", ROUND);
    await panel("Your work is delivered");
    cleanup();
    openTask(HIRED, "awarded", [...ROUND, step("changes-requested", { by: "client", reason: "Larger." })]);
    expect((await panel("Deliver your work")).getByLabelText("Note")).toHaveValue("");
  });

  it("When the client does not respond in time, then the freelancer can complete the task and review", async () => {
    openTask(HIRED, "delivered", [WORK], { mayCompleteFrom: noonOf("2099-03-15") });
    const waiting = await panel("Your work is delivered");
    expect(await waiting.findByText("Mar 15, 2099")).toBeVisible();
    expect(waiting.queryByRole("button", { name: "Mark as completed" })).toBeNull();
    cleanup();
    const over = { mayCompleteFrom: noonOf("2026-03-15") };
    const { user, writes } = openTask(HIRED, "delivered", [WORK], over);
    await user.click(await screen.findByRole("button", { name: "Mark as completed" }, SLOW));
    await user.click(await screen.findByRole("button", { name: "Yes, it is completed" }));
    await waitFor(() => expect(screen.getByRole("heading", { name: /How was working with/ })).toHaveFocus());
    expect(writes()).toMatchObject([{ method: "POST", path: `/tasks/${ID}/completion` }]);
  });

  it("When the client's last day is today, then the note still shows the date", async () => {
    vi.setSystemTime(new Date("2026-03-15T08:00:00"));
    openTask(HIRED, "delivered", [WORK], { mayCompleteFrom: noonOf("2026-03-15") });
    const waiting = await panel("Your work is delivered");
    expect(await waiting.findByText("Mar 15, 2026")).toBeVisible();
  });

  it("When the client has deleted their account, then the note says so instead of that they did not respond", async () => {
    const { contact: _, ...alone } = HIRED;
    const { user, server } = openTask(alone, "delivered", [WORK], { mayCompleteFrom: noonOf("2026-03-15") });
    server.task.otherSideLeft = true;
    const gone = await panel("Your work is delivered");
    expect(await gone.findByText(/Your client has deleted their account/)).toBeVisible();
    expect(gone.queryByText(/not responded/)).toBeNull();
    await user.click(gone.getByRole("button", { name: "Mark as completed" }));
    expect(await screen.findByRole("dialog")).toHaveTextContent("Your client has deleted their account.");
  });
});

describe("the client", () => {
  it("When the delivery is still loading, then the buttons below it are not there yet, so that it cannot move them", async () => {
    const { promise, resolve: arrive } = deferred();
    const { server } = openTask(CLIENT, "delivered", [WORK]);
    server.readingTimeline = promise;
    const work = await panel("The work is delivered");
    expect(work.queryByRole("button")).toBeNull();
    arrive();
    await work.findByText("All done.");
    expect(work.getByRole("button", { name: "Mark as completed" })).toBeVisible();
    expect(work.getByRole("button", { name: "Ask for changes" })).toBeVisible();
  });

  it("When the timeline does not contain the delivery, then the client can still complete the task or ask for changes", async () => {
    openTask(CLIENT, "delivered", []);
    const work = await panel("The work is delivered");
    expect(await work.findByRole("button", { name: "Mark as completed" })).toBeVisible();
    expect(work.getByRole("button", { name: "Ask for changes" })).toBeVisible();
  });

  it("When the timeline does not contain the delivery and is loaded again, then an open dialog stays", async () => {
    const { user, server, api, queryClient } = openTask(CLIENT, "delivered", []);
    const work = await panel("The work is delivered");
    await user.click(await work.findByRole("button", { name: "Ask for changes" }));
    const loading = deferred();
    server.readingTimeline = loading.promise;
    const before = api.calls.length;
    const reloading = queryClient.invalidateQueries({ queryKey: ["tasks", "timeline"] });
    await waitFor(() => expect(api.calls.length).toBeGreaterThan(before));
    expect(screen.getByRole("dialog", { name: "Ask for changes" })).toBeVisible();
    loading.resolve();
    await reloading;
  });

  it("When the timeline of a new delivery failed to load and is loaded again, then an open dialog stays", async () => {
    const { user, server, api, queryClient } = openTask(CLIENT, "awarded", [WORK, MISSING]);
    await panel("Changes requested");
    server.failTimeline = new ApiProblem("internal", 500, "Oops");
    server.task = { ...server.task, state: "delivered", version: 4 };
    await act(() => queryClient.invalidateQueries());
    const work = await panel("The work is delivered");
    await work.findByText(/could not be loaded/);
    await user.click(work.getByRole("button", { name: "Ask for changes" }));
    server.failTimeline = undefined;
    const loading = deferred();
    server.readingTimeline = loading.promise;
    const before = api.calls.length;
    const reloading = queryClient.invalidateQueries({ queryKey: ["tasks", "timeline"] });
    await waitFor(() => expect(api.calls.length).toBeGreaterThan(before));
    expect(screen.getByRole("dialog", { name: "Ask for changes" })).toBeVisible();
    loading.resolve();
    await act(() => reloading);
  });

  it("When the timeline of a later delivery failed to load, then an earlier one is not shown while it is loaded again", async () => {
    const { user, server, queryClient } = openTask(CLIENT, "delivered", [WORK]);
    const work = await panel("The work is delivered");
    await work.findByText("All done.");
    server.failTimeline = new ApiProblem("internal", 500, "Oops");
    server.task = { ...server.task, version: server.task.version + 2 };
    server.timeline = { entries: ROUND };
    await act(() => queryClient.invalidateQueries());
    await work.findByText(/could not be loaded/);
    const loading = deferred();
    server.readingTimeline = loading.promise;
    server.failTimeline = undefined;
    await user.click(work.getByRole("button", { name: "Try again" }));
    await work.findByText("Trying…");
    expect(work.queryByText("All done.")).toBeNull();
    loading.resolve();
    await work.findByText("With the logo.");
  });

  it("When work was delivered, then it is shown with plain links, and asking for changes requires a reason", async () => {
    const { user, writes } = openTask(CLIENT, "delivered", [WORK]);
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
    expect(await (await panel("Changes requested")).findByText("The logo is missing.")).toBeVisible();
    expect(writes()).toMatchObject([
      { path: `/tasks/${ID}/changes`, body: { reason: "The logo is missing." } },
    ]);
  });

  it("When a change request's response is lost and work is delivered again, then the next request has a new key", async () => {
    const ask = async (past: TimelineEntry[], type: boolean) => {
      const { user, server, writes } = openTask(CLIENT, "delivered", past);
      server.refuse = offlineProblem();
      await user.click(
        await (await panel("The work is delivered")).findByRole("button", { name: "Ask for changes" }),
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

  it("When changes were requested although the response was lost, then the next round's form is empty", async () => {
    const reasonIn = async (past: TimelineEntry[]) => {
      const page = openTask(CLIENT, "delivered", past);
      page.server.refuse = offlineProblem();
      const work = await panel("The work is delivered");
      await page.user.click(await work.findByRole("button", { name: "Ask for changes" }));
      return { user: page.user, reason: await screen.findByLabelText("What is missing?") };
    };
    const { user, reason } = await reasonIn([WORK]);
    await user.type(reason, "The logo.");
    cleanup();
    openTask(CLIENT, "awarded", [WORK, MISSING]);
    await panel("Changes requested");
    cleanup();
    expect((await reasonIn(ROUND)).reason).toHaveValue("");
  });

  it("When work is accepted, then the version on the page is sent, and a conflict is reported", async () => {
    const { user, writes, server } = openTask(CLIENT, "delivered", [WORK]);
    server.refuse = new ApiProblem("changed-meanwhile", 412, "This task was changed in the meantime.");
    // `findByRole` also asserts that there is only one such button.
    const accept = async () => {
      await user.click(await screen.findByRole("button", { name: "Mark as completed" }, SLOW));
      await user.click(await screen.findByRole("button", { name: "Yes, it is completed" }));
    };
    await screen.findByRole("button", { name: "Mark as completed" }, SLOW);
    const { promise, resolve: read } = deferred();
    server.reading = promise;
    await accept();
    await screen.findByText(/was not changed\. This task was changed in the meantime/);
    server.refuse = undefined;
    // The page is still reloading.
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
    within(await screen.findByRole("region", { name: "Timeline" }, SLOW))
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent?.replace(/Mar 1, 2026.*/, ""));

  it("When changes were requested, then every step is listed, oldest first", async () => {
    openTask(CLIENT, "completed", [WORK, MISSING, step("delivered", { note: "Again." }), step("completed")]);
    const listed = (await words()).filter((text) => text && !text.startsWith("https"));
    expect(listed).toEqual([
      "Posted",
      "Awarded",
      "Work delivered",
      "Changes requested",
      "Work delivered",
      "Completed",
    ]);
  });

  it("When nobody was ever hired, then the timeline is not fetched, and other freelancers see no delivery panel", async () => {
    const { api } = openTask(STRANGER, "open", []);
    await screen.findByRole("heading", { name: "A fox", level: 1 }, SLOW);
    expect(api.calls.some(({ path }) => path.endsWith("/timeline"))).toBe(false);
    expect(screen.queryByRole("region", { name: "Timeline" })).toBeNull();
    cleanup();
    openTask(STRANGER, "awarded", []);
    expect(await words()).toEqual(["Posted", "Awarded"]);
    expect(screen.queryByRole("region", { name: /deliver/i })).toBeNull();
  });

  it("When the timeline fails to load, then an error is shown, and trying again loads it", async () => {
    const { user, api } = openTask(HIRED, "completed", [WORK]);
    const call = api.call.bind(api);
    cleanup();
    api.call = (endpoint, options) =>
      endpoint.endsWith("/timeline")
        ? Promise.reject(new ApiProblem("internal", 500, "Oops"))
        : call(endpoint, options);
    renderApp(`/taskdetails/${ID}`, { api, gateway: createFakeAuthGateway(aPerson()) });
    const timeline = await panel("Timeline");
    await timeline.findByText(/could not be loaded/);
    // While the retry is pending, the button says so and keeps the focus.
    const { promise: wait, resolve: respond } = deferred();
    api.call = (endpoint, options) =>
      endpoint.endsWith("/timeline") ? wait.then(() => call(endpoint, options)) : call(endpoint, options);
    await user.click(timeline.getByRole("button", { name: "Try again" }));
    expect(await timeline.findByRole("button", { name: "Trying…" })).toHaveFocus();
    respond();
    await waitFor(async () => expect(await words()).toContain("Work delivered"));
  });
});

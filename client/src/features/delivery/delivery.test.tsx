import type { Task, Timeline, TimelineEntry } from "@tasklane/server/contract";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import {
  aStoredTask,
  FREELANCER,
  HIRED_BY,
  HIRER,
  ID,
  noonOf,
  CLIENT as OWNER,
} from "../../testing/builders.ts";
import { findDialog, findRegion } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";

const [CLIENT, HIRED] = [HIRER, HIRED_BY];
const TIMELINE = "GET /tasks/:id/timeline";
const OOPS = new ApiProblem("internal", 500, "Oops");

let steps = 0;
const step = (kind: TimelineEntry["kind"], more: Partial<TimelineEntry> = {}): TimelineEntry => {
  steps += 1;
  return { _id: String(steps).padStart(24, "0"), kind, at: noonOf("2026-03-01"), ...more };
};
const WORK = step("delivered", {
  ...{ by: "freelancer", note: "All done.", links: ["https://files.example/work.zip"] },
});
const MISSING = step("changes-requested", { by: "client", reason: "The logo is missing." });
const ROUND = [WORK, MISSING, step("delivered", { by: "freelancer", note: "With the logo." })];

/** Opens the task's page as `viewer`. Writes change the fake server's task as the real one would. */
function openTask(viewer: Task["viewer"], state: Task["state"], past: TimelineEntry[], more: object = {}) {
  const world = Object.assign(aStoredTask({ state, viewer }), {
    timeline: { entries: [step("posted"), step("awarded"), ...past], ...more } as Timeline,
  });
  const moveOn = (next: Task["state"], entry: TimelineEntry) => {
    world.change({ state: next, reviewDue: next === "completed" });
    world.timeline = { entries: [...world.timeline.entries, entry] };
  };
  const complete = () => moveOn("completed", step("completed"));
  const app = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": () => world.task,
    [TIMELINE]: () => world.timeline,
    "POST /tasks/:id/deliveries": ({ body }) => moveOn("delivered", step("delivered", body as object)),
    "POST /tasks/:id/changes": ({ body }) => moveOn("awarded", step("changes-requested", body as object)),
    "POST /tasks/:id/completion": complete,
    "PATCH /tasks/:id/state": complete,
  });
  return { ...app, world };
}

const keyOf = ({ writes }: ReturnType<typeof openTask>) => writes()[0]?.headers?.["Idempotency-Key"];

describe("the hired freelancer", () => {
  it("When work is delivered, then a note is required, and https:// is optional", async () => {
    const { fill, press, writes } = openTask(HIRED, "awarded", []);
    const form = await findRegion("Deliver your work");
    const deliver = () => press("Deliver", form);
    await deliver();
    await form.findByText("Note is required.");
    await fill("Note", "All done.");
    await fill("Links (optional)", "ftp://files.example/a");
    await deliver();
    await form.findByText("Each link must start with https:// and lead to a website.");
    expect(writes()).toEqual([]);
    await fill("Links (optional)", "files.example/a\n\nhttps://b.example/");
    await deliver();
    expect(await (await findRegion("Your work is delivered")).findByText("All done.")).toBeVisible();
    const links = ["https://files.example/a", "https://b.example/"];
    expect(writes()).toMatchObject([{ path: `/tasks/${ID}/deliveries`, body: { note: "All done.", links } }]);
    await screen.findByText(/Your work is delivered, and your client has been notified/);
  });

  it("When something else has happened since the delivery, then it is still shown, and can be completed without a response", async () => {
    const others = [step("change-proposed"), step("payment-missing", { note: "Nothing yet." })];
    const past = { mayCompleteFrom: noonOf("2026-03-15") };
    openTask(HIRED, "delivered", [WORK, ...others], past);
    const panel = await findRegion("Your work is delivered");
    expect(await panel.findByText("All done.")).toBeVisible();
    const timeline = await findRegion("Timeline");
    expect(timeline.queryByText("All done.")).toBeNull();
    expect(timeline.getByText("Nothing yet.")).toBeVisible();
    expect(panel.getByRole("button", { name: "Mark as completed" })).toBeVisible();
  });

  it("When work is delivered again, then the first delivery is never shown in its place", async () => {
    const { fill, press, server } = openTask(HIRED, "awarded", [WORK, MISSING]);
    const form = await findRegion("Deliver your work");
    await form.findByText("The logo is missing.");
    await fill("Note", "With the logo.", form);
    const arrive = server.hold(TIMELINE);
    await press("Deliver", form);
    const delivered = await findRegion("Your work is delivered");
    expect(delivered.queryByText("All done.")).toBeNull();
    arrive();
    await delivered.findByText("With the logo.");
  });

  it("When an earlier delivery is forgotten a minute later, then the form for the next one stays as it is", async () => {
    const { fill, press, queryClient, world, reload } = openTask(HIRED, "awarded", []);
    const form = () => findRegion("Deliver your work");
    const cache = queryClient.getMutationCache();
    const sent = [];
    for (const note of ["All done.", "With the logo."]) {
      await fill("Note", note, await form());
      await press("Deliver", await form());
      await findRegion("Your work is delivered");
      sent.push(cache.getAll().at(-1));
      world.change({ state: "awarded" });
      await reload();
    }
    const note = (await form()).getByLabelText("Note");
    expect(note).toHaveValue("");
    const [first] = sent;
    act(() => first && cache.remove(first));
    await reload();
    expect(note).toHaveValue("");
  });

  it("When the client does not respond in time, then the freelancer can complete the task and review", async () => {
    vi.setSystemTime(new Date("2026-03-15T08:00:00"));
    openTask(HIRED, "delivered", [WORK], { mayCompleteFrom: noonOf("2026-03-15") });
    const waiting = await findRegion("Your work is delivered");
    expect(await waiting.findByText("Mar 15, 2026")).toBeVisible();
    expect(waiting.queryByRole("button", { name: "Mark as completed" })).toBeNull();
    cleanup();
    const over = { mayCompleteFrom: noonOf("2026-03-14") };
    const { press, writes } = openTask(HIRED, "delivered", [WORK], over);
    await press("Mark as completed");
    await press("Yes, it is completed");
    await waitFor(() => expect(screen.getByRole("heading", { name: /How was working with/ })).toHaveFocus());
    expect(writes()).toMatchObject([{ method: "POST", path: `/tasks/${ID}/completion` }]);
  });

  it("When the client has deleted their account, then the note says so instead of that they did not respond", async () => {
    const { press, world } = openTask(HIRED, "delivered", [WORK], {
      mayCompleteFrom: noonOf("2026-03-15"),
    });
    world.task.otherSideLeft = true;
    const gone = await findRegion("Your work is delivered");
    await gone.findByText(/Your client has deleted their account/);
    expect(gone.queryByText(/not responded/)).toBeNull();
    await press("Mark as completed", gone);
    expect(await screen.findByRole("dialog")).toHaveTextContent("Your client has deleted their account.");
  });
});

describe("the client", () => {
  const buttons = (work: Awaited<ReturnType<typeof findRegion>>) =>
    work.queryAllByRole("button").map(({ textContent }) => textContent);

  it("When the delivery is still loading, then the buttons below it are not there yet, so that it cannot move them", async () => {
    const { server } = openTask(OWNER, "delivered", [WORK]);
    const arrive = server.hold(TIMELINE);
    const work = await findRegion("The work is delivered");
    expect(buttons(work)).toEqual([]);
    arrive();
    await work.findByText("All done.");
    expect(work.getByText(/delivered/, { selector: "p" })).toHaveTextContent(/^The freelancer delivered/);
    const link = work.getByRole("link", { name: /^https:\/\/files.example\/work.zip/ });
    expect(link).toHaveAttribute("rel", "nofollow ugc noopener noreferrer");
    expect(buttons(work)).toEqual(["Mark as completed", "Ask for changes"]);
  });

  it.each([
    ["failed to load", OOPS],
    ["does not contain it", undefined],
  ])(
    "When the timeline of a new delivery %s, then it can be accepted or sent back, in a dialog that stays while it is loaded again",
    async (_, failure) => {
      const { press, world, server, queryClient, reload } = openTask(CLIENT, "awarded", []);
      await screen.findByRole("region", { name: "Timeline" });
      server.fails[TIMELINE] = failure;
      world.change({ state: "delivered" });
      await reload();
      const work = await findRegion("The work is delivered");
      if (failure) await work.findByText(/could not be loaded/);
      await work.findByRole("button", { name: "Mark as completed" });
      await press("Ask for changes", work);
      server.fails[TIMELINE] = undefined;
      const arrive = server.hold(TIMELINE);
      const before = server.calls.length;
      const reloading = queryClient.invalidateQueries({ queryKey: ["tasks", "timeline"] });
      await waitFor(() => expect(server.calls.length).toBeGreaterThan(before));
      expect(screen.getByRole("dialog", { name: "Ask for changes" })).toBeVisible();
      arrive();
      await act(() => reloading);
    },
  );

  it("When the timeline of a later delivery failed to load, then an earlier one is not shown while it is loaded again", async () => {
    const { press, world, server, reload } = openTask(CLIENT, "delivered", [WORK]);
    const work = await findRegion("The work is delivered");
    await work.findByText("All done.");
    server.fails[TIMELINE] = OOPS;
    world.change();
    world.change();
    world.timeline = { entries: ROUND };
    await reload();
    await work.findByText(/could not be loaded/);
    const arrive = server.hold(TIMELINE);
    server.fails[TIMELINE] = undefined;
    await press("Try again", work);
    await work.findByText("Trying…");
    expect(work.queryByText("All done.")).toBeNull();
    arrive();
    await work.findByText("With the logo.");
  });

  it("When work is accepted, then the version on the page is sent, and a conflict is reported", async () => {
    const { press, writes, server } = openTask(CLIENT, "delivered", [WORK]);
    server.fails.writes = new ApiProblem("changed-meanwhile", 412, "This task was changed in the meantime.");
    // `findByRole` also asserts that there is only one such button.
    const accept = async () => {
      await press("Mark as completed");
      await press("Yes, it is completed");
    };
    await screen.findByRole("button", { name: "Mark as completed" });
    const read = server.hold("reads");
    await accept();
    await screen.findByText(/was not changed\. This task was changed in the meantime/);
    server.fails.writes = undefined;
    // The page is still reloading.
    await accept();
    await waitFor(() => expect(writes()).toHaveLength(2));
    read();
    await screen.findByText("Completed", { selector: ".badge" });
    expect(writes().map(({ headers }) => headers?.["If-Match"])).toEqual(['"3"', '"3"']);
  });
});

it.each([
  ["delivery", HIRED, "awarded", "Note", "Deliver", 0],
  ["change request", CLIENT, "delivered", "What is missing?", "Ask for changes", 1],
] as const)(
  "When the response to a %s is lost, then the next round has its draft, with a new key; once it has arrived, the round after that begins empty",
  async (_, viewer, state, label, button, start) => {
    const again = [step("changes-requested", { reason: "Larger." }), step("delivered", { note: "Done." })];
    const pastUntil = (at: number) => [...ROUND, ...again].slice(0, start + at);
    const openForm = async ({ press }: ReturnType<typeof openTask>) => {
      if (viewer === HIRED) return findRegion("Deliver your work");
      await press(button, await findRegion("The work is delivered"));
      return findDialog(button);
    };
    /** Opens the form, and sends it with this text, or the draft. */
    const send = async (past: TimelineEntry[], text?: string) => {
      const app = openTask(viewer, state, past);
      app.server.fails.writes = offlineProblem();
      const form = await openForm(app);
      const draft = form.getByLabelText<HTMLTextAreaElement>(label).value;
      if (text) await app.fill(label, text, form);
      if (text || draft) {
        await app.press(button, form);
        await form.findByText(/We can't reach Tasklane/);
      }
      cleanup();
      return { draft, key: keyOf(app) };
    };
    const { key } = await send(pastUntil(0), "All done.");
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    const next = await send(pastUntil(2));
    expect(next.draft).toBe("All done.");
    expect(next.key).not.toBe(key);
    openTask(viewer, state === "awarded" ? "delivered" : "awarded", pastUntil(3));
    await findRegion(/^(Your work is delivered|Changes requested)$/);
    cleanup();
    expect((await send(pastUntil(4))).draft).toBe("");
  },
);

describe("the timeline", () => {
  const words = async () =>
    (await findRegion("Timeline"))
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent?.replace(/Mar 1, 2026.*/, ""));

  it("When changes were requested, then every step is listed, oldest first", async () => {
    openTask(CLIENT, "completed", [WORK, MISSING, step("delivered", { note: "Again." }), step("completed")]);
    const listed = (await words()).filter((text) => text && !text.startsWith("https"));
    const round = ["Work delivered", "Changes requested", "Work delivered"];
    expect(listed).toEqual(["Posted", "Awarded", ...round, "Completed"]);
  });

  it("When nobody was ever hired, then the timeline is not fetched, and other freelancers see no delivery panel", async () => {
    const { asked } = openTask(FREELANCER, "open", []);
    await screen.findByRole("heading", { name: "A fox", level: 1 });
    expect(asked(TIMELINE)).toEqual([]);
    expect(screen.queryByRole("region", { name: "Timeline" })).toBeNull();
    cleanup();
    openTask(FREELANCER, "awarded", []);
    expect(await words()).toEqual(["Posted", "Awarded"]);
    expect(screen.queryByRole("region", { name: /deliver/i })).toBeNull();
  });

  it("When the task was reopened after a hire, then whoever was hired still reads what happened", async () => {
    openTask({ ...FREELANCER, hasBid: true }, "open", [WORK, step("cancelled"), step("reopened")]);
    expect(await words()).toEqual(
      expect.arrayContaining(["Awarded", "Work delivered", "Cancelled", "Reopened"]),
    );
  });
});

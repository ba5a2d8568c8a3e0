import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { liveTasks } from "../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import {
  aPerson,
  aProfile,
  aTask,
  aTaskEvent,
  CLIENT,
  FREELANCER,
  HIRER,
  ID,
  noonOf,
} from "../../testing/builders.ts";
import { type Call, pageOfItems } from "../../testing/fake-api.ts";
import { findRegion } from "../../testing/find.ts";
import { type Handlers, openApp } from "../../testing/open-app.tsx";

const profile = aProfile();
const review = (id: string, author: { id?: string; name: string }) => ({
  _id: id,
  taskTitle: "Logo",
  role: "client",
  author,
  stars: 4,
  text: `Review ${id}`,
  createdAt: "2026-03-06T10:00:00.000Z",
});

/** Opens the profile for a visitor. */
const openProfile = (shown: object, handlers: Handlers = {}) =>
  openApp("/people/p1", { "GET /profiles/:id": shown, ...handlers }, { person: null });

describe("profile", () => {
  it("When a visitor opens a profile, then it shows the figures and reviews, and more reviews on demand", async () => {
    const reviews = [review("1", { id: "p2", name: "Clara" }), review("2", { name: "Former member" })];
    const { press } = openProfile(profile, {
      "GET /tasks": ({ query }) => (query["client"] === "p1" ? [aTask({ title: "A fox" })] : []),
      "GET /profiles/:id/reviews": (call) => pageOfItems(reviews, call, 1),
    });
    await screen.findByRole("heading", { name: "Jonas Lind", level: 1 });
    await waitFor(() => expect(document.title).toBe("Jonas Lind | Tasklane"));
    expect(screen.getByText("March 2026")).toBeVisible();
    expect(screen.getByText("50%")).toBeVisible();
    expect(screen.getByText("12 reviews")).toBeVisible();
    expect(screen.getByRole("region", { name: "Open tasks" })).toHaveTextContent("A fox");
    expect(screen.getByRole("link", { name: "Clara" })).toHaveAttribute("href", "/people/p2");
    await press("Load more reviews");
    expect(await screen.findByText("Review 2")).toBeVisible();
    // A deleted account has no profile to link to.
    expect(screen.queryByRole("link", { name: "Former member" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Load more reviews" })).toBeNull();
  });

  it.each([true, undefined])(
    "When a profile's `unlisted` is %s, then the page tells search engines whether to index it",
    async (unlisted) => {
      const { lastActiveOn, ...others } = profile;
      const shown = unlisted ? { ...others, unlisted } : { ...others, lastActiveOn };
      openProfile(shown);
      await screen.findByRole("heading", { name: "Jonas Lind", level: 1 });
      const robots = () => document.head.querySelector('meta[name="robots"]')?.getAttribute("content");
      await waitFor(() => expect(robots()).toBe(unlisted && "noindex"));
    },
  );

  it("When reloading the reviews fails, then an error is shown, and the focus does not move", async () => {
    const reviews = [review("1", { id: "p2", name: "Clara" })];
    const { queryClient, server } = openProfile(profile, { "GET /profiles/:id/reviews": reviews });
    const author = await screen.findByRole("link", { name: "Clara" });
    author.focus();
    server.fails.reads = offlineProblem();
    await act(() => queryClient.invalidateQueries({ queryKey: ["people", "p1", "reviews"] }));
    await screen.findByText(/We can't reach Tasklane/, { selector: "[role=alert] *" });
    expect(author).toHaveFocus();
  });

  it("When a profile has a text and links, then everybody sees them, as plain text and plain links", async () => {
    openProfile({
      ...profile,
      headline: "<b>Boats</b>",
      about: "Built 40.\nNone sank.",
      skills: ["Joinery", "C++"],
      links: ["https://boats.example/", "https://xn--bcher-kva.example/a"],
      languages: ["de", "yue"],
    });
    expect(await screen.findByText("<b>Boats</b>")).toBeVisible();
    const about = await findRegion("About");
    expect(about.getByText(/Built 40/).textContent).toBe("Built 40.\nNone sank.");
    for (const text of ["Joinery", "C++", "German", "Cantonese"]) expect(about.getByText(text)).toBeVisible();
    const link = about.getByRole("link", { name: /^xn--bcher-kva.example\/a/ });
    expect(link).toHaveAttribute("href", "https://xn--bcher-kva.example/a");
    for (const word of ["nofollow", "ugc", "noopener", "noreferrer"])
      expect(link.getAttribute("rel")?.split(" ")).toContain(word);
    expect(about.queryByRole("link", { name: "Edit profile" })).toBeNull();
    const description = () => document.querySelector('meta[name="description"]');
    await waitFor(() =>
      expect(description()).toHaveAttribute("content", "<b>Boats</b> · Built 40. None sank."),
    );
  });

  it("When a profile is empty, then others see no About section, and its owner sees how to edit it", async () => {
    openProfile(profile);
    await screen.findByRole("heading", { name: "Jonas Lind" });
    expect(screen.queryByRole("region", { name: "About" })).toBeNull();
    cleanup();
    openApp("/people/p1", { "GET /profiles/:id": profile }, { person: aPerson({ uid: "p1" }) });
    const edit = await screen.findByRole("link", { name: "Edit profile" });
    expect(edit).toHaveAttribute("href", "/dash/settings");
  });

  it("When a profile does not exist, then the page says so", async () => {
    openProfile(() => {
      throw new ApiProblem("person-not-found", 404, "This profile does not exist.");
    });
    await screen.findByRole("heading", { name: "Profile not found" });
  });

  it("When only operators see the profile, then one who opens its address does, too", async () => {
    const suspended = ({ auth }: Call) => {
      if (auth === "none") throw new ApiProblem("person-not-found", 404, "This profile does not exist.");
      return profile;
    };
    openApp("/people/p1", { "GET /profiles/:id": suspended }, { person: aPerson() });
    await screen.findByRole("heading", { name: "Jonas Lind" });
  });
});

describe("reviewing", () => {
  it("When publishing a review fails, then stars and text stay, even if the page is left; when it succeeds, then the review is shown as done", async () => {
    const task = aTask({ state: "completed", reviewDue: true, viewer: HIRER });
    const state = { task };
    const open = async () => {
      const app = openApp(`/taskdetails/${task._id}`, {
        "GET /tasks/:id": () => state.task,
        "POST /tasks/:id/reviews": () => {
          state.task = { ...task, reviewDue: undefined, viewer: { ...HIRER, hasReviewed: true } };
        },
      });
      const region = await screen.findByRole("region", { name: "How was working with Jonas Lind?" });
      const panel = within(region);
      const publish = () => app.press("Publish review", panel);
      return { ...app, panel, publish };
    };
    const { user, fill, server, writes, panel, publish } = await open();

    await publish();
    expect(await panel.findByText("Choose 1 to 5 stars.")).toBeVisible();
    expect(writes()).toEqual([]);
    await user.click(panel.getByRole("radio", { name: "4 stars, Very good" }));
    await fill("Review", "Quick and kind.", panel);
    server.fails.writes = offlineProblem();
    await publish();
    await panel.findByText(/We can't reach Tasklane/);
    cleanup();
    const again = await open();
    expect(again.panel.getByLabelText("Review")).toHaveValue("Quick and kind.");
    expect(again.panel.getByRole("radio", { name: "4 stars, Very good" })).toBeChecked();
    await again.publish();
    await screen.findByRole("region", { name: "Your review" });
    // Whether it is shown already, the panel says.
    await screen.findByText("Thank you for your review.");
    expect(again.writes()).toMatchObject([
      { path: `/tasks/${task._id}/reviews`, body: { stars: 4, text: "Quick and kind." } },
    ]);
  });

  it("When a review waits for the other's, then its author sees until when, can change it for a day, and sees when it is shown", async () => {
    const written = {
      ...{ stars: 2, text: "Late.", shown: false, shownFrom: noonOf("2099-01-15") },
      editableUntil: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const state = { review: written };
    const { user, press, writes } = openApp(`/taskdetails/${ID}`, {
      "GET /tasks/:id": () =>
        aTask({ _id: ID, state: "completed", viewer: { ...HIRER, hasReviewed: true, ...state } }),
      "PUT /tasks/:id/reviews": ({ body }) => {
        state.review = { ...written, ...(body as typeof written) };
      },
    });
    const panel = await findRegion("Your review");
    expect(panel.getByText(/once they have written theirs, or on Jan 15, 2099/)).toBeVisible();
    await press("Edit your review", panel);
    expect(panel.getByLabelText("Review")).toHaveValue("Late.");
    await user.click(panel.getByRole("radio", { name: "4 stars, Very good" }));
    await press("Save review", panel);
    await panel.findByRole("button", { name: "Edit your review" });
    expect(writes()).toMatchObject([{ method: "PUT", body: { stars: 4, text: "Late." } }]);
    // The other side publishes theirs.
    const tell = (bidsRevision: number) =>
      act(() => liveTasks.deliver(ID, aTaskEvent({ bidsRevision, state: "completed" })));
    tell(1);
    state.review = { ...state.review, shown: true };
    tell(2);
    await panel.findByText(/^Thank you: .*Your review is shown on/);
  });

  it("When somebody looks at their own profile, then they can reply to a review, once", async () => {
    const own = { ...review("1", { id: "p2", name: "Clara" }), reply: undefined as object | undefined };
    const { fill, press } = openApp(
      "/people/p1",
      {
        "GET /profiles/:id": profile,
        "GET /profiles/:id/reviews": () => [own],
        "PUT /me/reviews/:id/reply": ({ body }) => {
          own.reply = { ...(body as object), createdAt: "2026-03-07T10:00:00.000Z" };
        },
      },
      { person: aPerson({ uid: "p1" }) },
    );
    await press("Reply to Clara");
    await fill(/Your reply/, "Thank you, Clara.");
    await press("Publish reply");
    expect(await screen.findByText("Thank you, Clara.", { selector: "p" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Reply to Clara" })).toBeNull();
  });

  it.each([
    ["the viewer did not take part in the task", FREELANCER],
    ["the other side has left", CLIENT],
  ])("When %s, then there is no review form", async (_, reader) => {
    const task = aTask({ state: "completed", viewer: reader });
    openApp(`/taskdetails/${task._id}`, { "GET /tasks/:id": task });
    await screen.findByRole("heading", { name: task.title });
    expect(screen.queryByRole("button", { name: "Publish review" })).toBeNull();
  });
});

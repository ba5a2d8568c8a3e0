import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aMe, aPerson, aTask, ID } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { openApp } from "../../testing/open-app.tsx";
import { renderApp } from "../../testing/render-app.tsx";

// The first test also loads the pages' modules.
const SLOW = { timeout: 15_000 };

const profile = {
  id: "p1",
  name: "Jonas Lind",
  memberSince: "2026-03-05T10:00:00.000Z",
  lastActiveOn: "2026-03-06",
  tasksPosted: 4,
  tasksCompleted: 2,
  jobsCompleted: 7,
  hireRate: 0.5,
  rating: { average: 4.25, count: 12 },
  headline: "",
  about: "",
  skills: [] as string[],
  links: [] as string[],
  languages: [] as string[],
};
const review = (id: string, author: { id?: string; name: string }) => ({
  _id: id,
  taskTitle: "Logo",
  role: "client",
  author,
  stars: 4,
  text: `Review ${id}`,
  createdAt: "2026-03-06T10:00:00.000Z",
});

describe("profile", () => {
  it("When a visitor opens a profile, then it shows the figures and reviews, and more reviews on demand", async () => {
    const api = createFakeApi(({ path, query }) => {
      if (path === "/profiles/p1") return { data: profile };
      if (path === "/tasks") return { data: query["client"] === "p1" ? [aTask({ title: "A fox" })] : [] };
      if (query["cursor"]) return { data: [review("2", { name: "Former member" })] };
      const headers = { Link: '</profiles/p1/reviews?cursor=c2>; rel="next"' };
      return { data: [review("1", { id: "p2", name: "Clara" })], headers };
    });
    const { user } = renderApp("/people/p1", { api, firebase: createFakeFirebase() });
    await screen.findByRole("heading", { name: "Jonas Lind", level: 1 }, SLOW);
    await waitFor(() => expect(document.title).toBe("Jonas Lind | Tasklane"));
    expect(screen.getByText("March 2026")).toBeVisible();
    expect(screen.getByText("50%")).toBeVisible();
    expect(screen.getByText("12 reviews")).toBeVisible();
    expect(screen.getByRole("region", { name: "Open tasks" })).toHaveTextContent("A fox");
    expect(screen.getByRole("link", { name: "Clara" })).toHaveAttribute("href", "/people/p2");
    await user.click(screen.getByRole("button", { name: "Load more reviews" }));
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
      const api = createFakeApi(({ path }) => ({ data: path === "/profiles/p1" ? shown : [] }));
      renderApp("/people/p1", { api, firebase: createFakeFirebase() });
      await screen.findByRole("heading", { name: "Jonas Lind", level: 1 }, SLOW);
      const robots = () => document.head.querySelector('meta[name="robots"]')?.getAttribute("content");
      await waitFor(() => expect(robots()).toBe(unlisted && "noindex"));
    },
  );

  it("When reloading the reviews fails, then an error is shown, and the focus does not move", async () => {
    let failing = false;
    const api = createFakeApi(({ path }) => {
      if (path === "/profiles/p1") return { data: profile };
      if (path === "/tasks") return { data: [] };
      if (failing) throw offlineProblem();
      return { data: [review("1", { id: "p2", name: "Clara" })] };
    });
    const { queryClient } = renderApp("/people/p1", { api, firebase: createFakeFirebase() });
    const author = await screen.findByRole("link", { name: "Clara" }, SLOW);
    author.focus();
    failing = true;
    await act(() => queryClient.invalidateQueries({ queryKey: ["people", "p1", "reviews"] }));
    await screen.findByText(/We can't reach Tasklane/, { selector: "[role=alert] *" });
    expect(author).toHaveFocus();
  });

  it("When a profile has a text and links, then everybody sees them, as plain text and plain links", async () => {
    const written = {
      ...profile,
      headline: "<b>Boats</b>",
      about: "Built 40.\nNone sank.",
      skills: ["Joinery", "C++"],
      links: ["https://boats.example/", "https://xn--bcher-kva.example/a"],
      languages: ["de", "yue"],
    };
    const api = createFakeApi(({ path }) => ({ data: path === "/profiles/p1" ? written : [] }));
    renderApp("/people/p1", { api, firebase: createFakeFirebase() });
    expect(await screen.findByText("<b>Boats</b>", undefined, SLOW)).toBeVisible();
    const about = within(screen.getByRole("region", { name: "About" }));
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
    const api = createFakeApi(({ path }) => ({ data: path === "/profiles/p1" ? profile : [] }));
    renderApp("/people/p1", { api, firebase: createFakeFirebase() });
    await screen.findByRole("heading", { name: "Jonas Lind" }, SLOW);
    expect(screen.queryByRole("region", { name: "About" })).toBeNull();
    cleanup();
    const me = aMe({ id: "p1" });
    const own = createFakeApi(({ path }) => ({
      data: path === "/profiles/p1" ? profile : path === "/me" ? me : [],
    }));
    renderApp("/people/p1", { api: own, firebase: createFakeFirebase(aPerson({ uid: "p1" })) });
    expect(await screen.findByRole("link", { name: "Edit profile" }, SLOW)).toHaveAttribute(
      "href",
      "/dash/settings",
    );
  });

  it("When a profile does not exist, then the page says so", async () => {
    const api = createFakeApi(() => {
      throw new ApiProblem("person-not-found", 404, "This profile does not exist.");
    });
    renderApp("/people/nobody", { api, firebase: createFakeFirebase() });
    await screen.findByRole("heading", { name: "Profile not found" }, SLOW);
  });
});

describe("reviewing", () => {
  const viewer = { isOwner: true, hasBid: false, role: "client" as const, hasReviewed: false };
  const contact = { id: "p1", name: "Jonas Lind", email: "j@example.com", emailVerified: true };

  it("When publishing a review fails, then stars and text stay; when it succeeds, then the review is shown as done", async () => {
    const task = aTask({ state: "completed", reviewDue: true, viewer: { ...viewer, contact } });
    const state = { failing: true, task };
    const api = createFakeApi(({ method }) => {
      if (method === "GET") return { data: state.task };
      if (state.failing) throw offlineProblem();
      state.task = { ...task, reviewDue: undefined, viewer: { ...viewer, contact, hasReviewed: true } };
      return { data: { acknowledged: true, insertedId: "r1" } };
    });
    const { user } = renderApp(`/taskdetails/${task._id}`, {
      api,
      firebase: createFakeFirebase(aPerson()),
    });
    const panel = within(
      await screen.findByRole("region", { name: "How was working with Jonas Lind?" }, SLOW),
    );

    await user.click(panel.getByRole("button", { name: "Publish review" }));
    expect(await panel.findByText("Choose 1 to 5 stars.")).toBeVisible();
    expect(api.calls.filter(({ method }) => method === "POST")).toEqual([]);

    await user.click(panel.getByRole("radio", { name: "4 stars, Very good" }));
    await user.type(panel.getByLabelText("Review"), "Quick and kind.");
    await user.click(panel.getByRole("button", { name: "Publish review" }));
    await panel.findByText(/We can't reach Tasklane/);
    expect(panel.getByLabelText("Review")).toHaveValue("Quick and kind.");
    expect(panel.getByRole("radio", { name: "4 stars, Very good" })).toBeChecked();

    state.failing = false;
    await user.click(panel.getByRole("button", { name: "Publish review" }));
    await screen.findByRole("region", { name: "Your review" });
    expect(api.calls.findLast(({ method }) => method === "POST")).toMatchObject({
      path: `/tasks/${task._id}/reviews`,
      body: { stars: 4, text: "Quick and kind." },
    });
  });

  it("When a review waits for the other's, then its author sees until when, and can change it for a day", async () => {
    const written = {
      ...{ stars: 2, text: "Late.", shown: false, shownFrom: "2099-01-15T00:00:00.000Z" },
      editableUntil: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const state = { review: written };
    const { user, writes } = openApp(`/taskdetails/${ID}`, {
      "GET /tasks/:id": () =>
        aTask({ _id: ID, state: "completed", viewer: { ...viewer, contact, hasReviewed: true, ...state } }),
      "PUT /tasks/:id/reviews": ({ body }) => {
        state.review = { ...written, ...(body as typeof written) };
      },
    });
    const panel = within(await screen.findByRole("region", { name: "Your review" }, SLOW));
    expect(panel.getByText(/once they have written theirs, or on Jan 15, 2099/)).toBeVisible();
    await user.click(panel.getByRole("button", { name: "Edit your review" }));
    expect(panel.getByLabelText("Review")).toHaveValue("Late.");
    await user.click(panel.getByRole("radio", { name: "4 stars, Very good" }));
    await user.click(panel.getByRole("button", { name: "Save review" }));
    await panel.findByRole("button", { name: "Edit your review" });
    expect(writes()).toMatchObject([{ method: "PUT", body: { stars: 4, text: "Late." } }]);
  });

  it("When somebody looks at their own profile, then they can reply to a review, once", async () => {
    const own = { ...review("1", { id: "p2", name: "Clara" }), reply: undefined as object | undefined };
    const { user } = openApp(
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
    await user.click(await screen.findByRole("button", { name: "Reply to Clara" }, SLOW));
    await user.type(screen.getByLabelText(/Your reply/), "Thank you, Clara.");
    await user.click(screen.getByRole("button", { name: "Publish reply" }));
    expect(await screen.findByText("Thank you, Clara.", { selector: "p" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Reply to Clara" })).toBeNull();
  });

  it("When the page is left before a review is sent, then its stars and text are restored", async () => {
    const task = aTask({ state: "completed", reviewDue: true, viewer: { ...viewer, contact } });
    const api = createFakeApi(() => ({ data: task }));
    const open = () =>
      renderApp(`/taskdetails/${task._id}`, { api, firebase: createFakeFirebase(aPerson()) });
    const { user } = open();
    await user.click(await screen.findByRole("radio", { name: "4 stars, Very good" }, SLOW));
    await user.type(screen.getByLabelText("Review"), "Quick");
    cleanup();
    open();
    expect(await screen.findByRole("radio", { name: "4 stars, Very good" }, SLOW)).toBeChecked();
    expect(screen.getByLabelText("Review")).toHaveValue("Quick");
  });

  it.each([
    ["the viewer did not take part in the task", { ...viewer, isOwner: false, role: "freelancer" as const }],
    ["the other side has left", viewer],
  ])("When %s, then there is no review form", async (_, reader) => {
    const task = aTask({ state: "completed", viewer: reader });
    const api = createFakeApi(() => ({ data: task }));
    renderApp(`/taskdetails/${task._id}`, { api, firebase: createFakeFirebase(aPerson()) });
    await screen.findByRole("heading", { name: task.title }, SLOW);
    expect(screen.queryByRole("button", { name: "Publish review" })).toBeNull();
  });
});

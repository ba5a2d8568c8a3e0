import type { SavedTask } from "@tasklane/server/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiProblem, notSignedInProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi, deferred } from "../../testing/fake-api.ts";
import { createBrokenFirebase, createFakeFirebase } from "../../testing/fake-firebase.ts";
import { renderApp } from "../../testing/render-app.tsx";

// The first test also loads the pages' modules.
const SLOW = { timeout: 15_000 };
const LOGO = aTask({ title: "Logo for a bakery" });
const TASKS = [LOGO, aTask(), aTask({ title: "My own", clientId: "u1" })];

/** Renders the app with a fake server that has three tasks on Browse. Writes fail with `server.refuse`, if set. */
function setup(
  address: string,
  {
    saved = [] as string[],
    person = aPerson() as ReturnType<typeof aPerson> | null,
    firebase = createFakeFirebase(person),
  } = {},
) {
  const server = {
    saved,
    refuse: undefined as Error | undefined,
    slow: undefined as Promise<void> | undefined,
    readDelay: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path }) => {
    if (path === "/tasks") return { data: TASKS, headers: { "X-Total-Count": "3" } };
    if (path === "/me/saved/ids") {
      await server.readDelay;
      return { data: server.saved };
    }
    if (!path.startsWith("/me/saved/")) throw new Error(`unexpected ${method} ${path}`);
    await server.slow;
    if (server.refuse) throw server.refuse;
    const id = path.split("/").at(-1) ?? "";
    server.saved = server.saved.filter((one) => one !== id);
    if (method === "DELETE") return { data: { acknowledged: true, deletedCount: 1 } };
    server.saved.unshift(id);
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const app = renderApp(address, { api, firebase });
  const writes = () =>
    api.calls.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  return { ...app, api, firebase, server, writes };
}

const heart = (title = LOGO.title) => screen.findByRole("button", { name: `Save ${title}` }, SLOW);

describe("hearts on cards", () => {
  it("When Browse shows several tasks, then one request loads all hearts, and the user's own task has none", async () => {
    const { api } = setup("/browsetask", { saved: [LOGO._id] });
    await waitFor(async () => expect(await heart()).toHaveAttribute("aria-pressed", "true"), SLOW);
    expect(await heart(TASKS[1]?.title)).toHaveAttribute("aria-pressed", "false");
    expect(screen.queryByRole("button", { name: "Save My own" })).toBeNull();
    expect(api.calls.filter(({ path }) => path === "/me/saved/ids")).toHaveLength(1);
  });

  it("When a heart is pressed, then it is filled immediately without reloading the tasks; a failure reverts it", async () => {
    const { user, server, writes, api } = setup("/browsetask");
    const { promise, resolve: respond } = deferred();
    server.slow = promise;
    await user.click(await heart());
    expect(await heart()).toHaveAttribute("aria-pressed", "true");
    respond();
    await waitFor(() => expect(server.saved).toEqual([LOGO._id]));
    expect(await heart()).toHaveAttribute("aria-pressed", "true");

    server.refuse = offlineProblem();
    await user.click(await heart());
    expect(await screen.findByText(/was not removed from your saved tasks/)).toBeVisible();
    await waitFor(async () => expect(await heart()).toHaveAttribute("aria-pressed", "true"));
    expect(writes()).toEqual([`PUT /me/saved/${LOGO._id}`, `DELETE /me/saved/${LOGO._id}`]);
    expect(api.calls.filter(({ path }) => path === "/tasks")).toHaveLength(1);
  });

  it("When a heart is pressed before the saved ids have loaded, then it stays filled until they have", async () => {
    const { user, server, writes } = setup("/browsetask");
    const { promise, resolve: respond } = deferred();
    server.readDelay = promise;
    await user.click(await heart());
    await waitFor(() => expect(writes()).toHaveLength(1));
    // If the heart became empty once the task is stored, it would have done so by now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await heart()).toHaveAttribute("aria-pressed", "true");
    respond();
    await waitFor(() => expect(server.saved).toEqual([LOGO._id]));
    expect(await heart()).toHaveAttribute("aria-pressed", "true");
  });

  it("When a heart is pressed twice before the server responds, then the last state shown is the last one sent", async () => {
    const { user, server, writes } = setup("/browsetask");
    const { promise, resolve: respond } = deferred();
    server.slow = promise;
    await user.click(await heart());
    await user.click(await heart());
    expect(await heart()).toHaveAttribute("aria-pressed", "false");
    respond();
    await waitFor(() => expect(writes()).toHaveLength(2));
    await waitFor(() => expect(server.saved).toEqual([]));
    expect(await heart()).toHaveAttribute("aria-pressed", "false");
  });

  it("When the limit is reached, then the server's message is shown", async () => {
    const { user, server } = setup("/browsetask");
    server.refuse = new ApiProblem("too-many-saved", 409, "You have reached the limit of saved tasks.");
    await user.click(await heart());
    expect(
      await screen.findByText(/was not saved\. You have reached the limit of saved tasks/),
    ).toBeVisible();
    await waitFor(async () => expect(await heart()).toHaveAttribute("aria-pressed", "false"));
  });

  it("When the sign-in service is unreachable, then an error is shown instead of the login page", async () => {
    const { user, router, writes } = setup("/browsetask", { firebase: createBrokenFirebase() });
    await user.click(await heart());
    expect(await screen.findByText(/was not saved\. We can't reach the sign-in service/)).toBeVisible();
    expect([router.state.location.pathname, writes()]).toEqual(["/browsetask", []]);
  });

  it("When a visitor presses a heart twice, then going back once leaves the login page", async () => {
    const { user, router } = setup("/browsetask", { person: null });
    await user.dblClick(await heart());
    await screen.findByLabelText("Email", {}, SLOW);
    await act(() => router.navigate(-1));
    await waitFor(() => expect(router.state.location.pathname).toBe("/browsetask"));
  });

  it("When a saved task is removed after the session has ended, then an error says that it was not removed", async () => {
    const { user, server, router } = setup("/browsetask", { saved: [LOGO._id] });
    await waitFor(async () => expect(await heart()).toHaveAttribute("aria-pressed", "true"), SLOW);
    server.refuse = notSignedInProblem();
    await user.click(await heart());
    expect(await screen.findByText(/was not removed from your saved tasks/)).toBeVisible();
    expect(router.state.location.pathname).toBe("/browsetask");
  });

  it("When a visitor presses a heart, then they log in, and the task is saved after that", async () => {
    const { user, server, firebase, router } = setup("/browsetask?search=logo", { person: null });
    await firebase.createUser("fay@example.com", "Secret1");
    await firebase.signOut();
    await user.click(await heart());
    await user.type(await screen.findByLabelText("Email", {}, SLOW), "fay@example.com");
    expect(router.state.location.search).toBe("?from=%2Fbrowsetask%3Fsearch%3Dlogo");
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByText("“Logo for a bakery” is saved.", {}, SLOW)).toBeVisible();
    expect(server.saved).toEqual([LOGO._id]);
    await waitFor(() => expect(router.state.location.pathname).toBe("/browsetask"), SLOW);
    await waitFor(async () => expect(await heart()).toHaveAttribute("aria-pressed", "true"), SLOW);
  });

  it("When a heart is pressed after the session has ended, then they log in again, and the task is saved after that", async () => {
    const { user, server, firebase, router } = setup("/browsetask", { person: null });
    await firebase.createUser("fay@example.com", "Secret1");
    server.refuse = notSignedInProblem();
    await user.click(await heart());
    await user.type(await screen.findByLabelText("Email", {}, SLOW), "fay@example.com");
    server.refuse = undefined;
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.click(screen.getByRole("button", { name: "Login" }));
    expect(await screen.findByText("“Logo for a bakery” is saved.", {}, SLOW)).toBeVisible();
    expect(server.saved).toEqual([LOGO._id]);
    await waitFor(() => expect(router.state.location.pathname).toBe("/browsetask"), SLOW);
  });
});

describe("the list of saved tasks", () => {
  const ids = ["a", "b", "c"].map((letter) => letter.repeat(24));
  const savedAt = "2026-11-01T10:00:00.000Z";
  const task = {
    category: "Design",
    budget: 250,
    deadline: "2099-06-30",
    bidsCount: 2,
    name: "Clara",
    clientId: "c1",
  };
  const list: SavedTask[] = [
    { taskId: ids[0] ?? "", savedAt, title: "Logo", task: { ...task, state: "open" } },
    { taskId: ids[1] ?? "", savedAt, title: "Flyer", task: { ...task, state: "cancelled" } },
    { taskId: ids[2] ?? "", savedAt, title: "Poster", gone: "deleted" },
  ];

  function open(items: SavedTask[]) {
    const server = { items };
    const api = createFakeApi(({ method, path }) => {
      if (path === "/me/saved/ids") return { data: server.items.map(({ taskId }) => taskId) };
      if (path === "/me/saved")
        return { data: server.items, headers: { "X-Total-Count": String(server.items.length) } };
      if (method !== "DELETE") throw new Error(`unexpected ${method} ${path}`);
      server.items = server.items.filter(({ taskId }) => !path.endsWith(taskId));
      return { data: { acknowledged: true, deletedCount: 1 } };
    });
    return { ...renderApp("/dash/saved", { api, firebase: createFakeFirebase(aPerson()) }), api, server };
  }
  const row = async (title: string) => {
    const item = (await screen.findByText(title, {}, SLOW)).closest("li");
    if (!item) throw new Error(`${title} is in no row`);
    return within(item);
  };

  it("When the list is opened, then each task shows its state, and a deleted one has no link", async () => {
    open(list);
    const logo = await row("Logo");
    expect(logo.getByRole("link", { name: "Logo" })).toHaveAttribute("href", `/dash/taskdetails/${ids[0]}`);
    expect(logo.getByText("Open")).toBeVisible();
    expect((await row("Flyer")).getByText("Cancelled")).toBeVisible();
    const poster = await row("Poster");
    expect(poster.getByText("Its client has deleted this task.")).toBeVisible();
    expect(poster.queryByRole("link")).toBeNull();
    expect(screen.getByText("3 saved tasks")).toBeVisible();
  });

  it("When a task is removed, then it stays in the list until the page is left; a deleted one goes immediately", async () => {
    const { user, server } = open(list);
    const logo = await row("Logo");
    await user.click(logo.getByRole("button", { name: "Save Logo", pressed: true }));
    await waitFor(() => expect(server.items).toHaveLength(2));
    expect(logo.getByRole("button", { name: "Save Logo", pressed: false })).toBeVisible();
    expect(await screen.findByText("2 saved tasks")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Remove Poster" }));
    await waitFor(() => expect(screen.queryByText("Poster")).toBeNull());
    expect(server.items.map(({ title }) => title)).toEqual(["Flyer"]);
  });

  it("When nothing is saved, then the page says so", async () => {
    open([]);
    expect(await screen.findByRole("heading", { name: "No saved tasks yet" }, SLOW)).toBeVisible();
  });
});

describe("a long list", () => {
  it.each([
    ["loading more fails", offlineProblem()],
    ["too much was loaded", new ApiProblem("too-many-requests", 429, "Too many requests.")],
  ])("When %s, then the list stays, an error is shown, and the same link tries again", async (_, problem) => {
    const all = Array.from({ length: 30 }, (_, at) => {
      const { _id: taskId, title, ...task } = aTask({ title: `Task ${at}` });
      return { taskId, title, savedAt: "2026-11-01T10:00:00.000Z", task };
    });
    let failing = true;
    const api = createFakeApi(({ path, query }) => {
      if (path === "/me/saved/ids") return { data: all.map(({ taskId }) => taskId) };
      if (path !== "/me/saved") return { data: [] };
      if (!query["cursor"])
        return { data: all.slice(0, 20), headers: { Link: '</me/saved?cursor=20>; rel="next"' } };
      if (failing) throw problem;
      return { data: all.slice(20) };
    });
    const { user } = renderApp("/dash/saved", { api, firebase: createFakeFirebase(aPerson()) });
    await user.click(await screen.findByRole("link", { name: "Load more tasks" }, SLOW));
    await screen.findByText(problem.message, { selector: "[role=alert] *" });
    expect(screen.getByRole("link", { name: "Task 19" })).toBeVisible();
    failing = false;
    await user.click(screen.getByRole("link", { name: "Load more tasks" }));
    expect(await screen.findByRole("link", { name: "Task 29" })).toBeVisible();
    expect(screen.queryByText(problem.message, { selector: "[role=alert] *" })).toBeNull();
  });
});

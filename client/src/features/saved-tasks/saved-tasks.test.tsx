import type { SavedTask } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiProblem, notSignedInProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { pageOfItems, Reply } from "../../testing/fake-api.ts";
import { createBrokenFirebase, createFakeFirebase } from "../../testing/fake-firebase.ts";
import { openApp } from "../../testing/open-app.tsx";

const LOGO = aTask({ title: "Logo for a bakery" });
const TASKS = [LOGO, aTask(), aTask({ title: "My own", clientId: "u1" })];
const IDS = "GET /me/saved/ids";

/** Opens Browse, which has three tasks, beside a fake server that stores what is saved. */
function openBrowse({
  address = "/browsetask",
  saved = [] as string[],
  person = aPerson() as ReturnType<typeof aPerson> | null,
  firebase = createFakeFirebase(person),
} = {}) {
  const world = { saved };
  const without = (id: string | undefined) => world.saved.filter((one) => one !== id);
  const app = openApp(
    address,
    {
      "GET /tasks": new Reply(TASKS, { "X-Total-Count": "3" }),
      [IDS]: () => world.saved,
      "PUT /me/saved/:id": ({ params }) => {
        world.saved = [params["id"] ?? "", ...without(params["id"])];
      },
      "DELETE /me/saved/:id": ({ params }) => {
        world.saved = without(params["id"]);
      },
    },
    { firebase },
  );
  const heart = (title = LOGO.title) => screen.findByRole("button", { name: `Save ${title}` });
  const pressHeart = async () => app.user.click(await heart());
  const expectPressed = (pressed: boolean, title?: string) =>
    waitFor(async () => expect(await heart(title)).toHaveAttribute("aria-pressed", String(pressed)));
  return { ...app, world, heart, pressHeart, expectPressed };
}

describe("hearts on cards", () => {
  it("When Browse shows several tasks, then one request loads all hearts, and the user's own task has none", async () => {
    const { expectPressed, asked } = openBrowse({ saved: [LOGO._id] });
    await expectPressed(true);
    await expectPressed(false, TASKS[1]?.title);
    expect(screen.queryByRole("button", { name: "Save My own" })).toBeNull();
    expect(asked(IDS)).toHaveLength(1);
  });

  it("When a heart is pressed, then it is filled immediately without reloading the tasks", async () => {
    // On a busy machine the list would be old enough to be read again.
    vi.setSystemTime(new Date());
    const { server, world, writes, heart, pressHeart, expectPressed, asked } = openBrowse();
    const respond = server.hold("writes");
    await pressHeart();
    expect(await heart()).toHaveAttribute("aria-pressed", "true");
    respond();
    await waitFor(() => expect(world.saved).toEqual([LOGO._id]));
    await expectPressed(true);
    expect(writes()).toMatchObject([{ method: "PUT", path: `/me/saved/${LOGO._id}` }]);
    expect(asked("GET /tasks")).toHaveLength(1);
  });

  it("When a heart is pressed before the saved ids have loaded, then it stays filled until they have", async () => {
    const { server, world, writes, heart, pressHeart, expectPressed } = openBrowse();
    const respond = server.hold(IDS);
    await pressHeart();
    await waitFor(() => expect(writes()).toHaveLength(1));
    // If the heart became empty once the task is stored, it would have done so by now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await heart()).toHaveAttribute("aria-pressed", "true");
    respond();
    await waitFor(() => expect(world.saved).toEqual([LOGO._id]));
    await expectPressed(true);
  });

  it("When a heart is pressed twice before the server responds, then the last state shown is the last one sent", async () => {
    const { server, world, writes, heart, pressHeart, expectPressed } = openBrowse();
    const respond = server.hold("writes");
    await pressHeart();
    await pressHeart();
    expect(await heart()).toHaveAttribute("aria-pressed", "false");
    respond();
    await waitFor(() => expect(writes()).toHaveLength(2));
    await waitFor(() => expect(world.saved).toEqual([]));
    await expectPressed(false);
  });

  it.each([
    [
      "the limit is reached",
      false,
      new ApiProblem("too-many-saved", 409, "You have reached the limit of saved tasks."),
      /was not saved\. You have reached the limit of saved tasks/,
    ],
    // Who removes one is not led to login.
    ["the session has ended", true, notSignedInProblem(), /was not removed from your saved tasks/],
  ])("When %s, then the heart goes back, with the reason", async (_, isSaved, problem, message) => {
    const { server, address, pressHeart, expectPressed } = openBrowse({ saved: isSaved ? [LOGO._id] : [] });
    await expectPressed(isSaved);
    server.fails.writes = problem;
    await pressHeart();
    expect(await screen.findByText(message)).toBeVisible();
    await expectPressed(isSaved);
    expect(address()).toBe("/browsetask");
  });

  it("When the sign-in service is unreachable, then an error is shown instead of the login page", async () => {
    const { address, pressHeart, writes } = openBrowse({ firebase: createBrokenFirebase() });
    await pressHeart();
    expect(await screen.findByText(/was not saved\. We can't reach the sign-in service/)).toBeVisible();
    expect([address(), writes()]).toEqual(["/browsetask", []]);
  });

  it("When a visitor presses a heart twice, then going back once leaves the login page", async () => {
    const { user, isAt, goBack, heart } = openBrowse({ person: null });
    await user.dblClick(await heart());
    await screen.findByLabelText("Email");
    await goBack();
    await isAt("/browsetask");
  });

  it.each(["a visitor", "somebody whose session has ended"])(
    "When %s presses a heart, then they log in, and the task is saved after that",
    async (who) => {
      const isVisitor = who === "a visitor";
      const { fill, press, server, world, firebase, address, pressHeart, expectPressed, isAt } = openBrowse({
        address: "/browsetask?search=logo",
        person: null,
      });
      await firebase.createUser("fay@example.com", "Secret1");
      if (isVisitor) await firebase.signOut();
      else server.fails.writes = notSignedInProblem();
      await pressHeart();
      await fill("Email", "fay@example.com");
      expect(address()).toBe("/auth/login?from=%2Fbrowsetask%3Fsearch%3Dlogo");
      server.fails.writes = undefined;
      await fill("Password", "Secret1");
      await press("Login");
      expect(await screen.findByText("“Logo for a bakery” is saved.")).toBeVisible();
      expect(world.saved).toEqual([LOGO._id]);
      await isAt("/browsetask?search=logo");
      await expectPressed(true);
    },
  );
});

describe("the list of saved tasks", () => {
  const savedAt = "2026-11-01T10:00:00.000Z";
  const saved = (title: string, task: object): SavedTask => {
    const { _id: taskId, ...others } = aTask({ title, ...task });
    return { taskId, savedAt, title, task: others };
  };
  const list: SavedTask[] = [
    saved("Logo", {}),
    saved("Flyer", { state: "cancelled" }),
    { taskId: "c".repeat(24), savedAt, title: "Poster", gone: "deleted" },
  ];

  function open(items: SavedTask[]) {
    const world = { items };
    const app = openApp("/dash/saved", {
      [IDS]: () => world.items.map(({ taskId }) => taskId),
      "GET /me/saved": (call) => pageOfItems(world.items, call),
      "DELETE /me/saved/:id": ({ params }) => {
        world.items = world.items.filter(({ taskId }) => taskId !== params["id"]);
      },
    });
    return { ...app, world };
  }
  const row = async (title: string) => within((await screen.findByText(title)).closest("li") as HTMLElement);

  it("When the list is opened, then each task shows its state, and a deleted one has no link", async () => {
    open(list);
    const logo = await row("Logo");
    expect(logo.getByRole("link", { name: "Logo" })).toHaveAttribute(
      "href",
      `/dash/taskdetails/${list[0]?.taskId}`,
    );
    expect(logo.getByText("Open")).toBeVisible();
    expect((await row("Flyer")).getByText("Cancelled")).toBeVisible();
    const poster = await row("Poster");
    expect(poster.getByText("Its client has deleted this task.")).toBeVisible();
    expect(poster.queryByRole("link")).toBeNull();
    expect(screen.getByText("3 saved tasks")).toBeVisible();
  });

  it("When a task is removed, then it stays in the list until the page is left; a deleted one goes immediately", async () => {
    const { user, press, world } = open(list);
    const logo = await row("Logo");
    await user.click(logo.getByRole("button", { name: "Save Logo", pressed: true }));
    await waitFor(() => expect(world.items).toHaveLength(2));
    expect(logo.getByRole("button", { name: "Save Logo", pressed: false })).toBeVisible();
    expect(await screen.findByText("2 saved tasks")).toBeVisible();
    await press("Remove Poster");
    await waitFor(() => expect(screen.queryByText("Poster")).toBeNull());
    expect(world.items.map(({ title }) => title)).toEqual(["Flyer"]);
  });

  it("When nothing is saved, then the page says so", async () => {
    open([]);
    expect(await screen.findByRole("heading", { name: "No saved tasks yet" })).toBeVisible();
  });

  it("When loading more fails, then the list stays, an error is shown, and the same link tries again", async () => {
    const problem = new ApiProblem("too-many-requests", 429, "Too many requests.");
    const { user, server } = open(Array.from({ length: 30 }, (_, at) => saved(`Task ${at}`, {})));
    const more = await screen.findByRole("link", { name: "Load more tasks" });
    server.fails.reads = problem;
    await user.click(more);
    await screen.findByText(problem.message, { selector: "[role=alert] *" });
    expect(screen.getByRole("link", { name: "Task 19" })).toBeVisible();
    server.fails.reads = undefined;
    await user.click(screen.getByRole("link", { name: "Load more tasks" }));
    expect(await screen.findByRole("link", { name: "Task 29" })).toBeVisible();
    expect(screen.queryByText(problem.message, { selector: "[role=alert] *" })).toBeNull();
  });
});

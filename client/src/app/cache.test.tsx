import { act, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ApiProblem, offlineProblem } from "../lib/problem.ts";
import { aTask } from "../testing/builders.ts";
import { createFakeFirebase } from "../testing/fake-firebase.ts";
import { openApp } from "../testing/open-app.tsx";

/** A freelancer who opened a task from the list a minute ago, so that the cached list is stale. */
async function openDetails() {
  const task = aTask({ title: "Draw a fox" });
  const world = { tasks: [task] };
  const app = openApp("/browsetask", {
    "GET /tasks": () => world.tasks,
    "GET /tasks/:id": () => world.tasks[0] ?? task,
    "PATCH /tasks/:id/bid": () => {
      world.tasks = world.tasks.map((one) => ({ ...one, bidsCount: one.bidsCount + 1 }));
    },
  });
  await app.user.click(await screen.findByRole("link", { name: "See more: Draw a fox" }));
  await screen.findByRole("heading", { name: "Draw a fox", level: 1 });
  vi.setSystemTime(Date.now() + 60_000);
  return { ...app, world, task };
}

it("When going back, then the list is fetched once", async () => {
  const { asked, goBack } = await openDetails();
  // Count only the list: parts of the details page that render late may refetch its task.
  const listReads = () => asked("GET /tasks").length;
  const before = listReads();
  await goBack();
  await screen.findByRole("heading", { name: "Browse Tasks", level: 1 });
  await waitFor(() => expect(listReads()).toBe(before + 1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(listReads()).toBe(before + 1);
});

it("When going back without a connection, then the list stays", async () => {
  const { server, queryClient, goBack } = await openDetails();
  server.fails.reads = offlineProblem();
  const before = server.calls.length;
  await goBack();
  await waitFor(() => expect(server.calls.slice(before).map(({ path }) => path)).toContain("/tasks"));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.getByRole("heading", { name: "Browse Tasks", level: 1 })).toBeVisible();
  expect(screen.getByText("Draw a fox")).toBeVisible();
});

it("When going back after a bid, then the list shows the bid", async () => {
  const { press, goBack } = await openDetails();
  await press("Bid Now");
  await screen.findByText("1", { selector: "strong" });
  await goBack();
  expect(await screen.findByText("1 bid")).toBeVisible();
});

it("When a page may not be refreshed because of too many requests, then it stays, and is refreshed when that is allowed again", async () => {
  const { server, world, task, queryClient } = await openDetails();
  vi.useFakeTimers();
  const problem = new ApiProblem("too-many-requests", 429, "Too many requests.", { retryAfter: 40 });
  server.fails.reads = problem;
  world.tasks = [{ ...task, title: "Draw two foxes" }];
  void queryClient.invalidateQueries();
  await act(() => vi.advanceTimersByTimeAsync(39_000));
  expect(screen.getByRole("heading", { name: "Draw a fox", level: 1 })).toBeVisible();
  server.fails.reads = undefined;
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(screen.getByRole("heading", { name: "Draw two foxes", level: 1 })).toBeVisible();
});

it("When somebody logs out, then the cache is cleared", async () => {
  const { session, queryClient } = await openDetails();
  expect(queryClient.getQueryCache().getAll().length).toBeGreaterThan(0);
  await session.signOut();
  const texts = queryClient
    .getQueryCache()
    .getAll()
    .map(({ state }) => JSON.stringify(state.data));
  expect(texts.filter((text) => text?.includes("fox"))).toEqual([]);
});

it("When somebody logs in in another tab while a list is open, then it never appears empty", async () => {
  const firebase = createFakeFirebase();
  const tasks = [aTask({ title: "Draw a fox" })];
  const { user, session, server } = openApp("/browsetask", { "GET /tasks": tasks }, { firebase });
  await screen.findByText("Draw a fox");
  await session.ready();
  server.hold("reads");
  await act(() => firebase.createUser("bob@example.com", "Secret1"));
  await user.selectOptions(screen.getByLabelText("Category"), "Design");
  expect(await screen.findByText("Loading tasks…")).toBeInTheDocument();
  expect(screen.queryByText(/No open tasks|0 open tasks/)).toBeNull();
});

import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPerson, aTask } from "../testing/builders.ts";
import { createFakeApi } from "../testing/fake-api.ts";
import { createFakeFirebase } from "../testing/fake-firebase.ts";
import { renderApp } from "../testing/render-app.tsx";

// The first test of each page also loads its modules.
const FIRST_LOAD = { timeout: 15_000 };
const AT = "2026-11-01T10:00:00.000Z";
const viewer = { isOwner: false, hasBid: false, role: "freelancer" as const, hasReviewed: false };

/** A task page whose server stores one bid. */
function renderBiddingTask() {
  const task = aTask();
  const world = { hasBid: false };
  const bid = { _id: "b".repeat(24), amount: 250, state: "placed" as const, createdAt: AT, updatedAt: AT };
  const api = createFakeApi(({ method }) => {
    if (method === "GET") {
      const bidsCount = world.hasBid ? 1 : 0;
      return {
        data: {
          ...task,
          bidsCount,
          viewer: { ...viewer, hasBid: world.hasBid, ...(world.hasBid && { bid }) },
        },
      };
    }
    world.hasBid = method !== "DELETE";
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1, deletedCount: 1 } };
  });
  return renderApp(`/taskdetails/${task._id}`, { api, firebase: createFakeFirebase(aPerson()) });
}

it("When a bid is placed, saved, left unchanged or withdrawn, then focus stays on the bid panel", async () => {
  const { user } = renderBiddingTask();
  const press = async (name: string) => user.click(await screen.findByRole("button", { name }, FIRST_LOAD));
  const expectFocus = (count: number) =>
    waitFor(() =>
      expect(screen.getByText(String(count), { selector: "strong" }).parentElement).toHaveFocus(),
    );
  await press("Customize your bid");
  await press("Back");
  await expectFocus(0);
  await press("Bid Now");
  await expectFocus(1);
  await press("Save bid");
  await expectFocus(1);
  await press("Withdraw");
  await press("Yes, withdraw it");
  await expectFocus(0);
});

it("When the last page of a list is loaded, then focus goes to the first of the new items", async () => {
  const tasks = Array.from({ length: 30 }, () => aTask());
  const api = createFakeApi(({ query }) => {
    const from = Number(query["cursor"] ?? 0);
    const to = from + Number(query["limit"]);
    const headers = to < tasks.length ? { Link: `</tasks?cursor=${to}>; rel="next"` } : {};
    return { data: tasks.slice(from, to), headers };
  });
  const { user } = renderApp("/browsetask", { api, firebase: createFakeFirebase() });
  await user.click(await screen.findByRole("link", { name: "Load more tasks" }, FIRST_LOAD));
  const next = await screen.findByRole("link", { name: `See more: ${tasks[24]?.title}` });
  await waitFor(() => expect(next).toHaveFocus());
});

it("When one of several bids is withdrawn, then focus goes to the next one", async () => {
  const tasks = [aTask(), aTask(), aTask()];
  let bids = tasks.map((task, index) => {
    const { _id, title, category, deadline, budget, state, name, clientId } = task;
    const inList = { _id, title, category, deadline, budget, state, name, clientId };
    return { _id: String(index), amount: 250, state: "placed", createdAt: AT, updatedAt: AT, task: inList };
  });
  const api = createFakeApi(({ method, path }) => {
    if (method === "GET") return { data: bids };
    bids = bids.filter(({ task }) => !path.includes(task._id));
    return { data: { acknowledged: true, deletedCount: 1 } };
  });
  const { user } = renderApp("/dash/mybids", { api, firebase: createFakeFirebase(aPerson()) });
  const [, second, third] = tasks;
  await user.click(await screen.findByRole("button", { name: `More for ${second?.title}` }, FIRST_LOAD));
  await user.click(screen.getByRole("menuitem", { name: "Withdraw bid" }));
  await user.click(await screen.findByRole("button", { name: "Yes, withdraw it" }));
  await waitFor(() => expect(screen.getByRole("link", { name: third?.title ?? "" })).toHaveFocus());
});

it("When somebody logs out on the home page, then focus goes to the main content", async () => {
  const { user } = renderApp("/", {
    api: createFakeApi(() => ({ data: [] })),
    firebase: createFakeFirebase(aPerson()),
  });
  await user.click(
    (await screen.findAllByRole("button", { name: "LogOut", hidden: true }, FIRST_LOAD))[0] as HTMLElement,
  );
  await screen.findByRole("link", { name: "Login" });
  expect(screen.getByRole("main")).toHaveFocus();
});

it("When a link in a table of contents is followed, then focus goes to that section", async () => {
  const { user } = renderApp("/terms", {
    api: createFakeApi(() => ({ data: [] })),
    firebase: createFakeFirebase(),
  });
  const name = "No warranty";
  await user.click(await screen.findByRole("link", { name }, FIRST_LOAD));
  await waitFor(() => expect(screen.getByRole("heading", { name }).parentElement).toHaveFocus());
});

import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aBid, aTask, FREELANCER } from "../testing/builders.ts";
import { type Call, pageOfItems } from "../testing/fake-api.ts";
import { openApp } from "../testing/open-app.tsx";

/** A task page whose server stores one bid. */
function openBiddingTask() {
  const task = aTask();
  let hasBid = false;
  return openApp(`/taskdetails/${task._id}`, {
    "GET /tasks/:id": () => {
      const viewer = { ...FREELANCER, hasBid, ...(hasBid && { bid: aBid() }) };
      return { ...task, bidsCount: Number(hasBid), viewer };
    },
    "PATCH /tasks/:id/bid": () => {
      hasBid = true;
    },
    "DELETE /tasks/:id/bid": () => {
      hasBid = false;
    },
  });
}

it("When a bid is placed, saved, left unchanged or withdrawn, then focus stays on the bid panel", async () => {
  const { press } = openBiddingTask();
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
  const handlers = { "GET /tasks": (call: Call) => pageOfItems(tasks, call) };
  const { user } = openApp("/browsetask", handlers, { person: null });
  await user.click(await screen.findByRole("link", { name: "Load more tasks" }));
  const next = await screen.findByRole("link", { name: `See more: ${tasks[24]?.title}` });
  await waitFor(() => expect(next).toHaveFocus());
});

it("When one of several bids is withdrawn, then focus goes to the next one", async () => {
  const tasks = [aTask(), aTask(), aTask()];
  let bids = tasks.map((task, index) => {
    const { _id, title, category, deadline, budget, state, name, clientId } = task;
    const inList = { _id, title, category, deadline, budget, state, name, clientId };
    return { ...aBid({ _id: String(index) }), task: inList };
  });
  const { choose, press } = openApp("/dash/mybids", {
    "GET /me/bids": () => bids,
    "DELETE /tasks/:id/bid": ({ params }: Call) => {
      bids = bids.filter(({ task }) => task._id !== params["id"]);
    },
  });
  const [, second, third] = tasks;
  await choose(`More for ${second?.title}`, "Withdraw bid");
  await press("Yes, withdraw it");
  await waitFor(() => expect(screen.getByRole("link", { name: third?.title ?? "" })).toHaveFocus());
});

it("When somebody logs out on the home page, then focus goes to the main content", async () => {
  const { user } = openApp("/");
  await user.click(
    (await screen.findAllByRole("button", { name: "LogOut", hidden: true }))[0] as HTMLElement,
  );
  await screen.findByRole("link", { name: "Login" });
  expect(screen.getByRole("main")).toHaveFocus();
});

it("When a link in a table of contents is followed, then focus goes to that section", async () => {
  const { user } = openApp("/terms", {}, { person: null });
  const name = "No warranty";
  await user.click(await screen.findByRole("link", { name }));
  await waitFor(() => expect(screen.getByRole("heading", { name }).parentElement).toHaveFocus());
});

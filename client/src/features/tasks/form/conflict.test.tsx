import type { Task } from "@tasklane/server/contract";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import { aPerson, aTask } from "../../../testing/builders.ts";
import { createFakeApi } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const ID = "a".repeat(24);
const viewer = { isOwner: true, hasBid: false, role: "client" as const, hasReviewed: false, showEmail: true };

/** A server with optimistic locking: it refuses a save over any version but the current one. */
function aServer() {
  const world = {
    task: aTask({ _id: ID, title: "A fox", budget: 100, deadline: "2099-01-01", version: 3, viewer }),
    silent: false,
    loseResponse: false,
    isLocked: false,
  };
  const api = createFakeApi(async ({ method, path, body, headers }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (world.silent) throw offlineProblem();
    if (method === "GET") return { data: path === "/tasks" ? [world.task] : world.task };
    if (headers?.["If-Match"] !== `"${world.task.version}"`)
      throw new ApiProblem("changed-meanwhile", 412, "This task was changed in the meantime");
    if (world.isLocked) throw new ApiProblem("task-locked", 409, "The terms of this task are fixed.");
    save(body as Partial<Task>);
    if (world.loseResponse) {
      world.loseResponse = false;
      throw offlineProblem();
    }
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const save = (change: Partial<Task>) => {
    world.task = { ...world.task, ...change, version: world.task.version + 1 };
  };
  const saves = () =>
    api.calls.filter((call) => call.method === "PUT").map((call) => [call.headers?.["If-Match"], call.body]);
  return { world, api, save, saves };
}

type Server = ReturnType<typeof aServer>;

const open = (server: Server) =>
  renderApp(`/dash/updatetask/${ID}`, { api: server.api, gateway: createFakeAuthGateway(aPerson()) });

const title = () => screen.findByLabelText("Title");
const retype = async (user: ReturnType<typeof open>["user"], label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await user.clear(field);
  await user.type(field, text);
};
const submit = async (user: ReturnType<typeof open>["user"]) =>
  user.click(await screen.findByRole("button", { name: "Update Task" }));
const showSaved = async () => screen.findByRole("button", { name: "show what is saved" });

/** A title and a deadline are typed while another title and budget are saved elsewhere, so the save is refused. */
async function openConflict() {
  const server = aServer();
  const { user } = open(server);
  await retype(user, "Title", "A hare");
  await retype(user, "Deadline", "2099-02-02");
  server.save({ title: "A wolf", budget: 200 });
  await submit(user);
  const alert = await screen.findByText(/This task was changed in the meantime/);
  return { server, user, alert };
}

describe("a task saved by somebody else in the meantime", () => {
  it("When nobody else saved, then the save names the version that the form was loaded with", async () => {
    const server = aServer();
    const { user } = open(server);
    await retype(user, "Title", "A hare");
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.saves()).toMatchObject([['"3"', { title: "A hare" }]]);
  });

  it("When somebody else saved, then the save is refused, the input is kept, and the reason has the focus", async () => {
    const { server, alert } = await openConflict();
    expect(server.world.task).toMatchObject({ title: "A wolf", version: 4 });
    expect(await title()).toHaveValue("A hare");
    expect(screen.getByLabelText("Budget (USD)")).toHaveValue(100);
    expect(screen.getByLabelText("Deadline")).toHaveValue("2099-02-02");
    expect(alert.closest("[tabindex]")).toHaveFocus();
  });

  it("When the user saves again, then their version replaces the one they were told of", async () => {
    const { server, user } = await openConflict();
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.saves()[1]).toMatchObject([
      '"4"',
      { title: "A hare", budget: 100, deadline: "2099-02-02" },
    ]);
  });

  it("When yet another version was saved, then saving again asks again", async () => {
    const { server, user } = await openConflict();
    server.save({ title: "A bear" });
    await submit(user);
    await waitFor(() => expect(server.saves()).toHaveLength(2));
    await screen.findByText(/This task was changed in the meantime/);
    expect(server.world.task.title).toBe("A bear");
    expect(await title()).toHaveValue("A hare");
  });

  it("When the user wants what is saved, then the form shows it and has no draft, and edits that version", async () => {
    const { server, user } = await openConflict();
    await user.click(await showSaved());
    expect(await title()).toHaveValue("A wolf");
    await waitFor(async () => expect(await title()).toHaveFocus());
    expect(screen.getByLabelText("Budget (USD)")).toHaveValue(200);
    expect(screen.queryByText(/changed in the meantime/)).toBeNull();
    expect(screen.queryByText(/draft you left unsent/)).toBeNull();
    expect(server.saves()).toHaveLength(1);
    expect(Object.values(localStorage).join()).not.toContain("A hare");
    await retype(user, "Title", "A wolf and a hare");
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.saves()[1]).toMatchObject(['"4"', { title: "A wolf and a hare", budget: 200 }]);
  });

  it("When the page is reloaded before the user decides, then what they typed is still there, and saving replaces what they were told of", async () => {
    const { server, user } = await openConflict();
    await user.type(await title(), "!");
    document.body.replaceChildren();
    const after = open(server).user;
    expect(await title()).toHaveValue("A hare!");
    await submit(after);
    await screen.findByText("Update Task Successfully");
    expect(server.world.task).toMatchObject({ title: "A hare!", budget: 100, version: 5 });
  });

  it("When the task was awarded meanwhile, then its terms are fixed, can still be read, and give way to what is saved", async () => {
    const server = aServer();
    const { user } = open(server);
    await retype(user, "Title", "A hare");
    server.save({ state: "awarded" });
    await submit(user);
    await screen.findByText(/This task was changed in the meantime/);
    expect(await title()).toHaveValue("A hare");
    expect(await title()).toHaveAttribute("readonly");
    server.world.isLocked = true;
    await submit(user);
    await screen.findByText(/terms of this task are fixed/);
    await user.click(await showSaved());
    expect(await title()).toHaveValue("A fox");
    await retype(user, "Deadline", "2099-02-02");
    server.world.isLocked = false;
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.world.task).toMatchObject({ title: "A fox", deadline: "2099-02-02", state: "awarded" });
  });

  it("When only the response to the user's own save got lost, then saving again succeeds without a conflict", async () => {
    const server = aServer();
    server.world.loseResponse = true;
    const { user } = open(server);
    await retype(user, "Title", "A hare");
    await submit(user);
    await screen.findByText(/We can't reach Tasklane/);
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.world.task).toMatchObject({ title: "A hare", version: 4 });
  });
});

describe("a draft of an older version", () => {
  it("When the form is opened again, then the draft is labelled, overwrites nothing unseen, and can be discarded", async () => {
    const server = aServer();
    const { user } = open(server);
    await retype(user, "Deadline", "2099-02-02");
    document.body.replaceChildren();
    server.save({ title: "A wolf" });
    const again = open(server);
    await screen.findByText("This is the draft you left unsent.");
    expect(screen.getByLabelText("Deadline")).toHaveValue("2099-02-02");
    await submit(again.user);
    await showSaved();
    expect(server.world.task).toMatchObject({ title: "A wolf", version: 4 });
    await again.user.click(screen.getByRole("button", { name: "Discard draft" }));
    expect(await title()).toHaveValue("A wolf");
    expect(screen.getByLabelText("Deadline")).toHaveValue("2099-01-01");
    await retype(again.user, "Deadline", "2099-03-03");
    await submit(again.user);
    await screen.findByText("Update Task Successfully");
    expect(server.world.task).toMatchObject({ title: "A wolf", deadline: "2099-03-03" });
  });

  it("When it was saved and only the response got lost, then a reload restores no draft", async () => {
    const server = aServer();
    server.world.loseResponse = true;
    const { user } = open(server);
    await retype(user, "Title", "A hare");
    await submit(user);
    await screen.findByText(/We can't reach Tasklane/);
    document.body.replaceChildren();
    open(server);
    expect(await title()).toHaveValue("A hare");
    expect(screen.queryByText(/draft you left unsent/)).toBeNull();
    expect(localStorage).toHaveLength(0);
  });
});

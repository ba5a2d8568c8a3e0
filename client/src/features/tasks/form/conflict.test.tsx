import type { Task } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
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
  };
  const api = createFakeApi(async ({ method, path, body, headers }) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (world.silent) throw offlineProblem();
    if (method === "GET") return { data: path === "/tasks" ? [world.task] : world.task };
    if (headers?.["If-Match"] !== `"${world.task.version}"`)
      throw new ApiProblem("changed-meanwhile", 412, "This task was changed in the meantime");
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
const panel = async () =>
  within(await screen.findByRole("region", { name: "This task has changed since you opened it" }));

/** A title and a deadline are typed while another title and budget are saved elsewhere, so the save is refused. */
async function openConflict() {
  const server = aServer();
  const { user } = open(server);
  await retype(user, "Title", "A hare");
  await retype(user, "Deadline", "2099-02-02");
  server.save({ title: "A wolf", budget: 200 });
  await submit(user);
  return { server, user, conflict: await panel() };
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

  it("When somebody else saved, then the input is kept, both versions are shown side by side, and nothing is saved", async () => {
    const { server, conflict } = await openConflict();
    expect(server.world.task).toMatchObject({ title: "A wolf", version: 4 });
    const choice = within(conflict.getByRole("group", { name: "Title" }));
    expect(choice.getByRole("radio", { name: "Your version A hare" })).toBeChecked();
    expect(choice.getByRole("radio", { name: "Current version A wolf" })).not.toBeChecked();
    // The budget was not edited here, so the saved one is taken over, and shown.
    const budget = within(conflict.getByRole("group", { name: "Budget (USD)" }));
    expect(budget.getByRole("radio", { name: "Current version $200" })).toBeChecked();
    expect(conflict.queryByRole("group", { name: "Deadline" })).toBeNull();
    expect(await title()).toHaveValue("A hare");
    expect(screen.getByLabelText("Deadline")).toHaveValue("2099-02-02");
    await waitFor(() => expect(conflict.getByRole("heading")).toHaveFocus());
  });

  it("When the user keeps their version, then it is saved over the version they were shown", async () => {
    const { server, user, conflict } = await openConflict();
    await user.click(conflict.getByRole("button", { name: "Save my version" }));
    await screen.findByText("Update Task Successfully");
    expect(server.saves()[1]).toMatchObject([
      '"4"',
      { title: "A hare", budget: 100, deadline: "2099-02-02" },
    ]);
  });

  it("When yet another version was saved, then keeping the user's version asks again", async () => {
    const { server, user, conflict } = await openConflict();
    server.save({ title: "A bear" });
    await user.click(conflict.getByRole("button", { name: "Save my version" }));
    await screen.findByRole("radio", { name: "Current version A bear" });
    expect(server.world.task.title).toBe("A bear");
  });

  it("When a field is taken from the other version, then the form holds it, and choosing one's own restores that", async () => {
    const { server, user, conflict } = await openConflict();
    await user.click(conflict.getByRole("radio", { name: "Current version A wolf" }));
    expect(await title()).toHaveValue("A wolf");
    await user.click(conflict.getByRole("radio", { name: "Your version A hare" }));
    expect(await title()).toHaveValue("A hare");
    await user.click(conflict.getByRole("radio", { name: "Current version A wolf" }));
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.saves()[1]).toMatchObject([
      '"4"',
      { title: "A wolf", budget: 200, deadline: "2099-02-02" },
    ]);
  });

  it("When the current version is chosen, then the form shows it, and keeps fields that only the user changed", async () => {
    const { server, user, conflict } = await openConflict();
    await user.click(conflict.getByRole("button", { name: "Use the current version" }));
    expect(await title()).toHaveValue("A wolf");
    await waitFor(() => expect(screen.queryByRole("region", { name: /has changed since/ })).toBeNull());
    expect(screen.getByLabelText("Deadline")).toHaveValue("2099-02-02");
    expect(server.saves()).toHaveLength(1);
  });

  it("When the user's own value is chosen for an unedited field, then a reload and a third save keep that choice", async () => {
    const { server, user, conflict } = await openConflict();
    await user.click(conflict.getByRole("radio", { name: "Your version $100" }));
    expect(screen.getByLabelText("Budget (USD)")).toHaveValue(100);
    document.body.replaceChildren();
    const after = open(server).user;
    const again = await panel();
    expect(again.getByRole("radio", { name: "Your version $100" })).toBeChecked();
    expect(screen.getByLabelText("Budget (USD)")).toHaveValue(100);

    server.save({ description: "Another." });
    await submit(after);
    await screen.findByRole("group", { name: "Description" });
    expect(screen.getByLabelText("Budget (USD)")).toHaveValue(100);
    await submit(after);
    await screen.findByText("Update Task Successfully");
    expect(server.world.task).toMatchObject({ title: "A hare", budget: 100, description: "Another." });
  });

  it("When the user continues editing, then the comparison closes and the next save replaces the version shown", async () => {
    const { server, user, conflict } = await openConflict();
    await user.click(conflict.getByRole("button", { name: "Continue editing" }));
    await waitFor(() => expect(screen.getByLabelText("Title")).toHaveFocus());
    await retype(user, "Title", "A hare and a wolf");
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.saves()[1]).toMatchObject(['"4"', { title: "A hare and a wolf", budget: 200 }]);
  });

  it("When the task was awarded meanwhile, then its terms are fixed and the user's input can still be read", async () => {
    const server = aServer();
    const { user } = open(server);
    await retype(user, "Title", "A hare");
    await retype(user, "Deadline", "2099-02-02");
    server.save({ state: "awarded" });
    await submit(user);
    const conflict = await panel();
    conflict.getByText("Awarded");
    expect(conflict.getByRole("radio", { name: "Your version A hare" })).toBeDisabled();
    conflict.getByText(/There is nothing to choose/);
    expect(conflict.getAllByRole("button").map((button) => button.textContent)).toEqual(["Continue editing"]);
    expect(await title()).toHaveValue("A fox");
    expect(await title()).toHaveAttribute("readonly");
    await submit(user);
    await screen.findByText("Update Task Successfully");
    expect(server.saves()[1]).toMatchObject(['"4"', { title: "A fox", deadline: "2099-02-02" }]);
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
  it("When the form is opened again, then unedited fields do not undo what was saved since", async () => {
    const server = aServer();
    const { user } = open(server);
    await retype(user, "Deadline", "2099-02-02");
    document.body.replaceChildren();
    server.save({ title: "A wolf" });
    const again = open(server);
    expect(await title()).toHaveValue("A wolf");
    expect(screen.getByLabelText("Deadline")).toHaveValue("2099-02-02");
    expect(screen.queryByRole("region", { name: /has changed since/ })).toBeNull();
    await submit(again.user);
    await screen.findByText("Update Task Successfully");
    expect(server.saves()).toMatchObject([['"4"', { title: "A wolf", deadline: "2099-02-02" }]]);
  });

  it("When it was saved and only the response got lost, then a reload restores no draft, even after later saves", async () => {
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
    document.body.replaceChildren();
    server.save({ title: "A bear" });
    open(server);
    expect(await title()).toHaveValue("A bear");
    expect(screen.queryByRole("region", { name: /has changed since/ })).toBeNull();
  });

  it("When both changed the same field, then the two versions are shown immediately", async () => {
    const server = aServer();
    const { user } = open(server);
    await retype(user, "Title", "A hare");
    document.body.replaceChildren();
    server.save({ title: "A wolf" });
    open(server);
    const conflict = await panel();
    expect(conflict.getByRole("radio", { name: "Your version A hare" })).toBeChecked();
    expect(await title()).toHaveValue("A hare");
  });
});

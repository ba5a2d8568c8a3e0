import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiProblem } from "../../../lib/problem.ts";
import { aProfile, aTask, FREELANCER, ID } from "../../../testing/builders.ts";
import type { Call } from "../../../testing/fake-api.ts";
import { closeDialog, findDialog } from "../../../testing/find.ts";
import { openApp } from "../../../testing/open-app.tsx";

const TASKS = [aTask({ _id: ID, title: "A fox" }), aTask({ title: "Over", state: "completed" })];

async function openDialog(handlers = {}) {
  const app = openApp("/people/p1", {
    "GET /profiles/:id": aProfile(),
    "GET /tasks": TASKS,
    ...handlers,
  });
  await app.press("Invite to bid");
  return { ...app, dialog: await findDialog("Invite Jonas Lind to bid") };
}

it("When a client invites somebody, then they choose one of their open tasks, and read why it is refused or that it is done", async () => {
  const { press, dialog, server, writes } = await openDialog();
  const options = within(await dialog.findByLabelText("Task")).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["A fox"]);
  const reason = "This person takes no invitations from you.";
  server.fails.writes = new ApiProblem("cannot-invite", 409, reason);
  await press("Invite", dialog);
  await dialog.findByText(reason);
  server.fails.writes = undefined;
  await press("Invite", dialog);
  await dialog.findByText("Jonas Lind is invited, and has been notified.");
  expect(writes().at(-1)).toMatchObject({ path: `/tasks/${ID}/invitations`, body: { personId: "p1" } });
});

it("When somebody has left the directory, then nobody is offered to invite them", async () => {
  openApp("/people/p1", { "GET /profiles/:id": aProfile({ takesInvitations: false }) });
  await screen.findByRole("heading", { name: "Jonas Lind" });
  // Who is logged in is known.
  await screen.findByRole("button", { name: /^Notifications/ });
  expect(screen.queryByRole("button", { name: "Invite to bid" })).toBeNull();
});

it("When there is no open task, then the dialog leads to posting one", async () => {
  const { dialog } = await openDialog({ "GET /tasks": [TASKS[1]] });
  expect(await dialog.findByRole("link", { name: "Add Task" })).toHaveAttribute("href", "/dash/addtask");
});

it("When the tasks do not load, then they can be loaded again, also by opening the dialog again", async () => {
  let isDown = true;
  const { press, dialog } = await openDialog({
    "GET /tasks": ({ query }: Call) => {
      if (isDown && query["email"]) throw new ApiProblem("internal", 500, "Oops");
      return TASKS;
    },
  });
  await press("Try again", dialog);
  await dialog.findByText(/Oops/);
  isDown = false;
  await closeDialog();
  await press("Invite to bid");
  await (await findDialog("Invite Jonas Lind to bid")).findByLabelText("Task");
});

it("When somebody is invited to a task, then its page says so until they decline", async () => {
  const viewer = { ...FREELANCER, invited: true } as typeof FREELANCER & { invited?: boolean };
  const { press, writes } = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": () => aTask({ _id: ID, viewer }),
    "DELETE /me/invitations/:id": () => {
      viewer.invited = false;
    },
  });
  await screen.findByText("The client has invited you to bid.");
  await press("Decline the invitation");
  await waitFor(() => expect(screen.queryByText("The client has invited you to bid.")).toBeNull());
  expect(writes()).toMatchObject([{ method: "DELETE", path: `/me/invitations/${ID}` }]);
});

import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiProblem } from "../../../lib/problem.ts";
import { aTask, FREELANCER, ID } from "../../../testing/builders.ts";
import { openApp } from "../../../testing/open-app.tsx";

const fay = {
  id: "fay",
  name: "Fay Lance",
  ...{ headline: "", about: "", skills: [], languages: [], links: [] },
  ...{ memberSince: "2026-01-01T00:00:00.000Z", lastActiveOn: "2026-11-01" },
  ...{ tasksPosted: 0, tasksCompleted: 0, jobsCompleted: 0, hireRate: null },
  rating: { average: null, count: 0 },
};
const TASKS = [aTask({ _id: ID, title: "A fox" }), aTask({ title: "Over", state: "completed" })];

async function openDialog(handlers = {}) {
  const app = openApp("/people/fay", {
    "GET /profiles/:id": fay,
    "GET /profiles/:id/reviews": [],
    "GET /tasks": TASKS,
    "POST /tasks/:id/invitations": { acknowledged: true, matchedCount: 1, modifiedCount: 1 },
    ...handlers,
  });
  await app.user.click(await screen.findByRole("button", { name: "Invite to bid" }));
  return { ...app, dialog: within(await screen.findByRole("dialog", { name: "Invite Fay Lance to bid" })) };
}

it("When a client invites somebody, then they choose one of their open tasks", async () => {
  const { user, dialog, writes } = await openDialog();
  const options = within(await dialog.findByLabelText("Task")).getAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual(["A fox"]);
  await user.click(dialog.getByRole("button", { name: "Invite" }));
  await dialog.findByText("Fay Lance is invited, and has been notified.");
  expect(writes()).toMatchObject([{ path: `/tasks/${ID}/invitations`, body: { personId: "fay" } }]);
});

it("When inviting is refused, or there is no open task, then the dialog says so", async () => {
  const { user, dialog } = await openDialog({
    "POST /tasks/:id/invitations": () => {
      throw new ApiProblem("cannot-invite", 409, "This person takes no invitations from you.");
    },
  });
  await user.click(await dialog.findByRole("button", { name: "Invite" }));
  await dialog.findByText("This person takes no invitations from you.");
});

it("When there is no open task, then the dialog leads to posting one", async () => {
  const { dialog } = await openDialog({ "GET /tasks": [TASKS[1]] });
  expect(await dialog.findByRole("link", { name: "Add Task" })).toHaveAttribute("href", "/dash/addtask");
});

it("When somebody is invited to a task, then its page says so until they decline", async () => {
  const viewer = { ...FREELANCER, invited: true } as typeof FREELANCER & { invited?: boolean };
  const { user, writes } = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": () => aTask({ _id: ID, viewer }),
    "DELETE /me/invitations/:id": () => {
      viewer.invited = false;
      return { acknowledged: true, deletedCount: 1 };
    },
  });
  await screen.findByText("The client has invited you to bid.");
  await user.click(screen.getByRole("button", { name: "Decline the invitation" }));
  await waitFor(() => expect(screen.queryByText("The client has invited you to bid.")).toBeNull());
  expect(writes()).toMatchObject([{ method: "DELETE", path: `/me/invitations/${ID}` }]);
});

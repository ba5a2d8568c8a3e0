import { TASK_FIELDS } from "@tasklane/server/contract";
import { screen, waitFor } from "@testing-library/react";
import Swal from "sweetalert2/dist/sweetalert2.esm.js";
import { describe, expect, it } from "vitest";
import { setServerTime } from "../../../lib/clock.ts";
import { ApiProblem, offlineProblem } from "../../../lib/problem.ts";
import { aTask, CLIENT, COMPLETE_TASKS, ID } from "../../../testing/builders.ts";
import { fillInTask } from "../../../testing/fill-in-task.ts";
import { openApp } from "../../../testing/open-app.tsx";

/** Opens the form for a new task. `titles` are those of the tasks that were posted. */
function openForm(address = "/dash/addtask", handlers = {}) {
  const titles: string[] = [];
  const app = openApp(address, {
    "POST /tasks": ({ body }) => {
      titles.push((body as { title: string }).title);
      return { acknowledged: true, insertedId: ID };
    },
    ...handlers,
  });
  const fillIn = (title: string) => fillInTask(app, title);
  const send = async () => app.press("Add Task");
  return { ...app, fillIn, send, titles };
}

const field = (label: string) => screen.findByLabelText(label);
const done = async () => {
  await screen.findByText("Your Add Task Successfully");
  Swal.close();
  await waitFor(() => expect(document.querySelector(".swal2-container")).toBeNull());
};

it("When the form opens, then it has a control for each field of a task, and the preview an example deadline instead of the last day, and no price while a budget is half typed", async () => {
  const { fill } = openForm();
  for (const [name, { label }] of Object.entries(TASK_FIELDS))
    expect(await field(label)).toHaveAttribute(
      name === "skills" ? "id" : "name",
      expect.stringContaining(name),
    );
  const preview = await screen.findByRole("region", { name: "How others will see it" });
  expect(preview).not.toHaveTextContent("Last day");
  expect(preview).toHaveTextContent("14 days left");
  await fill("Budget (USD)", "1,20");
  expect(preview).toHaveTextContent("$0");
  await fill("Budget (USD)", "1,200");
  expect(preview).toHaveTextContent("$1,200");
});

it("When a text is too long or a skill or question contains contact data, then the form says so while it is typed, and cuts nothing off", async () => {
  const { fill, writes, send } = openForm();
  const title = await field("Title");
  const text = "long ".repeat(30).trim();
  await fill("Title", text);
  expect(title).toHaveValue(text);
  expect(title).toHaveAccessibleDescription(/^149 of 120 characters/);
  const hint = () => screen.queryByText(/This seems to contain an email address\. It is better to wait/);
  for (const label of ["Skills", "Screening question"]) {
    expect(hint()).toBeNull();
    await fill(label, "Foxes? fay@mail.example");
    expect(hint()).toBeVisible();
    await fill(label, "Foxes");
  }
  await send();
  await waitFor(() => expect(title).toHaveAccessibleDescription(/Title can have at most 120 characters\.$/));
  expect(writes()).toEqual([]);
});

it("When the device's clock is ahead, then a deadline that has not passed by the server's clock is accepted", async () => {
  setServerTime("Fri, 04 Jan 2019 12:00:00 GMT");
  const { fillIn, fill, send, titles } = openForm();
  await fillIn("A poster");
  await fill("Deadline", "2019-01-05");
  expect(await field("Deadline")).toHaveAttribute("min", "2019-01-04");
  await send();
  await done();
  expect(titles).toEqual(["A poster"]);
  setServerTime(new Date().toUTCString());
});

it("When several fields are invalid, then a deadline in the past is reported with the others", async () => {
  const { writes, fill, send } = openForm();
  await fill("Deadline", "2020-01-31");
  await fill("Budget (USD)", "-5");
  await send();
  await waitFor(async () =>
    expect(await field("Deadline")).toHaveAccessibleDescription(/^This deadline has passed/),
  );
  expect(await field("Budget (USD)")).toHaveAccessibleDescription("Budget must be more than $0.");
  expect(await field("Category")).toBeInvalid();
  const title = await field("Title");
  expect(title).toHaveAccessibleDescription("Title is required.");
  await waitFor(() => expect(title).toHaveFocus());
  expect(writes()).toEqual([]);
});

it("When the server rejects a field, then the form keeps its values, with the error at the field and focus on it", async () => {
  const { server, writes, fillIn, send } = openForm();
  const errors = [{ pointer: "#/deadline", detail: "Choose a later day." }];
  server.fails.writes = new ApiProblem("invalid", 422, "Some fields need another look.", { errors });
  await fillIn("A fox");
  await send();
  const deadline = await field("Deadline");
  await waitFor(() => expect(deadline).toHaveAccessibleDescription("Choose a later day."));
  await waitFor(() => expect(deadline).toHaveFocus());
  expect(await field("Title")).toHaveValue("A fox");
  const sent = { title: "A fox", category: "Design", description: "Three drafts.", budget: 120.5 };
  expect(writes()[0]?.body).toMatchObject({ ...sent, deadline: "2099-01-31", showEmail: true });
});

it("When the daily limit of tasks is reached, then the form says when the next is possible, keeps everything, and can be sent again", async () => {
  const { server, titles, fill, fillIn, send } = openForm();
  server.fails.writes = new ApiProblem("task-limit-reached", 409, "You have posted 20 tasks today.");
  await fillIn("A fox");
  await send();
  const text = await screen.findByText(/You can post again in \d+ (minute|hour)s?; until then/);
  expect(text.closest("[tabindex]")).toHaveFocus();
  server.fails.writes = undefined;
  await fill("Title", "A fox and a hen");
  await send();
  await done();
  expect(titles).toEqual(["A fox and a hen"]);
});

it("When the form was changed after a lost response, then it warns of a possible duplicate and posts another only on request", async () => {
  const { press, lose, titles, fill, fillIn, send } = openForm();
  await fillIn("A logo");
  await lose(send);
  await fill("Title", "A logo and a sign");
  await send();
  await screen.findByText(/An earlier version of this task was sent/);
  expect(titles).toEqual(["A logo"]);
  expect(await field("Title")).toHaveValue("A logo and a sign");
  await press("post this as another task");
  await done();
  expect(titles).toEqual(["A logo", "A logo and a sign"]);
});

it("When the next task's title is typed while one is being posted, then only what was sent is cleared", async () => {
  const { server, titles, fill, fillIn, send } = openForm();
  const release = server.hold("writes");
  await fillIn("A logo");
  await send();
  await screen.findByRole("button", { name: "Posting…" });
  await fill("Title", "A sign");
  release();
  await done();
  expect(await field("Title")).toHaveValue("A sign");
  expect(await field("Description")).toHaveValue("");
  expect(await field("Budget (USD)")).toHaveValue("");
  expect(titles).toEqual(["A logo"]);
  const kept = Object.values(localStorage).join();
  expect(kept).toContain("A sign");
  expect(kept).not.toContain("Three drafts.");
});

it("When the form is left and opened again while its task is being posted, then it is empty once that is posted", async () => {
  const { press, server, router, titles, fillIn, send, goTo } = openForm();
  const release = server.hold("writes");
  await fillIn("A logo");
  await send();
  void router.navigate("/dash/myposttask");
  await press("Leave");
  await screen.findByText("No Tasks Available");
  await goTo("/dash/addtask");
  expect(await field("Title")).toHaveValue("A logo");
  expect(screen.queryByText(/left unsent/)).toBeNull();
  release();
  await done();
  expect(await field("Title")).toHaveValue("");
  expect(screen.getByText("A logo")).toBeVisible();
  expect(titles).toEqual(["A logo"]);
});

describe("posting a task again", () => {
  const [copied] = COMPLETE_TASKS;
  const viewer = { ...CLIENT, showEmail: copied.showEmail };
  const old = aTask({ ...copied, deadline: "2026-01-31", state: "completed", viewer });
  const ADDRESS = `/dash/addtask?copy=${old._id}`;

  it("When a task is posted again, then the form holds everything except the deadline, and the next copy does again", async () => {
    const { writes, goTo, fill, send } = openForm(ADDRESS, { "GET /tasks/:id": old });
    expect(await field("Title")).toHaveValue(copied.title);
    expect(screen.getByText(/This is a copy of your task/)).toHaveTextContent(/Files are not copied\.$/);
    expect(await field("Deadline")).toHaveValue("");
    await send();
    await waitFor(async () =>
      expect(await field("Deadline")).toHaveAccessibleDescription("Deadline is required."),
    );
    await fill("Deadline", "2099-01-31");
    await send();
    await done();
    expect(writes().map(({ body }) => body)).toEqual([
      { ...copied, deadline: "2099-01-31", deliverBy: "", files: [] },
    ]);
    expect(screen.getByRole("link", { name: "View task" })).toHaveAttribute(
      "href",
      `/dash/taskdetails/${ID}`,
    );
    expect(await field("Title")).toHaveValue("");
    await goTo("/dash/myposttask");
    await screen.findByRole("heading", { name: "My Posted Tasks", level: 1 });
    await goTo(ADDRESS);
    expect(await field("Title")).toHaveValue(copied.title);
  });

  it("When the button is pressed twice and the connection breaks right after posting, then it is posted once, and the link to it stays", async () => {
    const { user, writes, server, fill } = openForm(ADDRESS, { "GET /tasks/:id": old });
    await fill("Deadline", "2099-01-31");
    server.fails.reads = offlineProblem();
    await user.dblClick(screen.getByRole("button", { name: "Add Task" }));
    await done();
    expect(writes()).toHaveLength(1);
    expect(await screen.findByRole("link", { name: "View task" })).toBeVisible();
    expect(await field("Title")).toHaveValue("");
  });

  it.each([
    ["gone", () => Promise.reject(new ApiProblem("task-not-found", 404, "Gone."))],
    ["somebody else's", { ...old, viewer: { ...viewer, isOwner: false } }],
  ])("When the task is %s, then the form is empty and says why", async (_, task) => {
    openForm(ADDRESS, { "GET /tasks/:id": task });
    await screen.findByText(/no longer exists, so the form is empty/);
    expect(await field("Title")).toHaveValue("");
  });
});

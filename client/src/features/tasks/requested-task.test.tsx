import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { requestedTaskId } from "../../lib/paths.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aTask, ID } from "../../testing/builders.ts";
import { type Handlers, openApp } from "../../testing/open-app.tsx";

const DESCRIPTION = "A long text. ".repeat(100).trim();
const open = (from: string, handlers: Handlers = {}) =>
  openApp(
    `/auth/login?${new URLSearchParams({ from })}`,
    { "GET /tasks/:id": aTask({ _id: ID, title: "A logo", description: DESCRIPTION }), ...handlers },
    { person: null },
  );
const REQUESTED = `/taskdetails/${ID}?a=b`;
const canonical = () => document.querySelector<HTMLLinkElement>('link[rel="canonical"]')?.href;

it("When a visitor must log in to see a task, then login and register show the whole task, as visitors may read it", async () => {
  const { server, user } = open(REQUESTED);
  await screen.findByRole("heading", { level: 1, name: "A logo" });
  expect(screen.getByText(DESCRIPTION)).toBeVisible();
  expect(screen.getByRole("region", { name: "Login now!" })).toContainElement(
    screen.getByRole("button", { name: "Login" }),
  );
  expect(server.calls.every(({ auth }) => auth === "none")).toBe(true);
  expect(document.title).toMatch(/^A logo \| Task Details/);
  expect(canonical()).toMatch(new RegExp(`/taskdetails/${ID}$`));
  await user.click(screen.getByRole("link", { name: "Register" }));
  await screen.findByRole("region", { name: "Create your account" });
  expect(screen.getByText(DESCRIPTION)).toBeVisible();
  await waitFor(() => expect(screen.getByRole("heading", { name: "Create your account" })).toHaveFocus());
  const form = within(screen.getByRole("region", { name: "Create your account" }));
  await user.click(form.getByRole("link", { name: "Login" }));
  await user.click(await screen.findByRole("link", { name: "Forgot password?" }));
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

it("When the task fails to load, then it can be retried; when it no longer exists, then login says so and links to other tasks", async () => {
  let failure: Error = offlineProblem();
  const { press } = open(REQUESTED, {
    "GET /tasks/:id": () => {
      throw failure;
    },
  });
  await screen.findByText(/The task you came for did not load/);
  failure = new ApiProblem("task-not-found", 404, "This task does not exist.");
  await press("try again");
  await screen.findByText(/no longer available/);
  expect(screen.getByRole("link", { name: "browse other tasks" })).toHaveAttribute("href", "/browsetask");
  expect(screen.getByRole("button", { name: "Login" })).toBeVisible();
});

it("When the visitor came for another page, then no task is shown or requested", async () => {
  const { server } = open("/dash/addtask");
  await screen.findByRole("heading", { name: "Login now!" });
  expect(screen.queryByRole("article")).toBeNull();
  expect(server.calls).toEqual([]);
  for (const from of ["https://evil.example/taskdetails/1", "/taskdetails/1/report"]) {
    const search = `?${new URLSearchParams({ from })}`;
    expect(requestedTaskId({ pathname: "/auth/login", search })).toBeUndefined();
  }
});

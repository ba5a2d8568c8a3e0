import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aTask, ID } from "../../testing/builders.ts";
import { openApp } from "../../testing/open-app.tsx";
import { requestedTaskId } from "./task-placeholder.tsx";

const open = (from: string) =>
  openApp(
    `/auth/login?${new URLSearchParams({ from })}`,
    { "GET /tasks/:id": aTask({ _id: ID, title: "A logo", budget: 450, email: "ada@people.example" }) },
    { person: null },
  );
const REQUESTED = `/taskdetails/${ID}?a=b`;
const region = () => screen.findByRole("region", { name: "The task you came for" });

it("When a visitor must log in to see a task, then login and register show its public preview above the form", async () => {
  const { server, user } = open(REQUESTED);
  await screen.findByText("A logo");
  expect(await region()).toHaveTextContent("$450");
  expect(await region()).not.toHaveTextContent("ada@people.example");
  expect(server.calls).toMatchObject([{ path: `/tasks/${ID}`, auth: "none" }]);
  const form = screen.getByRole("button", { name: "Login" });
  expect((await region()).compareDocumentPosition(form)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await user.click(screen.getByRole("link", { name: "Register" }));
  await screen.findByRole("heading", { name: "Create your account" });
  expect(await region()).toHaveTextContent("A logo");
});

it("When the task fails to load, then it can be retried; when it no longer exists, then login says so and links to other tasks", async () => {
  const { server, user } = open(REQUESTED);
  server.fails.reads = offlineProblem();
  await screen.findByText("The task did not load");
  server.fails.reads = new ApiProblem("task-not-found", 404, "This task does not exist.");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("This task is no longer available");
  expect(screen.getAllByRole("link", { name: "Browse Tasks" }).length).toBeGreaterThan(1);
  expect(screen.getByRole("button", { name: "Login" })).toBeVisible();
});

it("When the visitor came for another page, then no task is shown or requested", async () => {
  const { server } = open("/dash/addtask");
  await screen.findByRole("heading", { name: "Login now!" });
  expect(screen.queryByRole("region", { name: "The task you came for" })).toBeNull();
  expect(server.calls).toEqual([]);
  const elsewhere = [
    "https://evil.example/taskdetails/1",
    "//evil.example/taskdetails/1",
    "/taskdetails/1/report",
  ];
  for (const from of elsewhere) {
    const search = `?${new URLSearchParams({ from })}`;
    expect(requestedTaskId({ pathname: "/auth/login", search })).toBeUndefined();
  }
});

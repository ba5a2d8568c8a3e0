import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aTask } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { requestedTaskId } from "./task-placeholder.tsx";

const ID = "6b013f7acde63707dd8cd5c7";
const LOGIN = `/auth/login?from=${encodeURIComponent(`/taskdetails/${ID}?a=b`)}`;
const open = (address: string, response: () => unknown) => {
  const api = createFakeApi(() => ({ data: response() }));
  return { api, ...renderApp(address, { api, gateway: createFakeAuthGateway() }) };
};
const region = () => screen.findByRole("region", { name: "The task you came for" });

it("When a visitor must log in to see a task, then login and register show its public preview above the form", async () => {
  const task = aTask({ _id: ID, title: "A logo", budget: 450, email: "ada@people.example" });
  const { api, user } = open(LOGIN, () => task);
  await screen.findByText("A logo");
  expect(await region()).toHaveTextContent("$450");
  expect(await region()).not.toHaveTextContent("ada@people.example");
  expect(api.calls).toMatchObject([{ path: `/tasks/${ID}` }]);
  const form = screen.getByRole("button", { name: "Login" });
  expect((await region()).compareDocumentPosition(form)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await user.click(screen.getByRole("link", { name: "Register" }));
  await screen.findByRole("heading", { name: "Create your account" });
  expect(await region()).toHaveTextContent("A logo");
});

it("When the task no longer exists, then login says so and links to other tasks", async () => {
  open(LOGIN, () => {
    throw new ApiProblem("task-not-found", 404, "This task does not exist.");
  });
  await screen.findByText("This task is no longer available");
  expect(screen.getAllByRole("link", { name: "Browse Tasks" }).length).toBeGreaterThan(1);
  expect(screen.getByRole("button", { name: "Login" })).toBeVisible();
});

it("When the task fails to load, then it can be retried", async () => {
  let isDown = true;
  const { user } = open(LOGIN, () => {
    if (isDown) throw offlineProblem();
    return aTask({ _id: ID, title: "Back again" });
  });
  await screen.findByText("The task did not load");
  isDown = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("Back again");
});

it("When the visitor came for another page, then no task is shown or requested", async () => {
  const { api } = open("/auth/login?from=%2Fdash%2Faddtask", () => aTask());
  await screen.findByRole("heading", { name: "Login now!" });
  expect(screen.queryByRole("region", { name: "The task you came for" })).toBeNull();
  expect(api.calls).toEqual([]);
  for (const from of [
    "https://evil.example/taskdetails/1",
    "//evil.example/taskdetails/1",
    "/taskdetails/1/report",
  ])
    expect(
      requestedTaskId({ pathname: "/auth/login", search: `?${new URLSearchParams({ from })}` }),
    ).toBeUndefined();
});

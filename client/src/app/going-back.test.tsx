import { screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { createMemory } from "../lib/memory.ts";
import { offlineProblem } from "../lib/problem.ts";
import { aPerson, aTask } from "../testing/builders.ts";
import { createFakeApi } from "../testing/fake-api.ts";
import { createFakeAuthGateway } from "../testing/fake-auth-gateway.ts";
import { renderApp } from "../testing/render-app.tsx";
import { keepCurrent } from "./going-back.ts";

// The first test also loads the pages' modules.
const PATIENT = { timeout: 30_000 };
vi.setConfig({ testTimeout: 60_000 });

/** Somebody has seen the list and now looks at its first task. */
async function atTheDetails() {
  const task = aTask({ title: "Draw a fox" });
  const state = { tasks: [task], answer: async () => {} };
  const api = createFakeApi(async ({ method, path }) => {
    await state.answer();
    if (method === "PATCH") {
      state.tasks = state.tasks.map((one) => ({ ...one, bidsCount: one.bidsCount + 1 }));
      return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
    }
    return { data: path === "/tasks" ? state.tasks : state.tasks[0] };
  });
  const memory = createMemory(api);
  const app = renderApp("/browsetask", { api: memory, gateway: createFakeAuthGateway(aPerson()) });
  keepCurrent(app.router, memory, app.session);
  await app.user.click(await screen.findByRole("link", { name: "Draw a fox" }, PATIENT));
  await screen.findByRole("heading", { name: "Draw a fox", level: 1 }, PATIENT);
  const goBack = async () => {
    memory.recalling = true;
    await app.router.navigate(-1);
  };
  return { ...app, api, state, task, goBack };
}

it("When going back while the API is silent, then the list stands there, and takes what changed when it answers", async () => {
  const { state, task, goBack } = await atTheDetails();
  let speak = () => {};
  const silence = new Promise<void>((resolve) => {
    speak = resolve;
  });
  state.answer = () => silence;
  await goBack();
  expect(await screen.findByRole("heading", { name: "Browse Tasks", level: 1 })).toBeVisible();
  expect(screen.getByText("Draw a fox")).toBeVisible();
  state.tasks = [{ ...task, title: "Draw two foxes" }];
  speak();
  expect(await screen.findByText("Draw two foxes")).toBeVisible();
});

it("When going back and nothing has changed, then each list is asked about once and nothing is loaded again", async () => {
  const { api, goBack } = await atTheDetails();
  const before = api.calls.length;
  await goBack();
  await screen.findByRole("heading", { name: "Browse Tasks", level: 1 });
  await waitFor(() => expect(api.calls).toHaveLength(before + 1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(api.calls).toHaveLength(before + 1);
});

it("When going back without a connection, then the list stays", async () => {
  const { state, goBack } = await atTheDetails();
  state.answer = async () => {
    throw offlineProblem();
  };
  await goBack();
  expect(await screen.findByText("Draw a fox")).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(screen.getByText("Draw a fox")).toBeVisible();
});

it("When going back after a bid, then the list is asked for anew and shows the bid", async () => {
  const { user, goBack } = await atTheDetails();
  await user.click(screen.getByRole("button", { name: "Bid Now" }));
  await screen.findByText("1", { selector: "strong" });
  await goBack();
  expect(await screen.findByText("1 bid")).toBeVisible();
});

it("When somebody else is signed in, then nothing of before is recalled", async () => {
  const { session, api, goBack } = await atTheDetails();
  await session.signOut();
  const before = api.calls.length;
  await goBack();
  await screen.findByRole("heading", { name: "Browse Tasks", level: 1 });
  expect(api.calls.length).toBeGreaterThan(before);
});

import type { Task } from "@tasklane/server/contract";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPerson, aTask } from "../../../testing/builders.ts";
import { createFakeApi } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const stranger = { isOwner: false, hasBid: false, role: "freelancer", hasReviewed: false } as const;
const owner = { isOwner: true, hasBid: false, role: "client", hasReviewed: false } as const;

/** The details page of a task, as somebody signed in sees it. */
async function showing(overrides: Partial<Task>) {
  const task = aTask({ viewer: stranger, ...overrides });
  const api = createFakeApi(({ path }) => ({ data: path === `/tasks/${task._id}` ? task : [] }));
  renderApp(`/taskdetails/${task._id}`, { api, gateway: createFakeAuthGateway(aPerson()) });
  await screen.findByRole("heading", { name: task.title, level: 1 }, { timeout: 15_000 });
}

it("When the buyer's address is verified, then nothing is said of it; when it is not, then it is marked", async () => {
  await showing({ email: "clara@example.com", emailVerified: true });
  expect(screen.getByRole("link", { name: "clara@example.com" })).toBeVisible();
  expect(screen.queryByText("not verified")).toBeNull();
});

it("When an address is not verified, then it is marked where it is shown", async () => {
  const contact = { id: "client-1", name: "Clara Client", email: "clara@example.com", emailVerified: false };
  await showing({
    email: "clara@example.com",
    emailVerified: false,
    state: "awarded",
    viewer: { ...stranger, role: "hired", contact },
  });
  expect(screen.getAllByText("not verified")).toHaveLength(2);
});

it("When the day's addresses are used up, then the page says why there is none", async () => {
  await showing({ viewer: { ...stranger, addressLimitReached: true } });
  expect(screen.getByText(/looked up the addresses of 200 buyers today/)).toBeVisible();
});

it("When a client hired again and again, then the page says when the freelancer's address comes", async () => {
  await showing({
    state: "awarded",
    email: "fay@example.com",
    viewer: { ...owner, addressLimitReached: true },
  });
  expect(screen.getByText(/shown from tomorrow on/)).toBeVisible();
  expect(screen.queryByText(/looked up the addresses/)).toBeNull();
});

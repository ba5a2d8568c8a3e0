import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aPerson } from "../../../testing/builders.ts";
import { createFakeApi } from "../../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../../testing/render-app.tsx";

const overview = {
  totalTasks: 72,
  myTasks: 3,
  bidsByDay: [
    { date: "2026-11-20", received: 2, placed: 0 },
    { date: "2026-11-21", received: 3, placed: 1 },
  ],
  tasksByState: { open: 2, awarded: 1, completed: 0, cancelled: 0, expired: 0 },
};

it("When the dashboard opens, then counters, charts in words and the same figures as tables are there", async () => {
  const me = { id: "u1", isOperator: true, unread: 0, emailNotices: false, emailAvailable: false };
  const api = createFakeApi(({ path }) => ({ data: path === "/me" ? me : overview }));
  renderApp("/dash/dashboard", { api, gateway: createFakeAuthGateway(aPerson()) });
  await screen.findByRole("heading", { name: "Welcome, Fay Lance" }, { timeout: 15_000 });
  expect(screen.getByText("72")).toBeVisible();
  expect(screen.getByText("5 bids received and 1 placed in the last 2 days.")).toBeVisible();
  expect(screen.getByText("3 tasks: 2 open, 1 awarded.")).toBeVisible();
  const day = within(screen.getByRole("region", { name: "Bids over time" }))
    .getByText("Nov 21, 2026")
    .closest("tr");
  expect(day).toHaveTextContent("Nov 21, 202631");
  expect(screen.getByRole("link", { name: "Reports" })).toHaveAttribute("href", "/dash/reports");
});

import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { aTask } from "../testing/builders.ts";
import { closeDialog } from "../testing/find.ts";
import { openApp } from "../testing/open-app.tsx";

async function open() {
  const app = openApp("/about", { "GET /tasks": [aTask({ title: "A logo for a bakery" })] });
  await screen.findByRole("button", { name: /account menu/ });
  return app;
}

it("When Ctrl and K are pressed, then tasks, people and pages are searched, and Enter opens the first result", async () => {
  const { user, server, isAt } = await open();
  await user.keyboard("{Control>}k{/Control}");
  const field = screen.getByLabelText("Search tasks, people and pages");
  await user.type(field, "\u2068log\u2069 ");
  const task = await screen.findByRole("link", { name: /A logo for a bakery/ });
  expect(task).toHaveAttribute("href", expect.stringMatching(/^\/taskdetails\//));
  // The results are tasks in every state.
  for (const [name, address] of [
    [/All tasks with “log”/, "/browsetask?search=log&state=all"],
    [/People with “log”/, "/people?search=log"],
  ] as const)
    expect(screen.getByRole("link", { name })).toHaveAttribute("href", address);
  expect(server.calls.at(-1)?.query).toMatchObject({ search: "log", limit: "5" });
  await user.clear(field);
  await user.type(field, "my bids{Enter}");
  await isAt("/dash/mybids");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Search" })).toBeNull());
});

it("When ? is pressed, then the shortcuts are shown, but not while somebody is typing", async () => {
  const { user, fill } = await open();
  fireEvent.keyDown(screen.getByRole("main"), { key: "?" });
  expect(screen.getByRole("dialog", { name: "Keyboard shortcuts" })).toHaveTextContent(
    "Search tasks, people and pages",
  );
  await closeDialog();
  await user.keyboard("{Control>}k{/Control}");
  await fill("Search tasks, people and pages", "?");
  expect(screen.queryByRole("dialog", { name: "Keyboard shortcuts" })).toBeNull();
});

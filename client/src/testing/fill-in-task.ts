import { screen } from "@testing-library/react";
import type { openApp } from "./open-app.tsx";

/** Fills in the form for a new task, without sending it. */
export async function fillInTask({ user, fill }: ReturnType<typeof openApp>, title: string): Promise<void> {
  await fill("Title", title);
  await user.selectOptions(await screen.findByLabelText("Category"), "Design");
  await fill("Description", "Three drafts.");
  await fill("Deadline", "2099-01-31");
  await fill("Budget (USD)", "120.50");
}

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { setLive } from "../../lib/live.ts";
import { ConversationUpdates } from "./conversation-updates.tsx";

it("When several messages arrive, then each is announced, and reading one clears the announcement", async () => {
  const queryClient = new QueryClient();
  render(
    <QueryClientProvider client={queryClient}>
      <ConversationUpdates />
    </QueryClientProvider>,
  );
  const announced: (string | null)[] = [];
  for (const conversations of [0, 1, 2, 1, 2]) {
    await act(async () => {
      setLive(queryClient, () => ({ conversations }));
      // The query cache tells its observers in a task of its own.
      await new Promise((told) => setTimeout(told));
    });
    announced.push(screen.getByRole("status").textContent);
  }
  expect(announced).toEqual([
    "",
    "You have a new message. 1 conversation is unread.",
    "You have a new message. 2 conversations are unread.",
    "",
    "You have a new message. 2 conversations are unread.",
  ]);
});

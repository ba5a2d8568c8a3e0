import { QueryClient } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { expect, it } from "vitest";
import { ApiProvider } from "../../lib/api-context.tsx";
import { conversationNews } from "../../lib/live.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { ConversationUpdates } from "./conversation-updates.tsx";

it("When an update arrives before the first paint, then the cached conversations are invalidated", async () => {
  const queryClient = new QueryClient();
  const queryKey = ["conversations", "one"];
  queryClient.setQueryData(queryKey, "cached");
  function Stream() {
    useLayoutEffect(() => conversationNews.publish({ conversationId: "one", count: 2 }), []);
    return null;
  }
  render(
    <ApiProvider api={createFakeApi(() => ({ data: null }))} queryClient={queryClient}>
      <ConversationUpdates />
      <Stream />
    </ApiProvider>,
  );
  await expect.poll(() => queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
});

it("When several messages arrive, then each is announced, and reading one clears the announcement", () => {
  render(
    <ApiProvider api={createFakeApi(() => ({ data: null }))} queryClient={new QueryClient()}>
      <ConversationUpdates />
    </ApiProvider>,
  );
  const announcementFor = (unread: number) => {
    act(() => conversationNews.publish({ unread }));
    return screen.getByRole("status").textContent;
  };
  expect([0, 1, 2, 1, 2].map(announcementFor)).toEqual([
    "",
    "You have a new message. 1 conversation is unread.",
    "You have a new message. 2 conversations are unread.",
    "",
    "You have a new message. 2 conversations are unread.",
  ]);
});

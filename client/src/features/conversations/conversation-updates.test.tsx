import { QueryClient } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { expect, it } from "vitest";
import { ApiProvider } from "../../lib/api-context.tsx";
import { conversationNews } from "../../lib/live.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { ConversationUpdates } from "./conversation-updates.tsx";

it("When news comes with the bar, before the browser has painted it, then the conversations are out of date", async () => {
  const queryClient = new QueryClient();
  const queryKey = ["conversations", "one"];
  queryClient.setQueryData(queryKey, "as it was");
  function Stream() {
    useLayoutEffect(() => conversationNews.tell({ conversationId: "one", count: 2 }), []);
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

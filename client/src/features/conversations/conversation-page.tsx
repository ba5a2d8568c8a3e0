import { type LoaderFunctionArgs, useParams } from "react-router-dom";
import { isSessionOver } from "../../lib/problem.ts";
import { queryClientOf } from "../../lib/queries.tsx";
import { conversationQuery, messagesQuery } from "./conversation-queries.ts";
import { Thread } from "./thread.tsx";

/** Loads a conversation and its last messages. The page shows failures; only an expired session redirects to login. */
export async function loader(args: LoaderFunctionArgs): Promise<null> {
  const queryClient = queryClientOf(args);
  const id = args.params["id"] ?? "";
  const query = conversationQuery(id);
  await Promise.all([queryClient.prefetchQuery(query), queryClient.prefetchInfiniteQuery(messagesQuery(id))]);
  const error = queryClient.getQueryState(query.queryKey)?.error;
  if (isSessionOver(error)) throw error;
  return null;
}

/** A conversation, next to the list of conversations; on phones a page of its own. */
export function Component() {
  const id = useParams()["id"] ?? "";
  return <Thread key={id} id={id} isPage />;
}

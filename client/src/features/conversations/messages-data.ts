import { type LoaderFunctionArgs, redirect } from "react-router-dom";
import { type ListLoad, loadList, servicesOf } from "../../lib/api-context.tsx";
import { paths } from "../../lib/paths.ts";
import { isSessionOver } from "../../lib/problem.ts";
import { conversationQuery, conversationsQuery, messagesQuery } from "./conversation-queries.ts";

/** Loads the list of conversations. With `?task=` it leads to the one about that task, if there is one. */
export async function listLoader(args: LoaderFunctionArgs): Promise<ListLoad> {
  const task = new URL(args.request.url).searchParams.get("task");
  if (task && !args.params["id"]) {
    const { data } = await servicesOf(args).api.call("GET /me/conversations", { query: { task } });
    if (data[0]) throw redirect(paths.conversation(data[0]._id));
  }
  return loadList(args, conversationsQuery);
}

/** Loads a conversation and its last messages. The page shows failures; only an expired session redirects to login. */
export async function threadLoader(args: LoaderFunctionArgs): Promise<null> {
  const { queryClient } = servicesOf(args);
  const id = args.params["id"] ?? "";
  const query = conversationQuery(id);
  await Promise.all([queryClient.prefetchQuery(query), queryClient.prefetchInfiniteQuery(messagesQuery(id))]);
  const error = queryClient.getQueryState(query.queryKey)?.error;
  if (isSessionOver(error)) throw error;
  return null;
}

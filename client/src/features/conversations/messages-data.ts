import { messageDraftSchema } from "@tasklane/server/contract";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "react-router-dom";
import { apiOf, type ListLoad, loadList, servicesOf } from "../../lib/api-context.tsx";
import { type FormError, type FormResult, submitForm, toFormError } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { isSessionOver } from "../../lib/problem.ts";
import {
  conversationQuery,
  conversationsQuery,
  messagesQuery,
  readNewMessages,
} from "./conversation-queries.ts";

/** Loads the list of conversations. */
export function listLoader(args: LoaderFunctionArgs): Promise<ListLoad> {
  const query = conversationsQuery(apiOf(args));
  return loadList(args, query, query.pageSize);
}

export type OpenResult = { ok: true; id: string } | FormError;

/** Opens the conversation with the freelancer of `bidId`, and redirects to it unless the form contains `here`. */
export async function openAction(args: ActionFunctionArgs): Promise<OpenResult | Response> {
  const form = await args.request.formData();
  try {
    const params = { id: String(form.get("taskId")), bidId: String(form.get("bidId")) };
    const endpoint = "POST /tasks/:id/bids/:bidId/conversation";
    const id = (await apiOf(args).call(endpoint, { params, keepsCache: true })).data.insertedId;
    return form.has("here") ? { ok: true, id } : redirect(paths.conversation(id));
  } catch (error) {
    return toFormError(error);
  }
}

/** Loads a conversation and its last messages. The page shows failures; only an expired session redirects to login. */
export async function threadLoader(args: LoaderFunctionArgs): Promise<null> {
  const { api, queryClient } = servicesOf(args);
  const id = args.params["id"] ?? "";
  const query = conversationQuery(api, id);
  await Promise.all([
    queryClient.prefetchQuery(query),
    queryClient.prefetchInfiniteQuery(messagesQuery(api, id)),
  ]);
  const error = queryClient.getQueryState(query.queryKey)?.error;
  if (isSessionOver(error)) throw error;
  return null;
}

/** The result of sending a message, with its text as it was sent, or of blocking. */
export type ThreadResult = FormResult<{ sent?: string }>;

/** Sends a message, or blocks or unblocks the other side, depending on the form's `intent`. */
export async function threadAction(args: ActionFunctionArgs): Promise<ThreadResult> {
  const { api, queryClient } = servicesOf(args);
  const id = args.params["id"] ?? "";
  const target = { params: { id }, keepsCache: true };
  const form = await args.request.formData();
  const intent = form.get("intent");
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ["conversations"] });
  if (intent === "block" || intent === "unblock") {
    try {
      const body = { blocked: intent === "block" };
      await api.call("PATCH /me/conversations/:id/block", { ...target, body, isRepeatable: true });
      refresh();
      return { ok: true };
    } catch (error) {
      return toFormError(error);
    }
  }
  const result = await submitForm(form, messageDraftSchema, async (body, idempotencyKey) => {
    await api.call("POST /me/conversations/:id/messages", { ...target, body, idempotencyKey });
    // If this fails, the next update of the conversation fetches the messages.
    await readNewMessages(api, queryClient, id).catch(() => undefined);
    return { sent: body.text };
  });
  refresh();
  return result;
}

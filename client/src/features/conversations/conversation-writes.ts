import { useQueryClient } from "@tanstack/react-query";
import { messageDraftSchema } from "@tasklane/server/contract";
import { useApi } from "../../lib/api-context.tsx";
import { type FormError, type FormResult, sendOrExplain, submitForm, toFormError } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { readNewMessages } from "./conversation-queries.ts";

/** Opens the conversation with a bid's freelancer. */
export function useOpening(id: string, bidId: string) {
  const api = useApi();
  return useSubmission(async (): Promise<{ ok: true; id: string } | FormError> => {
    try {
      const endpoint = "POST /tasks/:id/bids/:bidId/conversation";
      const { data } = await api.call(endpoint, { params: { id, bidId }, keepsCache: true });
      return { ok: true, id: data.insertedId };
    } catch (error) {
      return toFormError(error);
    }
  });
}

/** Sends a message. The result has its text as it was sent. @param draft the key of its draft. */
export function useSendMessage(id: string, draft: string) {
  const api = useApi();
  const queryClient = useQueryClient();
  return useSubmission(async (form: FormData): Promise<FormResult<{ sent: string }>> => {
    const result = await submitForm(form, messageDraftSchema, async (body, idempotencyKey) => {
      const options = { params: { id }, body, idempotencyKey, keepsCache: true };
      await api.call("POST /me/conversations/:id/messages", options);
      // If this fails, the next update of the conversation fetches the messages.
      await readNewMessages(api, queryClient, id).catch(() => undefined);
      return { sent: body.text };
    });
    void queryClient.invalidateQueries({ queryKey: ["conversations"] });
    return result;
  }, draft);
}

/** Blocks or unblocks the other side. */
export function useBlocking(id: string) {
  const api = useApi();
  return useSubmission((blocked: boolean) =>
    sendOrExplain(() =>
      api.call("PATCH /me/conversations/:id/block", {
        params: { id },
        body: { blocked },
        isRepeatable: true,
      }),
    ),
  );
}

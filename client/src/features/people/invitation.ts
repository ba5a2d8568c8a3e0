import { useApi } from "../../lib/api-context.tsx";
import { type FormResult, toFormError } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";

/** Invites this person to bid on a task, by its id. `isNew` is false if they were invited or have bid before. */
export function useInvitation(personId: string) {
  const api = useApi();
  return useSubmission(async (taskId: string): Promise<FormResult<{ isNew: boolean }>> => {
    try {
      const { data } = await api.call("POST /tasks/:id/invitations", {
        params: { id: taskId },
        body: { personId },
        isRepeatable: true,
      });
      return { ok: true, isNew: data.modifiedCount > 0 };
    } catch (failure) {
      return toFormError(failure);
    }
  });
}

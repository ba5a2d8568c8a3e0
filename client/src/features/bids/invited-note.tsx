import type { Task } from "@tasklane/server/contract";
import { UserPlus } from "lucide-react";
import { useApi } from "../../lib/api-context.tsx";
import { formErrorOf, isBusy, sendOrExplain } from "../../lib/forms.ts";
import { useSubmission } from "../../lib/submission.ts";
import { FormAlert } from "../../ui/form-alert.tsx";

/** Says that the client has invited the reader to bid, who can decline that. */
export function InvitedNote({ task }: { task: Task }) {
  const api = useApi();
  const decline = useSubmission(() =>
    sendOrExplain(() =>
      api.call("DELETE /me/invitations/:id", { params: { id: task._id }, isRepeatable: true }),
    ),
  );
  return (
    <div className="space-y-2 rounded-field bg-info/10 p-3 text-sm">
      <p className="flex gap-2 font-medium">
        <UserPlus aria-hidden="true" className="size-5 shrink-0" />
        The client has invited you to bid.
      </p>
      <FormAlert error={formErrorOf(decline)} />
      <button
        type="button"
        className="btn btn-ghost btn-sm"
        aria-disabled={isBusy(decline) || undefined}
        onClick={() => void (isBusy(decline) || decline.send())}
      >
        Decline the invitation
      </button>
    </div>
  );
}

import { type ClosedReason, type Conversation, MESSAGE_LIMITS } from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { useFetcher } from "react-router-dom";
import { formatDayOf } from "../../lib/format.ts";
import { formErrorOf, isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import type { ThreadResult } from "./messages-data.ts";

/** Stands in the composer's place where nobody can write, and says why. */
export function Closed({ conversation, reason }: { conversation: Conversation; reason: ClosedReason }) {
  const fetcher = useFetcher<ThreadResult>();
  const { name } = conversation.other;
  const reasons: Record<ClosedReason, string> = {
    left: "The other side has deleted their account. Nobody would read what you write.",
    deleted: "The task was deleted, and its conversations are closed.",
    ended: `The task ended more than ${MESSAGE_LIMITS.daysAfterEnd} days ago, and its conversations are closed.`,
    "you-blocked": `You have blocked ${name}. Neither of you can write to the other.`,
    "blocked-you": `${name} does not take messages from you.`,
  };
  return (
    <div className="space-y-2">
      <p role="status" className="quiet flex items-start gap-2 text-sm wrap-anywhere">
        <Lock aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {reasons[reason]}
      </p>
      {reason === "you-blocked" && (
        <fetcher.Form method="post" action={paths.conversation(conversation._id)} className="space-y-2">
          <FormAlert error={formErrorOf(fetcher)} />
          <button
            type="submit"
            name="intent"
            value="unblock"
            className="btn btn-outline btn-sm"
            aria-disabled={isBusy(fetcher) || undefined}
          >
            {isBusy(fetcher) ? "Unblocking…" : "Unblock"}
          </button>
        </fetcher.Form>
      )}
    </div>
  );
}

/** Until when one can write, once the task has ended. */
export function ClosesAt({ at }: { at: string | undefined }) {
  if (!at) return null;
  return (
    <p className="quiet text-xs">
      The task has ended. You can write here until <time dateTime={at}>{formatDayOf(at)}</time>.
    </p>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { BID_LIMITS, bidNoteSchema, type ReceivedBid } from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { useState } from "react";
import { refetchActive, useApi } from "../../../lib/api-context.tsx";
import { readDraft } from "../../../lib/drafts.ts";
import { submitForm } from "../../../lib/forms.ts";
import { useDraft } from "../../../ui/action-form.tsx";
import { TextForm } from "../../../ui/text-form.tsx";
import { receivedBidsKey } from "../bid-queries.ts";

/** The client's private note about a bid, which they can write, change and empty here. */
export function BidNote({ taskId, bid: { _id, name, note = "" } }: { taskId: string; bid: ReceivedBid }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const draft = useDraft(`note.${_id}`);
  const [isWriting, setIsWriting] = useState(() => readDraft(draft) !== null);
  if (isWriting)
    return (
      <TextForm
        name={`note${_id}`}
        field="note"
        save={(form) =>
          submitForm(form, bidNoteSchema, async (body) => {
            const params = { id: taskId, bidId: _id };
            await api.call("PUT /tasks/:id/bids/:bidId/note", { params, body, isRepeatable: true });
            await refetchActive(queryClient, receivedBidsKey(taskId));
            return {};
          })
        }
        label="Private note"
        hint="Only you see it."
        limit={BID_LIMITS.note}
        isRequired={false}
        start={note}
        draft={draft}
        submit="Save note"
        busy="Saving…"
        onClose={() => setIsWriting(false)}
      />
    );
  return (
    <div data-focus-home className="flex flex-wrap items-start gap-x-2 text-sm">
      {note && (
        <p dir="auto" className="grow basis-40 border-s-2 ps-2 whitespace-pre-line wrap-anywhere">
          <Lock aria-hidden="true" className="quiet me-1 inline size-3.5" />
          <span className="sr-only">Your private note: </span>
          {note}
        </p>
      )}
      <button
        type="button"
        className="btn -ms-2 btn-ghost btn-sm"
        aria-label={note ? `Edit the note about ${name}` : `Add a private note about ${name}`}
        onClick={() => setIsWriting(true)}
      >
        {note ? "Edit note" : "Add a private note"}
      </button>
    </div>
  );
}

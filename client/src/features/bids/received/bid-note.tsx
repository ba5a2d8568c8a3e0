import { useQueryClient } from "@tanstack/react-query";
import { BID_LIMITS, bidNoteSchema, type ReceivedBid } from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { refetchActive } from "../../../lib/api-context.tsx";
import { TextForm } from "../../../ui/text-form.tsx";
import { receivedBidsKey } from "../bid-queries.ts";

/** The client's private note about a bid, which they can write, change and empty here. */
export function BidNote({ taskId, bid: { _id, name, note } }: { taskId: string; bid: ReceivedBid }) {
  const queryClient = useQueryClient();
  return (
    <TextForm
      name={`note${_id}`}
      field="note"
      schema={bidNoteSchema}
      save={async (body, call) => {
        const params = { id: taskId, bidId: _id };
        await call("PUT /tasks/:id/bids/:bidId/note", { params, body, isRepeatable: true });
        await refetchActive(queryClient, receivedBidsKey(taskId));
      }}
      label="Private note"
      hint="Only you see it."
      limit={BID_LIMITS.note}
      isRequired={false}
      start={note}
      draft={`note.${_id}`}
      submit="Save note"
      busy="Saving…"
      closed={(open) => (
        <div className="flex flex-wrap items-start gap-x-2 text-sm">
          {note && (
            <p dir="auto" className="grow basis-40 border-s-2 ps-2 whitespace-pre-line wrap-anywhere">
              <Lock className="quiet me-1 inline size-3.5" />
              <span className="sr-only">Your private note: </span>
              {note}
            </p>
          )}
          <button
            type="button"
            className="btn -ms-2 btn-ghost btn-sm"
            aria-label={note ? `Edit the note about ${name}` : `Add a private note about ${name}`}
            onClick={open}
          >
            {note ? "Edit note" : "Add a private note"}
          </button>
        </div>
      )}
    />
  );
}

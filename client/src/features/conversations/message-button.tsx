import type { ReceivedBid } from "@tasklane/server/contract";
import { MessageSquareText } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useFetcher } from "react-router-dom";
import { formErrorOf, isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormAlert } from "../../ui/form-alert.tsx";
import { useMedia } from "../../ui/use-media.ts";
import type { OpenResult } from "./messages-data.ts";

type Props = {
  taskId: string;
  bid: ReceivedBid;
  renderThread: (id: string) => ReactNode;
  className?: string;
};

/**
 * Opens the conversation with a bid's freelancer once the client has shortlisted or awarded the bid: in a side panel on
 * wide screens, otherwise on its own page.
 */
export function MessageButton({
  taskId,
  bid,
  renderThread,
  className = "quiet btn btn-ghost btn-sm",
}: Props) {
  const fetcher = useFetcher<OpenResult>();
  const isWide = useMedia("(min-width: 64rem)");
  const [id, setId] = useState<string>();
  const { data, state } = fetcher;
  const busy = isBusy(fetcher);

  useEffect(() => {
    if (state === "idle" && data?.ok) setId(data.id);
  }, [state, data]);

  if (bid.state !== "shortlisted" && bid.state !== "awarded") return null;
  const open = () => {
    const form = { taskId, bidId: bid._id, ...(isWide && { here: "on" }) };
    if (!busy) void fetcher.submit(form, { method: "post", action: paths.messages });
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={`Message ${bid.name}`}
        aria-haspopup={isWide ? "dialog" : undefined}
        aria-disabled={busy || undefined}
        onClick={open}
      >
        <MessageSquareText aria-hidden="true" className="size-4" />
        {busy ? "Opening…" : "Message"}
      </button>
      <FormAlert error={formErrorOf(fetcher)} />
      <Dialog
        title={`Messages with ${bid.name}`}
        open={id !== undefined}
        onClose={() => setId(undefined)}
        shape="panel"
      >
        {id && renderThread(id)}
      </Dialog>
    </>
  );
}

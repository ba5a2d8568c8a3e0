import type { Task } from "@tasklane/server/contract";
import { Flag } from "lucide-react";
import { useState } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { ReportForm } from "./report-form.tsx";

/** Reports a task to the operators; not for its owner. */
export function ReportTaskButton({ task }: { task: Task }) {
  if (!task.viewer || task.viewer.isOwner) return null;
  return <ReportButton taskId={task._id} text="Report this task" title="Report this task" />;
}

/** Reports one bid on the caller's own task; `bidder` is the name beside it. */
export function ReportBidButton({
  taskId,
  bidId,
  bidder,
}: {
  taskId: string;
  bidId: string;
  bidder: string;
}) {
  return (
    <ReportButton
      taskId={taskId}
      bidId={bidId}
      text="Report"
      title={`Report ${bidder}’s bid`}
      label={`Report ${bidder}’s bid`}
    />
  );
}

type Props = { taskId: string; bidId?: string; text: string; title: string; label?: string };

/** A quiet button that opens the report's form. */
function ReportButton({ taskId, bidId, text, title, label }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="quiet btn btn-ghost btn-sm"
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Flag aria-hidden="true" className="size-4" />
        {text}
      </button>
      <Dialog title={title} open={open} onClose={() => setOpen(false)}>
        <ReportForm taskId={taskId} {...(bidId && { bidId })} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

import { useQuery } from "@tanstack/react-query";
import type { Task } from "@tasklane/server/contract";
import { Share2 } from "lucide-react";
import { type LoaderFunctionArgs, useParams } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { loadQuery, meQuery, queryClientOf, useLoadedQuery } from "../../../lib/queries.tsx";
import { notify } from "../../../ui/notify.tsx";
import { useNow } from "../../../ui/now.tsx";
import { AgreementPanel } from "../../agreements/agreement-panel.tsx";
import { isEndProposed } from "../../agreements/milestones.tsx";
import { BidFormPanel, BidPanel, useBidding } from "../../bids/bid-panel.tsx";
import { DeliveryPanel } from "../../delivery/delivery-panel.tsx";
import { Timeline } from "../../delivery/timeline.tsx";
import { DisputePanel } from "../../disputes/dispute-panel.tsx";
import { PaymentPanel } from "../../payments/payment-panel.tsx";
import { ReviewPanel } from "../../people/review/review-panel.tsx";
import { questionsQuery } from "../../questions/question-list.tsx";
import { Questions } from "../../questions/questions.tsx";
import { ReportButton } from "../../reports/report-button.tsx";
import { SaveButton } from "../../saved-tasks/save-button.tsx";
import { useLiveTask } from "../live-tasks.ts";
import { useOwnerActions } from "../owner-actions.tsx";
import { taskQuery } from "../task-queries.ts";
import { OwnerPanel } from "./owner-panel.tsx";
import { ActionButton, StatusCard } from "./status-card.tsx";
import { TaskDetails } from "./task-details.tsx";

export function loader(args: LoaderFunctionArgs): Promise<Task> {
  const id = args.params["id"] ?? "";
  // In parallel with the task, which does not wait for its questions.
  void queryClientOf(args).prefetchInfiniteQuery(questionsQuery(id));
  return loadQuery(args, taskQuery(id));
}

/** The details page of both layouts: a live task and the actions available to the reader. */
export function Component() {
  const task = useLoadedQuery(taskQuery(useParams()["id"] ?? ""));
  return <LiveTask key={task._id} task={task} />;
}

function LiveTask({ task }: { task: Task }) {
  useLiveTask(task);
  // For everything below that ends with the deadline.
  useNow();
  const owner = useOwnerActions(task);
  const bidding = useBidding(task);
  const { viewer } = task;
  const { data: me } = useQuery({ ...meQuery, enabled: viewer !== undefined });
  const isOperator = me?.isOperator === true && ["awarded", "delivered"].includes(task.state);
  const isOwner = viewer?.isOwner === true;
  const accept = isOwner && (
    <ActionButton
      action={owner.actions.find(({ to }) => to === "completed")}
      busy={owner.busy}
      isQuiet={isEndProposed(task)}
    />
  );
  const steps = (
    <>
      <DeliveryPanel task={task} accept={accept} />
      <PaymentPanel task={task} />
      <DisputePanel task={task} />
    </>
  );
  return (
    <TaskDetails
      task={task}
      actions={
        <>
          {!isOwner && !(task.hidden && viewer?.role === "freelancer") && <SaveButton task={task} text />}
          {!task.hidden && <ShareButton title={task.title} path={paths.task(task._id)} />}
        </>
      }
      status={
        isOwner ? (
          <OwnerPanel task={task} owner={owner}>
            {steps}
          </OwnerPanel>
        ) : viewer?.role === "hired" ? (
          <StatusCard task={task} label="Your job" title="Your job">
            {steps}
          </StatusCard>
        ) : (
          // Whoever was hired reads how their hire ended, also if it was cancelled.
          (isOperator || viewer?.bid?.state === "awarded") && <DisputePanel task={task} isCard />
        )
      }
      form={!isOwner && <BidFormPanel task={task} bidding={bidding} />}
      panels={
        <>
          <ReviewPanel task={task} />
          {!isOwner && <BidPanel task={task} bidding={bidding} />}
        </>
      }
    >
      <AgreementPanel task={task} />
      <Timeline task={task} />
      <Questions task={task} />
      {task.viewer?.isOwner === false && (
        <ReportButton taskId={task._id} title="Report this task" text="Report this task" />
      )}
    </TaskDetails>
  );
}

/** Shares a page of this app with the device's share dialog, or copies its URL if there is none. */
export function ShareButton({ title, path }: { title: string; path: string }) {
  const share = async () => {
    const url = new URL(path, window.location.origin).href;
    try {
      if (typeof navigator.share === "function") return await navigator.share({ title, url });
    } catch (error) {
      // The person cancelled.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
    await copy(url);
  };
  return (
    <button type="button" className="btn btn-ghost btn-sm" onClick={() => void share()}>
      <Share2 className="size-5 text-base-content/70" />
      Share
    </button>
  );
}

/** Copies the URL, or shows it: the clipboard may be blocked, and is missing over plain HTTP. */
async function copy(url: string): Promise<void> {
  const topic = "share";
  try {
    await navigator.clipboard.writeText(url);
    notify.success("The link is copied.", { topic });
  } catch {
    const text = (
      <>
        Copy this link: <span className="wrap-anywhere select-all">{url}</span>
      </>
    );
    notify.info(text, { topic, autoClose: false });
  }
}

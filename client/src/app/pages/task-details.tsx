import type { Task } from "@tasklane/server/contract";
import { type LoaderFunctionArgs, useParams } from "react-router-dom";
import { BidPanel } from "../../features/bids/bid-panel.tsx";
import { DeliveryPanel } from "../../features/delivery/delivery-panel.tsx";
import { Timeline } from "../../features/delivery/timeline.tsx";
import { ClientRecord, ClientRecordInBrief } from "../../features/people/client-record.tsx";
import { ReviewPanel } from "../../features/people/review/review-panel.tsx";
import { questionsQuery } from "../../features/questions/question-queries.ts";
import { Questions } from "../../features/questions/questions.tsx";
import { ReportQuestionButton, ReportTaskButton } from "../../features/reports/report-button.tsx";
import { SaveButton } from "../../features/saved-tasks/save-button.tsx";
import { TaskDetails } from "../../features/tasks/detail/task-detail-page.tsx";
import { useLiveDetails } from "../../features/tasks/live-tasks.ts";
import { CompleteButton, OwnerPanel, useOwnerActions } from "../../features/tasks/owner-actions.tsx";
import { taskQuery } from "../../features/tasks/task-queries.ts";
import { apiOf, loadQuery, servicesOf, useApi } from "../../lib/api-context.tsx";
import { useLoadedQuery } from "../../lib/loaded-query.ts";
import { paths } from "../../lib/paths.ts";
import { lazyModule } from "../../ui/lazy-module.ts";
import { ShareButton } from "../../ui/share-button.tsx";

export function loader(args: LoaderFunctionArgs): Promise<Task> {
  const id = args.params["id"] ?? "";
  // In parallel with the task, which does not wait for its questions.
  void servicesOf(args).queryClient.prefetchInfiniteQuery(questionsQuery(apiOf(args), id));
  return loadQuery(args, taskQuery(apiOf(args), id));
}

/** The details page of both layouts: a live task and the actions available to the reader. */
export function Component() {
  const task = useLoadedQuery(taskQuery(useApi(), useParams()["id"] ?? ""));
  return <LiveTask key={task._id} task={task} />;
}

function LiveTask({ task }: { task: Task }) {
  useLiveDetails(task);
  return (
    <TaskDetails
      task={task}
      actions={
        <>
          {!task.viewer?.isOwner && <SaveButton task={task} text />}
          {!task.hidden && <ShareButton title={task.title} path={paths.task(task._id)} />}
        </>
      }
      bid={
        <>
          <ReviewPanel task={task} />
          {task.viewer?.isOwner ? <OwnTask task={task} /> : <OthersTask task={task} />}
        </>
      }
      below={
        <Questions
          task={task}
          extra={(question) => <ReportQuestionButton taskId={task._id} questionId={question._id} />}
        />
      }
      record={<ClientRecord task={task} />}
      message={task.viewer?.contact && !task.otherSideLeft && <MessageContact task={task} />}
      timeline={<Timeline task={task} />}
      report={<ReportTaskButton task={task} />}
    />
  );
}

// Loaded lazily: few readers of a task have somebody to message.
const useMessages = lazyModule(() => import("../message-contact.tsx"));

function MessageContact({ task }: { task: Task }) {
  const messages = useMessages();
  return messages ? <messages.MessageContact task={task} /> : null;
}

function OwnTask({ task }: { task: Task }) {
  const owner = useOwnerActions(task);
  return (
    <>
      <DeliveryPanel task={task} accept={<CompleteButton owner={owner} />} />
      <OwnerPanel task={task} owner={owner} />
    </>
  );
}

function OthersTask({ task }: { task: Task }) {
  return (
    <>
      <DeliveryPanel task={task} />
      <BidPanel task={task} record={<ClientRecordInBrief task={task} />} />
    </>
  );
}

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { mayAct, type Task } from "@tasklane/server/contract";
import { useRef } from "react";
import { useLocation } from "react-router-dom";
import { useApi } from "../../lib/api-context.tsx";
import { formErrorOf, isBusy, sendOrExplain } from "../../lib/forms.ts";
import { useLiveTask } from "../../lib/live.ts";
import { firstItems } from "../../lib/pages.ts";
import { problemText } from "../../lib/problem.ts";
import { markStale } from "../../lib/query-client.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useSubmission } from "../../lib/submission.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { AskPanel } from "./question-forms.tsx";
import { QuestionItem } from "./question-item.tsx";
import { questionsQuery } from "./question-queries.ts";

/** A task's questions and answers, updated live. Freelancers ask and the client answers while the task is open. */
export function Questions({ task }: { task: Task }) {
  const query = questionsQuery(useApi(), task._id);
  const { data, error, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, refetch } =
    useInfiniteQuery({ ...query, retryOnMount: true });
  useLiveQuestions(task._id, query.queryKey);

  const { hash } = useLocation();
  const isClient = task.viewer?.isOwner === true;
  const { items } = firstItems(data ?? { pages: [] });
  const isOpen = mayAct("ask", "freelancer", stateNow(task)) && !task.hidden;
  const failed = error && !isFetching && problemText(error);
  // A link from a notification needs its target while the questions still load.
  const isLinkTarget = !data && hash === "#questions";
  if (!isOpen && items.length === 0 && !failed && !isLinkTarget) return null;
  return (
    <section className="card card-body gap-5 sm:p-8" aria-labelledby="questions">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2
          id="questions"
          tabIndex={-1}
          className="scroll-mt-28 text-lg font-semibold outline-none"
          data-focus-home
        >
          Questions
        </h2>
        {isClient && isOpen && <CloseQuestions task={task} />}
      </div>
      {data && <Explanation task={task} isOpen={isOpen} isEmpty={items.length === 0} />}
      {!data && !failed && <Skeleton />}
      {items.length > 0 && (
        <ul aria-label="Questions" className="divide-y divide-base-300">
          {items.map((question) => (
            <QuestionItem key={question._id} task={task} question={question} />
          ))}
        </ul>
      )}
      <FormAlert takesFocus={false}>
        {failed && (
          <>
            {failed}{" "}
            <button type="button" className="btn btn-outline btn-sm" onClick={() => void refetch()}>
              Try again
            </button>
          </>
        )}
      </FormAlert>
      {hasNextPage && (
        <LoadMoreButton
          text="Load more questions"
          busy={isFetchingNextPage}
          className="self-center btn-outline"
          onClick={() => fetchNextPage()}
        />
      )}
      {data && isOpen && !isClient && !task.questionsClosed && <AskPanel task={task} asked={items} />}
    </section>
  );
}

/** Lets the client close their task to questions, or reopen it. */
function CloseQuestions({ task }: { task: Task }) {
  const api = useApi();
  const change = useSubmission(() => {
    const body = { closed: !task.questionsClosed };
    return sendOrExplain(() =>
      api.call("PATCH /tasks/:id/questions", { params: { id: task._id }, body, isRepeatable: true }),
    );
  });
  const busy = isBusy(change);
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost btn-sm"
        aria-disabled={busy || undefined}
        onClick={() => void (busy || change.send())}
      >
        {task.questionsClosed ? "Take questions again" : "Close questions"}
      </button>
      <FormAlert error={formErrorOf(change)} />
    </>
  );
}

/** Reloads the questions when a live event says that they changed, or may have changed before the first event. */
function useLiveQuestions(taskId: string, queryKey: readonly unknown[]): void {
  const queryClient = useQueryClient();
  const latestRevision = useRef<number>(undefined);
  useLiveTask(taskId, (event) => {
    if (!event || event.questionsRevision === latestRevision.current) return;
    latestRevision.current = event.questionsRevision;
    void markStale(queryClient, queryKey);
  });
}

type ExplanationProps = { task: Task; isOpen: boolean; isEmpty: boolean };

function Explanation({ task, isOpen, isEmpty }: ExplanationProps) {
  const isClient = task.viewer?.isOwner;
  const text = !isOpen
    ? undefined
    : task.questionsClosed
      ? isClient
        ? "You are not taking any more questions on this task. You can still answer the existing ones."
        : "The client is not taking any more questions on this task."
      : !isEmpty
        ? undefined
        : isClient
          ? "Nobody has asked anything yet. Your answers are shown to everybody."
          : "Nobody has asked anything yet. Is something unclear? The client’s answer helps every bidder.";
  return text && <p className="quiet text-sm">{text}</p>;
}

function Skeleton() {
  return (
    <div aria-busy="true" className="space-y-3">
      <span className="sr-only">Loading the questions…</span>
      <div className="skeleton h-4 w-1/3" />
      <div className="skeleton h-4 w-4/5" />
    </div>
  );
}

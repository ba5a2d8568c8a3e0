import { useInfiniteQuery } from "@tanstack/react-query";
import {
  mayAct,
  QUESTION_LIMITS,
  type Question,
  questionDraftSchema,
  type Task,
} from "@tasklane/server/contract";
import { useLocation } from "react-router-dom";
import { firstItems } from "../../lib/pages.ts";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { LoadMoreButton } from "../../ui/load-more.tsx";
import { stateNow } from "../../ui/now.tsx";
import { Section } from "../../ui/section.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { TextForm } from "../../ui/text-form.tsx";
import { QuestionItem } from "./question-item.tsx";
import { questionsQuery } from "./question-list.tsx";

/** A task's questions and answers. Freelancers ask and the client answers while the task is open. */
export function Questions({ task }: { task: Task }) {
  const list = useInfiniteQuery({ ...questionsQuery(task._id), retryOnMount: true });
  const { data, error, isFetching } = list;
  const { hash } = useLocation();
  const isClient = task.viewer?.isOwner === true;
  const explanation = EXPLANATIONS[isClient ? "client" : "freelancer"];
  const { items } = firstItems(data);
  const isOpen = mayAct("ask", "freelancer", stateNow(task)) && !task.hidden;
  const failed = error && !isFetching;
  // A link from a notification needs its target while the questions still load.
  const isLinkTarget = !data && hash === "#questions";
  if (!isOpen && items.length === 0 && !failed && !isLinkTarget) return null;
  return (
    <Section
      id="questions"
      title="Questions"
      action={
        isClient &&
        isOpen && (
          <SendButton
            send={(call) =>
              call("PATCH /tasks/:id/questions", {
                params: { id: task._id },
                body: { closed: !task.questionsClosed },
                isRepeatable: true,
              })
            }
            className="btn-ghost btn-sm"
          >
            {task.questionsClosed ? "Take questions again" : "Close questions"}
          </SendButton>
        )
      }
    >
      {data && isOpen && (
        <p className="quiet text-sm empty:hidden">
          {task.questionsClosed ? explanation.closed : items.length === 0 && explanation.empty}
        </p>
      )}
      {!data && !failed && <Skeleton />}
      {items.length > 0 && (
        <ul aria-label="Questions" className="divide-y divide-base-300">
          {items.map((question) => (
            <QuestionItem key={question._id} task={task} question={question} />
          ))}
        </ul>
      )}
      <LoadFailure list={list} />
      <LoadMoreButton list={list} text="Load more questions" className="self-center btn-outline" />
      {data && isOpen && !isClient && !task.questionsClosed && <AskPanel task={task} asked={items} />}
    </Section>
  );
}

/** What to expect, by who reads it. */
const EXPLANATIONS = {
  client: {
    closed: "You are not taking any more questions on this task. You can still answer the existing ones.",
    empty: "Nobody has asked anything yet. Your answers are shown to everybody.",
  },
  freelancer: {
    closed: "The client is not taking any more questions on this task.",
    empty: "Nobody has asked anything yet. Is something unclear? The client’s answer helps every bidder.",
  },
};

function Skeleton() {
  return (
    <div aria-busy="true" className="space-y-3">
      <span className="sr-only">Loading the questions…</span>
      <div className="skeleton h-4 w-1/3" />
      <div className="skeleton h-4 w-4/5" />
    </div>
  );
}

/** Lets a freelancer ask up to `QUESTION_LIMITS.perTask` questions. The server also counts those not on this page. */
function AskPanel({ task: { _id: id }, asked }: { task: Task; asked: readonly Question[] }) {
  if (asked.filter(({ isOwn }) => isOwn).length >= QUESTION_LIMITS.perTask)
    return (
      <p className="quiet text-sm">
        You have asked {QUESTION_LIMITS.perTask} questions on this task, which is the limit.
      </p>
    );
  return (
    <TextForm
      schema={questionDraftSchema}
      save={(body, call) => call("POST /tasks/:id/questions", { params: { id }, body })}
      success="Your question is sent. We’ll notify you when it is answered."
      label="Your question"
      hint="Once it is answered, everybody can read both. Only the client sees who asked."
      limit={QUESTION_LIMITS.text}
      isPublic
      draft={`question.${id}`}
      submit="Send question"
      closed={(open) => (
        <button type="button" className="btn self-start btn-outline" onClick={open}>
          Ask a question
        </button>
      )}
    />
  );
}

import {
  answerDraftSchema,
  mayAct,
  QUESTION_LIMITS,
  type Question,
  type Task,
} from "@tasklane/server/contract";
import { useState } from "react";
import { readDraft } from "../../lib/drafts.ts";
import { stateNow, When } from "../../ui/now.tsx";
import { Avatar, PersonLink } from "../../ui/person.tsx";
import { useDraft } from "../../ui/schema-form.tsx";
import { SendButton } from "../../ui/send-button.tsx";
import { TextForm } from "../../ui/text-form.tsx";
import { ClampedText } from "../../ui/user-text.tsx";
import { ReportButton } from "../reports/report-button.tsx";

type ItemProps = { task: Task; question: Question };

/** One question with its answer. The client can answer it, and the asker can delete it until it is answered. */
export function QuestionItem({ task, question }: ItemProps) {
  const { _id: questionId, text, answer, createdAt, isOwn, asker } = question;
  const params = { id: task._id, questionId };
  return (
    <li className="space-y-3 py-5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start gap-3">
        {asker && <Avatar name={asker.name} src={asker.image} size="sm" />}
        <div className="min-w-0 grow basis-40 space-y-1">
          <div className="flex flex-wrap items-start justify-between gap-x-2">
            <p className="quiet min-w-0 grow basis-32 text-sm wrap-anywhere">
              <Asker question={question} /> <When at={createdAt} />
            </p>
            <div className="-my-1.5 -mx-3">
              {!(isOwn && !answer) && (
                <ReportButton taskId={task._id} questionId={questionId} title="Report this question" />
              )}
            </div>
          </div>
          <p dir="auto" className="font-medium wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        </div>
      </div>
      {answer && (
        <div className="space-y-1 border-s-4 border-primary ps-4">
          <p className="quiet text-sm wrap-anywhere">
            <bdi className="font-semibold">{task.name}</bdi> answered <When at={answer.createdAt} />
            {answer.updatedAt !== answer.createdAt && ", edited"}
          </p>
          <ClampedText text={answer.text} />
        </div>
      )}
      {/* The reason for hiding a task may be in an answer, which the client can then mend. */}
      {task.viewer?.isOwner && mayAct("answer", "client", stateNow(task)) && (answer || !task.hidden) && (
        <AnswerForm task={task} question={question} />
      )}
      {isOwn && !answer && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="quiet text-sm">Only you and the client see it until it is answered.</p>
          <SendButton
            send={(call) => call("DELETE /tasks/:id/questions/:questionId", { params })}
            question={DELETION}
            className="-mx-3 btn-ghost btn-sm"
          >
            Delete
          </SendButton>
        </div>
      )}
    </li>
  );
}

const DELETION = {
  title: "Delete your question?",
  text: "The client will no longer see it.",
  yes: "Yes, delete it",
  no: "Keep it",
};

/** Who asked, if the reader may know: freelancers do not see who else asked. */
function Asker({ question: { asker, isOwn } }: { question: Question }) {
  if (isOwn) return <span className="font-semibold">You asked</span>;
  if (!asker) return <>Asked</>;
  return (
    <>
      <PersonLink id={asker.id} name={asker.name} className="font-semibold" /> asked
    </>
  );
}

/** Lets the client answer a question or edit the answer. */
function AnswerForm({ task, question: { _id, answer } }: ItemProps) {
  const params = { id: task._id, questionId: _id };
  const { updatedAt = "" } = answer ?? {};
  const draftName = `answer.${_id}`;
  const draft = useDraft(draftName);
  // What the form or its draft was opened over; after a save or a refusal, what the page shows counts.
  const [opened, setOpened] = useState(() => readDraft(draft)?.basis as string | undefined);
  return (
    <TextForm
      schema={answerDraftSchema}
      save={({ text }, call) => {
        const body = { text, updatedAt: opened ?? updatedAt };
        const options = { params, body, isRepeatable: true };
        return call("PUT /tasks/:id/questions/:questionId/answer", options).finally(() =>
          setOpened(undefined),
        );
      }}
      label="Your answer"
      hint="Everybody can read it, together with the question."
      limit={QUESTION_LIMITS.answer}
      start={answer?.text}
      isPublic
      draft={draftName}
      basis={opened ?? updatedAt}
      submit={answer ? "Save answer" : "Publish answer"}
      busy="Publishing…"
      closed={(open) => (
        <button
          type="button"
          className={`btn btn-sm ${answer ? "btn-outline" : "btn-primary"}`}
          onClick={() => {
            setOpened(updatedAt);
            open();
          }}
        >
          {answer ? "Edit answer" : "Answer"}
        </button>
      )}
    />
  );
}

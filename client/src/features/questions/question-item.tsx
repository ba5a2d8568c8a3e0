import { mayAct, QUESTION_LIMITS, type Question, type Task } from "@tasklane/server/contract";
import { type ReactNode, useState } from "react";
import { useFetcher } from "react-router-dom";
import { readDraft } from "../../lib/drafts.ts";
import { formatWhen } from "../../lib/format.ts";
import { formErrorOf, isBusy } from "../../lib/forms.ts";
import { paths } from "../../lib/paths.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useDraft } from "../../ui/action-form.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ClampedText } from "../../ui/clamped-text.tsx";
import { confirm } from "../../ui/confirm.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { PersonLink } from "../../ui/person-link.tsx";
import type { QuestionResult } from "./questions-action.ts";
import { TextForm } from "./text-form.tsx";

type Props = {
  task: Task;
  question: Question;
  /** A quiet action beside it, from the app. */
  extra: ReactNode;
};

/** One question with its answer, and what the reader can do with it: answer it as the client, or delete an own one. */
export function QuestionItem({ task, question, extra }: Props) {
  const { text, answer, createdAt, isOwn } = question;
  const mayAnswer = task.viewer?.isOwner && mayAct("answer", "client", stateNow(task));
  return (
    <li className="space-y-3 py-5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start gap-3">
        {question.asker && <Avatar name={question.asker.name} src={question.asker.image} size="sm" />}
        <div className="min-w-0 grow basis-40 space-y-1">
          <div className="flex flex-wrap items-start justify-between gap-x-2">
            <p className="quiet min-w-0 grow basis-32 text-sm wrap-anywhere">
              <Asker question={question} /> <time dateTime={createdAt}>{formatWhen(createdAt)}</time>
            </p>
            <div className="-my-1.5 -mx-3">{extra}</div>
          </div>
          <p dir="auto" className="font-medium wrap-anywhere whitespace-pre-line">
            {text}
          </p>
        </div>
      </div>
      {answer && (
        <div className="space-y-1 border-s-4 border-primary ps-4">
          <p className="quiet text-sm wrap-anywhere">
            <bdi className="font-semibold">{task.name}</bdi> answered{" "}
            <time dateTime={answer.createdAt}>{formatWhen(answer.createdAt)}</time>
            {answer.updatedAt !== answer.createdAt && ", edited"}
          </p>
          <ClampedText text={answer.text} />
        </div>
      )}
      {mayAnswer && <AnswerPanel task={task} question={question} />}
      {isOwn && !answer && <OwnWaiting task={task} question={question} />}
    </li>
  );
}

/** Who asked, as far as the reader may know: bidders do not know of each other. */
function Asker({ question: { asker, isOwn } }: { question: Question }) {
  if (isOwn) return <span className="font-semibold">You asked</span>;
  if (!asker) return <>Asked</>;
  return (
    <>
      <PersonLink id={asker.id} name={asker.name} className="font-semibold" /> asked
    </>
  );
}

/** Lets the client answer, or change what they answered. */
function AnswerPanel({ task, question }: Omit<Props, "extra">) {
  const { _id, answer } = question;
  const draft = useDraft(`answer.${_id}`);
  const [isWriting, setIsWriting] = useState(() => readDraft(draft) !== null);
  if (isWriting)
    return (
      <TextForm
        taskId={task._id}
        intent="answer"
        question={_id}
        label="Your answer"
        hint="Everybody can read it, together with the question."
        limit={QUESTION_LIMITS.answer}
        start={answer?.text ?? ""}
        draft={draft}
        submit={answer ? "Save answer" : "Publish answer"}
        busy="Publishing…"
        onClose={() => setIsWriting(false)}
      />
    );
  return (
    <button
      type="button"
      className={`btn btn-sm ${answer ? "btn-outline" : "btn-primary"}`}
      data-focus-home
      onClick={() => setIsWriting(true)}
    >
      {answer ? "Edit answer" : "Answer"}
    </button>
  );
}

const DELETION = {
  title: "Delete your question?",
  text: "The client will no longer see it.",
  yes: "Yes, delete it",
  no: "Keep it",
} as const;

/** The own question while it waits, which can still be taken back. */
function OwnWaiting({ task, question }: Omit<Props, "extra">) {
  const fetcher = useFetcher<QuestionResult>();
  const busy = isBusy(fetcher);
  const remove = async () => {
    if (!busy && (await confirm(DELETION)))
      await fetcher.submit(
        { intent: "delete", question: question._id },
        { method: "post", action: paths.questionsAction(task._id) },
      );
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <FormAlert error={formErrorOf(fetcher)} />
      <p className="quiet text-sm">Only you and the client see it until it is answered.</p>
      <button
        type="button"
        className="btn -mx-3 btn-ghost btn-sm"
        aria-disabled={busy || undefined}
        onClick={() => void remove()}
      >
        Delete
      </button>
    </div>
  );
}

import { mayAct, type Question, type Task } from "@tasklane/server/contract";
import { useApi } from "../../lib/api-context.tsx";
import { formErrorOf, isBusy, sendOrExplain } from "../../lib/forms.ts";
import { stateNow } from "../../lib/state-now.ts";
import { useSubmission } from "../../lib/submission.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { ClampedText } from "../../ui/clamped-text.tsx";
import { confirm } from "../../ui/confirm.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { PersonLink } from "../../ui/person-link.tsx";
import { When } from "../../ui/when.tsx";
import { ReportQuestionButton } from "../reports/report-button.tsx";
import { AnswerPanel } from "./question-forms.tsx";

type Props = {
  task: Task;
  question: Question;
};

/** One question with its answer. The client can answer it, and the asker can delete it until it is answered. */
export function QuestionItem({ task, question }: Props) {
  const { text, answer, createdAt, isOwn } = question;
  const mayAnswer = task.viewer?.isOwner && mayAct("answer", "client", stateNow(task));
  return (
    <li className="space-y-3 py-5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start gap-3">
        {question.asker && <Avatar name={question.asker.name} src={question.asker.image} size="sm" />}
        <div className="min-w-0 grow basis-40 space-y-1">
          <div className="flex flex-wrap items-start justify-between gap-x-2">
            <p className="quiet min-w-0 grow basis-32 text-sm wrap-anywhere">
              <Asker question={question} /> <When at={createdAt} />
            </p>
            <div className="-my-1.5 -mx-3">
              {!(isOwn && !answer) && <ReportQuestionButton taskId={task._id} questionId={question._id} />}
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
      {mayAnswer && <AnswerPanel task={task} question={question} />}
      {isOwn && !answer && <OwnUnanswered task={task} question={question} />}
    </li>
  );
}

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

const DELETION = {
  title: "Delete your question?",
  text: "The client will no longer see it.",
  yes: "Yes, delete it",
  no: "Keep it",
} as const;

/** The reader's own unanswered question, which they can still delete. */
function OwnUnanswered({ task, question }: Props) {
  const api = useApi();
  const params = { id: task._id, questionId: question._id };
  const deletion = useSubmission(() =>
    sendOrExplain(() => api.call("DELETE /tasks/:id/questions/:questionId", { params })),
  );
  const busy = isBusy(deletion);
  const remove = async () => {
    if (!busy && (await confirm(DELETION))) await deletion.send();
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <FormAlert error={formErrorOf(deletion)} />
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

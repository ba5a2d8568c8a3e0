import type { ReportReason } from "@tasklane/server/contract";
import { ActButton } from "./act-button.tsx";
import type { SubjectProps } from "./card-parts.tsx";

/** What an operator can do to the task and to the person that a card is about; to the person also once the task is deleted. */
export function SubjectActs({ subject, reason }: { subject: SubjectProps; reason: ReportReason }) {
  const { taskId, task, question, person } = subject;
  return (
    <>
      {task && <TaskAct taskId={taskId} task={task} reason={reason} />}
      {task && question && <QuestionAct taskId={taskId} question={question} reason={reason} />}
      {person.id && <SuspendButton {...person} id={person.id} reason={reason} />}
    </>
  );
}

type TaskProps = { taskId: string; task: NonNullable<SubjectProps["task"]>; reason: ReportReason };

/** Hides a task, or shows it again. */
function TaskAct({ taskId, task, reason }: TaskProps) {
  if (task.hidden)
    return (
      <ActButton act="restore" id={taskId} title="Restore this task?" button="Restore task" busy="Restoring…">
        Everybody will see “<bdi>{task.title}</bdi>” again. <bdi>{task.name}</bdi> is told.
      </ActButton>
    );
  return (
    <ActButton
      act="hide"
      id={taskId}
      reason={reason}
      name={task.name}
      title="Hide this task?"
      button="Hide task"
      busy="Hiding…"
    >
      Only its client, whoever was hired for it and operators will see “<bdi>{task.title}</bdi>”, until it is
      restored. <bdi>{task.name}</bdi> is told the reason.
    </ActButton>
  );
}

type QuestionProps = {
  taskId: string;
  question: NonNullable<SubjectProps["question"]>;
  reason: ReportReason;
};

/** Hides a question on a task and its answer, or shows them again. */
function QuestionAct({ taskId, question, reason }: QuestionProps) {
  const { _id, answer, hidden, asker } = question;
  if (hidden)
    return (
      <ActButton
        act="restore"
        id={taskId}
        question={_id}
        title="Restore this question?"
        button="Restore question"
        busy="Restoring…"
      >
        Everybody will see it again. <bdi>{asker.name}</bdi> is told.
      </ActButton>
    );
  return (
    <ActButton
      act="hide"
      id={taskId}
      question={_id}
      reason={reason}
      name={answer ? "both" : asker.name}
      title="Hide this question?"
      button="Hide question"
      busy="Hiding…"
    >
      {answer ? (
        <>
          Nobody will see the question and its answer, until they are restored. <bdi>{asker.name}</bdi> and
          the client are told the reason.
        </>
      ) : (
        <>
          Nobody will see the question, until it is restored. <bdi>{asker.name}</bdi> is told the reason.
        </>
      )}
    </ActButton>
  );
}

type Props = { id: string; name: string; suspended?: boolean | undefined; reason: ReportReason };

/** Suspends somebody's account, or lifts that. */
export function SuspendButton({ id, name, suspended, reason }: Props) {
  if (suspended)
    return (
      <ActButton
        act="lift"
        id={id}
        title={`Lift the suspension of ${name}?`}
        button="Lift suspension"
        busy="Lifting…"
      >
        <bdi>{name}</bdi> can log in again, and their open tasks are public again.
      </ActButton>
    );
  return (
    <ActButton
      act="suspend"
      id={id}
      reason={reason}
      name={name}
      title={`Suspend ${name}?`}
      button="Suspend account"
      busy="Suspending…"
    >
      <bdi>{name}</bdi> is logged out everywhere and cannot log in. Their open tasks are hidden and their bids
      cannot be awarded, until the suspension is lifted. They are told the reason.
    </ActButton>
  );
}

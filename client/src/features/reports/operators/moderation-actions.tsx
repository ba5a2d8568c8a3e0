import type { Report, ReportReason } from "@tasklane/server/contract";
import { notify } from "../../../ui/notify.tsx";
import { ActionButton, type ActionProps } from "./moderation-form.tsx";

/** What a report or a queue entry is about. */
export type Subject = Pick<Report, "about" | "taskId" | "task" | "bid" | "question" | "person"> &
  Partial<Pick<Report, "title">>;

type Props = { subject: Subject; reason: ReportReason };

/**
 * What an operator can do about what was reported, and about its author's account; for an answered question, about the
 * client's as well. A deleted task leaves only the people.
 */
export function ModerationActions({ subject, reason }: Props) {
  const { about, task, question, person } = subject;
  return (
    <>
      {about === "task" && task && <TaskAction subject={subject} reason={reason} />}
      {task && question && <QuestionAction subject={subject} reason={reason} />}
      {person.id && <SuspendButton {...person} id={person.id} reason={reason} />}
      {question?.answer && task?.clientId && (
        <SuspendButton id={task.clientId} name={task.name} suspended={task.clientSuspended} reason={reason} />
      )}
    </>
  );
}

/** Hides or restores a task. */
function TaskAction({ subject: { taskId: id, task }, reason }: Props) {
  const { hidden = false, title, name = "" } = task ?? {};
  return (
    <ActionButton
      isUndoing={hidden}
      what="task"
      id={id}
      reason={reason}
      name={name}
      send={(why, call) =>
        call("PATCH /tasks/:id/visibility", {
          params: { id },
          body: { hidden: !hidden, ...why },
          isRepeatable: true,
        })
      }
    >
      {hidden ? (
        <>
          Everybody will see “<bdi>{title}</bdi>” again. <bdi>{name}</bdi> will be notified.
        </>
      ) : (
        <>
          Only its client, anyone hired for it and operators will see “<bdi>{title}</bdi>” until it is
          restored. <bdi>{name}</bdi> will be told the reason.
        </>
      )}
    </ActionButton>
  );
}

/** Hides or restores a question and its answer. */
function QuestionAction({ subject: { taskId: id, question }, reason }: Props) {
  const { _id: questionId = "", answer, hidden = false, asker } = question ?? {};
  const name = <bdi>{asker?.name}</bdi>;
  return (
    <ActionButton
      isUndoing={hidden}
      what="question"
      id={questionId}
      reason={reason}
      name={answer ? "both" : (asker?.name ?? "")}
      send={(why, call) =>
        call("PATCH /tasks/:id/questions/:questionId/visibility", {
          params: { id, questionId },
          body: { hidden: !hidden, ...why },
          isRepeatable: true,
        })
      }
    >
      {hidden ? (
        <>Everybody will see it again. {name} will be notified.</>
      ) : answer ? (
        <>
          Nobody will see the question and its answer until they are restored. {name} and the client will be
          told the reason.
        </>
      ) : (
        <>Nobody will see the question until it is restored. {name} will be told the reason.</>
      )}
    </ActionButton>
  );
}

type SuspendProps = { id: string; name: string; suspended?: boolean | undefined; reason: ReportReason };

/** Suspends an account, or lifts the suspension. */
export function SuspendButton({ id, name, suspended = false, reason }: SuspendProps) {
  const send: ActionProps["send"] = async ({ text, ...why }, call) => {
    // An empty message is left out.
    const body = { suspended: !suspended, ...why, ...(text && { text }) };
    await call("PATCH /profiles/:id/suspension", { params: { id }, body, isRepeatable: true });
    notify.success(suspended ? "Suspension lifted." : "Account suspended.", { topic: "operator" });
  };
  return (
    <ActionButton isUndoing={suspended} what="account" id={id} reason={reason} name={name} send={send}>
      <bdi>{name}</bdi>{" "}
      {suspended
        ? "will be able to use their account, and their open tasks will be public again."
        : "can read only public pages and the reason. Their open tasks are hidden and their bids cannot be awarded until the suspension is lifted."}
    </ActionButton>
  );
}

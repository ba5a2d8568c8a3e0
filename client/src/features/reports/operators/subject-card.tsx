import type { ReportReason } from "@tasklane/server/contract";
import { CircleCheck, CircleDashed, EyeOff, UserX } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import type { Api } from "../../../lib/api.ts";
import { paths } from "../../../lib/paths.ts";
import { notify } from "../../../ui/notify.tsx";
import { When } from "../../../ui/now.tsx";
import { PersonLink } from "../../../ui/person.tsx";
import { SendButton } from "../../../ui/send-button.tsx";
import { ModerationActions, type Subject } from "./moderation-actions.tsx";

const KINDS = {
  report: {
    state: "Resolved",
    settle: { button: "Resolve", message: "Report resolved." },
    reopen: { button: "Reopen", message: "Report reopened." },
  },
  item: {
    state: "Checked",
    settle: { button: "Mark as checked", message: "Marked as checked." },
    reopen: { button: "Back to the queue", message: "Back in the queue." },
  },
} as const;

type CardProps = {
  /** A report, or an entry of the queue. */
  kind: keyof typeof KINDS;
  subject: Subject & { _id: string; settled: boolean; createdAt: string };
  why: string;
  /** Who reported it. */
  reporter?: string | undefined;
  /** The reason that the forms suggest. */
  reason: ReportReason;
  /** Stands in for the button to settle or reopen what only settles by itself. */
  next?: ReactNode;
  children: ReactNode;
};

/** A card about a report or an entry of the queue: its state, what it is about, and what an operator can do. */
export function SubjectCard({ kind, subject, why, reporter, reason, next, children }: CardProps) {
  const { _id, settled, task, question, createdAt } = subject;
  const heading = `about-${_id}`;
  const Icon = settled ? CircleCheck : CircleDashed;
  return (
    // Names the item for screen readers, as every card has the same buttons.
    <li className="card card-body gap-4" aria-labelledby={heading}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <span
          className={`inline-flex items-center gap-1.5 font-semibold ${settled ? "text-success" : "text-warning"}`}
        >
          <Icon className="size-4" />
          {settled ? KINDS[kind].state : "Open"}
        </span>
        {task?.hidden && <Hidden>Task hidden</Hidden>}
        {question?.hidden && <Hidden>Question hidden</Hidden>}
        <span className="quiet wrap-anywhere">
          {reporter && (
            <>
              Reported by <bdi>{reporter}</bdi>,{" "}
            </>
          )}
          <When at={createdAt} />
        </span>
      </div>
      <div className="space-y-1.5">
        <Heading {...subject} id={heading} why={why} />
        <People {...subject} />
        {children}
      </div>
      <Actions kind={kind} subject={subject} reason={reason} next={next} />
    </li>
  );
}

function Hidden({ children }: { children: string }) {
  return (
    <span className="inline-flex items-center gap-1.5 font-semibold">
      <EyeOff className="size-4" />
      {children}
    </span>
  );
}

const SUBJECT_PREFIXES = {
  task: "",
  bid: "a bid on ",
  question: "a question on ",
  conversation: "messages about ",
};
const AUTHOR_LABELS = {
  task: "Task by",
  bid: "Bid by",
  question: "Asked by",
  conversation: "Conversation with",
  file: "Uploaded by",
};

/** Why it is listed, and a link to the task if there is one. `id` lets the card be labelled by it. */
function Heading({ id, why, taskId, about, title, task }: Subject & { id: string; why: string }) {
  return (
    <h2 id={id} className="text-lg font-semibold wrap-anywhere">
      {why}
      {about !== "file" && (
        <>
          : {SUBJECT_PREFIXES[about]}
          {task ? (
            <Link to={paths.dashTask(taskId)} dir="auto" className="link">
              {task.title}
            </Link>
          ) : title === undefined ? (
            "a deleted task"
          ) : (
            <>
              <bdi>{title}</bdi> (deleted)
            </>
          )}
        </>
      )}
    </h2>
  );
}

/** The task's client and the author of what the card is about, marked if suspended. */
function People({ about, task, person }: Subject) {
  const isOnTask = about !== "task";
  return (
    <p className="quiet text-sm wrap-anywhere">
      {task && (
        <>
          Task by <PersonWithBadge id={task.clientId} name={task.name} suspended={task.clientSuspended} />
          {isOnTask && " · "}
        </>
      )}
      {(isOnTask || !task) && (
        <>
          {AUTHOR_LABELS[about]} <PersonWithBadge {...person} />
        </>
      )}
    </p>
  );
}

type PersonProps = { id?: string | undefined; name: string; suspended?: boolean | undefined };

/** A link to somebody's profile, marked if their account is suspended. */
export function PersonWithBadge({ id, name, suspended }: PersonProps) {
  return (
    <>
      <PersonLink id={id} name={name} className={id ? "underline" : ""} />
      {id && suspended && (
        <span className="ml-1 inline-flex items-center gap-1 align-bottom font-semibold text-error">
          <UserX className="size-4" />
          suspended
        </span>
      )}
    </>
  );
}

/** Quoted texts. Keyed by index, because two can be identical. */
export function Quotes({ texts }: { texts: readonly (string | undefined)[] }) {
  return texts.map(
    (text, index) =>
      text && (
        <blockquote
          key={index}
          dir="auto"
          className="quiet border-s-4 border-base-300 ps-4 wrap-anywhere whitespace-pre-line"
        >
          {text}
        </blockquote>
      ),
  );
}

/** The button to settle or reopen a card, if it can be, followed by the other actions; none if it concerns the operator. */
function Actions({ kind, subject, reason, next }: Pick<CardProps, "kind" | "subject" | "reason" | "next">) {
  const { _id, settled, about, person, task } = subject;
  const { user } = useAuth();
  const { button, message } = KINDS[kind][settled ? "reopen" : "settle"];
  const settle = async (call: Api["call"]) => {
    const options = { params: { id: _id }, body: { settled: !settled }, isRepeatable: true };
    if (kind === "report") await call("PATCH /reports/:id", options);
    else await call("PATCH /operators/queue/:id", options);
    // A toast, because the card may have left the filtered list.
    notify.success(message, { topic: "operator" });
  };
  if (user && [person.id, about === "question" && task?.clientId].includes(user.uid))
    return <p className="quiet text-sm">This concerns you, so another operator decides.</p>;
  return (
    <div className="flex flex-wrap gap-2 *:[[role=alert]]:basis-full">
      {next ?? (
        <SendButton className={`btn-sm ${settled ? "btn-outline" : "btn-primary"}`} send={settle}>
          {button}
        </SendButton>
      )}
      <ModerationActions subject={subject} reason={reason} />
    </div>
  );
}

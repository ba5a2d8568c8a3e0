import type { Report } from "@tasklane/server/contract";
import { CircleCheck, CircleDashed, EyeOff, UserX } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useAuth } from "../../../auth/session.tsx";
import { useApi } from "../../../lib/api-context.tsx";
import { formErrorOf, isBusy, sendOrExplain } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { useSubmission } from "../../../lib/submission.ts";
import { FormAlert } from "../../../ui/form-alert.tsx";
import { notify } from "../../../ui/notify.tsx";
import { PersonLink } from "../../../ui/person-link.tsx";
import { When } from "../../../ui/when.tsx";

/** What a report or a queue entry is about. */
export type SubjectProps = Pick<Report, "about" | "taskId" | "task" | "bid" | "question" | "person"> &
  Partial<Pick<Report, "title">>;

type StateProps = SubjectProps & { settled: boolean; done: string; createdAt: string; by?: string };

/** The state of a card, whether its task or question is hidden, who reported it and when. */
export function CardState({ task, question, settled, done, createdAt, by }: StateProps) {
  const Icon = settled ? CircleCheck : CircleDashed;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
      <span
        className={`inline-flex items-center gap-1.5 font-semibold ${settled ? "text-success" : "text-warning"}`}
      >
        <Icon className="size-4" />
        {settled ? done : "Open"}
      </span>
      {task?.hidden && <Hidden>Task hidden</Hidden>}
      {question?.hidden && <Hidden>Question hidden</Hidden>}
      <span className="quiet wrap-anywhere">
        {by && (
          <>
            Reported by <bdi>{by}</bdi>,{" "}
          </>
        )}
        <When at={createdAt} />
      </span>
    </div>
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
} as const;
const AUTHOR_LABELS = {
  task: "Task by",
  bid: "Bid by",
  question: "Asked by",
  conversation: "Conversation with",
} as const;

/** The card's heading: why it is listed, and a link to the task. `id` lets the card be labelled by it. */
export function CardHeading({
  id,
  why,
  taskId,
  about,
  title,
  task,
}: SubjectProps & { id: string; why: string }) {
  return (
    <h2 id={id} className="text-lg font-semibold wrap-anywhere">
      {why}: {SUBJECT_PREFIXES[about]}
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
    </h2>
  );
}

/** The task's client and the author of what the card is about, marked if suspended. */
export function CardPeople({ about, task, person }: SubjectProps) {
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
          className="quiet border-l-4 border-base-300 pl-4 wrap-anywhere whitespace-pre-line"
        >
          {text}
        </blockquote>
      ),
  );
}

const SUCCESS_MESSAGES = {
  report: { true: "Report resolved.", false: "Report reopened." },
  item: { true: "Marked as checked.", false: "Back in the queue." },
} as const;

type ActionsProps = {
  subject: SubjectProps;
  act: "settle-report" | "settle-item";
  id: string;
  settled: boolean;
  /** The button's text while the card is open, and once it is settled. */
  texts: readonly [settle: string, reopen: string];
  children: ReactNode;
};

/** The button to settle or reopen a card, followed by the other actions; none if it concerns the operator. */
export function CardActions({ subject, act, id, settled, texts: [settle, reopen], children }: ActionsProps) {
  const { about, person, task } = subject;
  const { user } = useAuth();
  const api = useApi();
  const settling = useSubmission(() =>
    sendOrExplain(async () => {
      const options = { params: { id }, body: { settled: !settled }, isRepeatable: true };
      const isReport = act === "settle-report";
      await (isReport
        ? api.call("PATCH /reports/:id", options)
        : api.call("PATCH /operators/queue/:id", options));
      // A toast, because the card may have left the filtered list.
      const messages = isReport ? SUCCESS_MESSAGES.report : SUCCESS_MESSAGES.item;
      notify.success(messages[`${!settled}`], { topic: "operator" });
    }),
  );
  if (user && [person.id, about === "question" && task?.clientId].includes(user.uid))
    return <p className="quiet text-sm">This concerns you, so another operator decides.</p>;
  const busy = isBusy(settling);
  return (
    <div className="space-y-3">
      <FormAlert error={formErrorOf(settling)} />
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className={`btn btn-sm ${settled ? "btn-outline" : "btn-primary"}`}
          aria-disabled={busy || undefined}
          onClick={() => void (busy || settling.send())}
        >
          {settled ? reopen : settle}
        </button>
        {children}
      </div>
    </div>
  );
}

import { addDays, MAX_WAITING, type Me, type Waiting } from "@tasklane/server/contract";
import {
  Banknote,
  Bell,
  CalendarClock,
  ChevronRight,
  CircleCheck,
  FilePenLine,
  Flag,
  HandCoins,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessagesSquare,
  PackageCheck,
  PackageOpen,
  Star,
  UserPlus,
} from "lucide-react";
import { Link } from "react-router-dom";
import { formatDate, formatTimeLeft, plural, today } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useNow } from "../../../ui/now.tsx";
import { Section } from "../../../ui/section.tsx";
import { Disc } from "./first-steps.tsx";

type Kind = [
  Icon: LucideIcon,
  /** What to do; `name` is the other side. */
  text: (name: string, waiting: Waiting) => string,
  /** Path of the page to do it on, by task id. */
  to: (id: string) => string,
  /** The pages that list all entries of this kind. */
  ...all: { to: string; text: string }[],
];

const MY_TASKS = { to: paths.myTasks, text: "My Posted Tasks" };

const MY_BIDS = { to: paths.myBids, text: "My Bids" };

const NOTIFICATIONS = { to: paths.notifications, text: "Notifications" };

/** The server counts bids, questions and conversations up to this number. */
export const MAX_COUNTED = 100;

/** The server stops counting at `max`. */
function counted(count: number, what: string, max = MAX_COUNTED): string {
  return plural(count, what) + (count < max ? "" : " or more");
}

const KINDS: Record<Waiting["kind"], Kind> = {
  dispute: [Flag, (name) => `State your case in the dispute with ${name}`, paths.ending, MY_TASKS, MY_BIDS],
  accept: [PackageOpen, (name) => `Look at the work of ${name}`, paths.delivery, MY_TASKS],
  answer: [
    MessageCircleQuestionMark,
    (_, { questions = 0 }) => `Answer ${counted(questions, "question")}`,
    paths.questions,
    MY_TASKS,
  ],
  decide: [HandCoins, (_, { bids = 0 }) => `Decide on ${counted(bids, "bid")}`, paths.receivedBids, MY_TASKS],
  deliver: [
    PackageCheck,
    (name, { sentBack }) =>
      sentBack ? `Make the changes that ${name} asked for` : `Deliver your work to ${name}`,
    paths.delivery,
    MY_BIDS,
  ],
  complete: [
    CircleCheck,
    (name, { name: client }) =>
      `Mark it as completed: ${client ? `${name} has not responded` : "your client has left"}`,
    paths.delivery,
    MY_BIDS,
  ],
  deadline: [
    CalendarClock,
    (name, { state, name: hired }) =>
      state !== "awarded"
        ? "Your task closes for bids"
        : hired
          ? `Complete it once ${name} has delivered`
          : "Decide how it goes on: the freelancer has left",
    paths.dashTask,
    MY_TASKS,
  ],
  ending: [Flag, (name) => `Answer ${name}, who proposes to end it early`, paths.ending, MY_TASKS, MY_BIDS],
  change: [
    FilePenLine,
    (name) => `Answer the change that ${name} proposes`,
    paths.agreement,
    MY_TASKS,
    MY_BIDS,
  ],
  pay: [Banknote, (name) => `Pay ${name}, and mark it as paid`, paths.payment, MY_TASKS],
  confirm: [Banknote, (name) => `Say whether the payment of ${name} has arrived`, paths.payment, MY_BIDS],
  invited: [UserPlus, () => "You are invited to bid", paths.dashTask, NOTIFICATIONS],
  review: [Star, (name) => `Review ${name}`, paths.writeReview, MY_TASKS, MY_BIDS],
};

/** The work is delivered, so the deadline no longer matters. */
const DELIVERED_KINDS = ["dispute", "accept", "ending", "change", "complete", "pay", "confirm", "review"];

/** What operators have to look at, and what the user has not read. */
const COUNTS: [of: (me: Me) => number, Icon: LucideIcon, text: (count: number) => string, to: string][] = [
  [({ openReports = 0 }) => openReports, Flag, (n) => `Look at ${plural(n, "open report")}`, paths.reports],
  [
    ({ openItems = 0 }) => openItems,
    Flag,
    (n) => `Check ${plural(n, "queue entry", "queue entries")}`,
    paths.operatorQueue,
  ],
  [
    ({ unreadConversations }) => unreadConversations,
    MessagesSquare,
    (n) => `Read new messages in ${counted(n, "conversation")}`,
    paths.messages,
  ],
  [({ unread }) => unread, Bell, (n) => `Read ${counted(n, "notification", 1_000)}`, paths.notifications],
];

type Props = {
  waiting: readonly Waiting[];
  me: Me;
  /** Somebody new is not told that they are caught up. */
  isNew: boolean;
};

/** The user's to-do list; each entry links to the page to do it on. */
export function WaitingList({ waiting, me, isNew }: Props) {
  const counts = COUNTS.filter(([of]) => of(me) > 0);
  if (waiting.length + counts.length === 0) return isNew ? null : <AllCaughtUp />;
  // Each kind's items stand together.
  const isShown = ({ kind }: Waiting, at: number) => waiting[at - MAX_WAITING]?.kind !== kind;
  const truncated = waiting.flatMap((item, at) => {
    const [, , , ...all] = KINDS[item.kind];
    return isShown(item, at) ? [] : all;
  });
  return (
    <Section id="waiting" look="list" title="Waiting for you">
      <ul className="divide-y divide-base-300">
        {counts.map(([of, Icon, text, to]) => (
          <Entry key={to} Icon={Icon} to={to} text={text(of(me))} />
        ))}
        {waiting.filter(isShown).map((item) => {
          const [Icon, text, to] = KINDS[item.kind];
          return (
            <Entry
              key={item.kind + item.taskId}
              Icon={Icon}
              to={to(item.taskId)}
              text={text(item.name ?? "the other side", item)}
              title={item.title}
              deadline={DELIVERED_KINDS.includes(item.kind) ? undefined : item.deadline}
            />
          );
        })}
      </ul>
      {truncated.length > 0 && (
        <p className="quiet px-3 pt-2 pb-3 text-sm">
          There is more in{" "}
          {[...new Set(truncated)].map(({ to, text }, index) => (
            <span key={to}>
              {index > 0 && " and "}
              <Link to={to} className="link">
                {text}
              </Link>
            </span>
          ))}
          .
        </p>
      )}
    </Section>
  );
}

type EntryProps = {
  Icon: LucideIcon;
  to: string;
  text: string;
  title?: string;
  deadline?: string | undefined;
};

function Entry({ Icon, to, text, title, deadline }: EntryProps) {
  useNow();
  const isSoon = deadline && deadline <= addDays(today(), 1);
  return (
    <li className="@container">
      <Link to={to} className="flex items-center gap-3 rounded-field p-3 hover:bg-base-200 sm:gap-4">
        <Disc Icon={Icon} />
        <span className="min-w-0 grow sm:flex sm:items-center sm:justify-between sm:gap-4">
          <span className="min-w-0">
            <span className="block font-semibold wrap-anywhere">{text}</span>
            {title && (
              <span dir="auto" className="quiet line-clamp-2 text-sm wrap-anywhere">
                {title}
              </span>
            )}
          </span>
          {deadline && (
            <span
              className={`block text-sm sm:max-w-2/5 sm:shrink-0 ${isSoon ? "font-semibold text-warning" : "quiet"}`}
            >
              {formatTimeLeft(deadline) ?? `Deadline was ${formatDate(deadline)}`}
            </span>
          )}
        </span>
        <ChevronRight className="quiet size-5 shrink-0" />
      </Link>
    </li>
  );
}

function AllCaughtUp() {
  return (
    <section aria-labelledby="waiting" className="card card-body flex-row items-center gap-4">
      <CircleCheck className="size-8 shrink-0 text-success" />
      <div>
        <h2 id="waiting" className="text-lg font-semibold">
          You’re all caught up
        </h2>
        <p className="quiet text-sm">
          Questions to answer, bids to decide on, deadlines, work to deliver or accept, payments and reviews
          to write will appear here.
        </p>
      </div>
    </section>
  );
}

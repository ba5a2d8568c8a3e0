import { addDays, calendarDate, MAX_WAITING, type Me, type Waiting } from "@tasklane/server/contract";
import {
  Banknote,
  Bell,
  CalendarClock,
  ChevronRight,
  CircleCheck,
  ClipboardPlus,
  FilePenLine,
  Flag,
  HandCoins,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessagesSquare,
  PackageCheck,
  PackageOpen,
  Search,
  Star,
  UserPlus,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatDate, formatTimeLeft, plural } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useNow } from "../../../ui/use-now.ts";

type Kind = {
  Icon: LucideIcon;
  /** What to do. */
  text: (waiting: Waiting) => string;
  /** Path of the page to do it on, by task id. */
  to: (id: string) => string;
  /** The page that lists all entries of this kind. */
  all?: { to: string; text: string };
};

const MY_TASKS = { to: paths.myTasks, text: "My Posted Tasks" };
const MY_BIDS = { to: paths.myBids, text: "My Bids" };
const OTHER = "the other side";

/** The server stops counting at `max`. */
function counted(count: number, what: string, max = 100): string {
  return plural(count, what) + (count < max ? "" : " or more");
}

const KINDS: Record<Waiting["kind"], Kind> = {
  accept: {
    Icon: PackageOpen,
    text: ({ name = OTHER }) => `Look at the work of ${name}`,
    to: paths.delivery,
    all: MY_TASKS,
  },
  answer: {
    Icon: MessageCircleQuestionMark,
    text: ({ questions = 0 }) => `Answer ${counted(questions, "question")}`,
    to: paths.questions,
    all: MY_TASKS,
  },
  decide: {
    Icon: HandCoins,
    text: ({ bids = 0 }) => `Decide on ${counted(bids, "bid")}`,
    to: paths.receivedBids,
    all: MY_TASKS,
  },
  deliver: {
    Icon: PackageCheck,
    text: ({ name = OTHER, sentBack }) =>
      sentBack ? `Make the changes that ${name} asked for` : `Deliver your work to ${name}`,
    to: paths.delivery,
    all: MY_BIDS,
  },
  complete: {
    Icon: CircleCheck,
    text: ({ name = OTHER }) => `Mark it as completed: ${name} has not responded`,
    to: paths.delivery,
    all: MY_BIDS,
  },
  deadline: {
    Icon: CalendarClock,
    text: ({ state, name = OTHER }) =>
      state === "awarded" ? `Complete it once ${name} has delivered` : "Your task closes for bids",
    to: paths.dashTask,
    all: MY_TASKS,
  },
  ending: {
    Icon: Flag,
    text: ({ name = OTHER }) => `Answer ${name}, who proposes to end it early`,
    to: paths.ending,
  },
  change: {
    Icon: FilePenLine,
    text: ({ name = OTHER }) => `Answer the change that ${name} proposes`,
    to: paths.agreement,
  },
  pay: {
    Icon: Banknote,
    text: ({ name = OTHER }) => `Pay ${name}, and mark it as paid`,
    to: paths.payment,
    all: MY_TASKS,
  },
  confirm: {
    Icon: Banknote,
    text: ({ name = OTHER }) => `Say whether the payment of ${name} has arrived`,
    to: paths.payment,
    all: MY_BIDS,
  },
  invited: { Icon: UserPlus, text: () => "You are invited to bid", to: paths.dashTask },
  review: { Icon: Star, text: ({ name = OTHER }) => `Review ${name}`, to: paths.writeReview },
};

/** The work is delivered, so the deadline no longer matters. */
const DELIVERED_KINDS = new Set<Waiting["kind"]>([
  "accept",
  "ending",
  "change",
  "complete",
  "pay",
  "confirm",
  "review",
]);

/** What operators have to look at, and what the user has not read. */
const COUNTS = [
  {
    of: ({ openReports = 0 }: Me) => openReports,
    Icon: Flag,
    text: (count: number) => `Look at ${plural(count, "open report")}`,
    to: paths.reports,
  },
  {
    of: ({ openItems = 0 }: Me) => openItems,
    Icon: Flag,
    text: (count: number) => `Check ${plural(count, "queue entry", "queue entries")}`,
    to: paths.operatorQueue,
  },
  {
    of: ({ unreadConversations }: Me) => unreadConversations,
    Icon: MessagesSquare,
    text: (count: number) => `Read new messages in ${counted(count, "conversation")}`,
    to: paths.messages,
  },
  {
    of: ({ unread }: Me) => unread,
    Icon: Bell,
    text: (count: number) => `Read ${counted(count, "notification", 1_000)}`,
    to: paths.notifications,
  },
];

type Props = {
  waiting: readonly Waiting[];
  me: Me;
  /** Somebody new is not told that they are caught up. */
  isNew: boolean;
};

/** The user's to-do list; each entry links to the page to do it on. */
export function WaitingList({ waiting, me, isNew }: Props) {
  const counts = COUNTS.filter(({ of }) => of(me) > 0);
  if (waiting.length + counts.length === 0) return isNew ? null : <AllCaughtUp />;
  // Each kind's items stand together.
  const isShown = ({ kind }: Waiting, at: number) => waiting[at - MAX_WAITING]?.kind !== kind;
  const truncated = waiting.flatMap((item, at) => (isShown(item, at) ? [] : (KINDS[item.kind].all ?? [])));
  return (
    <section aria-labelledby="waiting" className="card p-2">
      <h2 id="waiting" className="px-3 pt-3 pb-1 text-lg font-semibold">
        Waiting for you
      </h2>
      <ul className="divide-y divide-base-300">
        {counts.map(({ of, Icon, text, to }) => (
          <Entry key={to} Icon={Icon} to={to} text={text(of(me))} />
        ))}
        {waiting.filter(isShown).map((item) => {
          const { Icon, text, to } = KINDS[item.kind];
          return (
            <Entry
              key={item.kind + item.taskId}
              Icon={Icon}
              to={to(item.taskId)}
              text={text(item)}
              title={item.title}
              deadline={DELIVERED_KINDS.has(item.kind) ? undefined : item.deadline}
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
    </section>
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
  const today = calendarDate(new Date());
  const isSoon = deadline && deadline <= addDays(today, 1);
  return (
    <li className="@container">
      <Link to={to} className="flex items-center gap-3 rounded-field p-3 hover:bg-base-200 sm:gap-4">
        <span
          aria-hidden="true"
          className="grid size-10 shrink-0 @max-[14rem]:hidden place-items-center rounded-full bg-primary/10 text-primary"
        >
          <Icon className="size-5" />
        </span>
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
        <ChevronRight aria-hidden="true" className="quiet size-5 shrink-0" />
      </Link>
    </li>
  );
}

function AllCaughtUp() {
  return (
    <section aria-labelledby="waiting" className="card card-body flex-row items-center gap-4">
      <CircleCheck aria-hidden="true" className="size-8 shrink-0 text-success" />
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

/** Two ways to start, for somebody who has neither posted a task nor bid on one. */
export function FirstSteps() {
  return (
    <section aria-labelledby="first-steps" className="space-y-4">
      <h2 id="first-steps" className="text-xl font-semibold">
        Where would you like to start?
      </h2>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,17rem),1fr))] gap-5">
        <FirstStep
          Icon={ClipboardPlus}
          title="Get something done"
          action={
            <Link to={paths.addTask} className="btn btn-primary">
              Post your first task
            </Link>
          }
        >
          Say what you need, by when and for how much. Freelancers bid, and you choose one of them.
        </FirstStep>
        <FirstStep
          Icon={Search}
          title="Earn money"
          action={
            <Link to={paths.dashBrowse} className="btn btn-outline">
              Find your first job
            </Link>
          }
        >
          Look for a task that suits you and bid: at its price with one click, or on your own terms.
        </FirstStep>
      </div>
    </section>
  );
}

type FirstStepProps = { Icon: LucideIcon; title: string; action: ReactNode; children: ReactNode };

function FirstStep({ Icon, title, action, children }: FirstStepProps) {
  return (
    <div className="card card-body items-start gap-4">
      <span
        aria-hidden="true"
        className="grid size-12 place-items-center rounded-full bg-primary/10 text-primary"
      >
        <Icon className="size-6" />
      </span>
      <div className="grow space-y-1">
        <h3 className="text-lg font-semibold">{title}</h3>
        <p className="quiet">{children}</p>
      </div>
      {action}
    </div>
  );
}

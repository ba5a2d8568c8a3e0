import { ADDRESSES_PER_DAY, type Task } from "@tasklane/server/contract";
import { CalendarDays, CircleDollarSign, Handshake, Mail, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { ClampedText } from "../../../ui/clamped-text.tsx";
import { PageMeta } from "../../../ui/page-head.tsx";
import { UnverifiedMark } from "../../../ui/state-mark.tsx";
import { HiddenMark, TaskStateMark } from "../task-state-mark.tsx";

type Props = {
  task: Task;
  /** The panels that the app puts beside the task. */
  bid: ReactNode;
  /** A quiet way to report the task, last of all. */
  report: ReactNode;
};

/** A task, with what the reader can do about it beside it. */
export function TaskDetails({ task, bid, report }: Props) {
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-6 py-10 lg:grid-cols-[minmax(0,1fr)_min(22rem,40%)] lg:items-start">
      <PageMeta title="Task Details" />
      <article className="card card-body gap-6 sm:p-8">
        <header className="space-y-3">
          <div className="flex flex-wrap items-center gap-3">
            <p className="eyebrow grow-0">{task.category}</p>
            <TaskStateMark task={task} />
            {task.hidden && <HiddenMark />}
          </div>
          <h1 dir="auto" className="text-3xl font-semibold wrap-anywhere sm:text-4xl">
            {task.title}
          </h1>
          {task.hidden && (
            <p className="alert alert-soft alert-error">
              An operator has hidden this task: nobody finds it, and it takes no bids.
            </p>
          )}
        </header>
        <dl className="grid grid-cols-1 gap-4 border-y border-base-300 py-5 sm:grid-cols-3">
          <Fact icon={<CircleDollarSign />} name="Budget">
            {formatUsd(task.budget)} <span className="quiet text-sm font-normal">fixed price</span>
          </Fact>
          <Fact icon={<CalendarDays />} name="Deadline">
            <time dateTime={task.deadline}>{formatDate(task.deadline)}</time>
          </Fact>
          <Fact icon={<Tag />} name="Category">
            {task.category}
          </Fact>
        </dl>
        <section className="space-y-2">
          <h2 className="text-lg font-semibold">Description</h2>
          <ClampedText text={task.description} />
        </section>
      </article>
      <div className="space-y-6 lg:sticky lg:top-24">
        {bid}
        <ContactCard task={task} />
        <section className="card card-body gap-4" aria-labelledby="buyer">
          <h2 id="buyer" className="text-lg font-semibold">
            Buyer
          </h2>
          <div className="flex items-center gap-3">
            <Avatar name={task.name} src={task.clientImage} />
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">
                <Link to={paths.person(task.clientId)} dir="auto" className="link link-hover">
                  {task.name}
                </Link>
              </p>
              {task.email && <EmailLink email={task.email} />}
              {task.emailVerified === false && <UnverifiedMark />}
            </div>
          </div>
          {!task.viewer?.isOwner && task.viewer?.addressLimitReached && (
            <p className="text-sm">
              You have looked up the addresses of {ADDRESSES_PER_DAY.posters} buyers today. This one is shown
              again tomorrow; you can bid now.
            </p>
          )}
        </section>
        {report}
      </div>
    </div>
  );
}

function Fact({ icon, name, children }: { icon: ReactNode; name: string; children: ReactNode }) {
  return (
    <div className="space-y-1">
      <dt className="quiet flex items-center gap-2 text-sm">
        <span aria-hidden="true" className="text-primary [&>svg]:size-4">
          {icon}
        </span>
        {name}
      </dt>
      <dd className="text-lg font-semibold">{children}</dd>
    </div>
  );
}

function EmailLink({ email }: { email: string }) {
  return (
    <a
      href={`mailto:${email}`}
      className="link inline-flex max-w-full items-center gap-1.5 self-start text-sm link-primary"
    >
      <Mail aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate">{email}</span>
    </a>
  );
}

/** After an award: how client and freelancer reach each other. The API tells it to these two only. */
function ContactCard({ task }: { task: Task }) {
  const contact = task.viewer?.contact;
  if (!contact) return task.viewer?.isOwner && task.viewer.addressLimitReached ? <NoContactToday /> : null;
  return (
    <section className="card card-body gap-3 border-primary/40" aria-labelledby="contact">
      <h2 id="contact" className="flex items-center gap-2 text-lg font-semibold">
        <Handshake aria-hidden="true" className="size-5 text-primary" />
        {task.viewer?.isOwner ? "Your freelancer" : "Your client"}
      </h2>
      <p className="wrap-anywhere">
        <Link to={paths.person(contact.id)} dir="auto" className="link font-medium link-hover">
          {contact.name}
        </Link>
      </p>
      <EmailLink email={contact.email} />
      {!contact.emailVerified && <UnverifiedMark />}
      <p className="quiet text-sm">Only the two of you see each other’s address because of this task.</p>
    </section>
  );
}

/** Hiring again and again must not be a way to collect addresses: after some in one day, the next one waits. */
function NoContactToday() {
  return (
    <section className="card card-body gap-3" aria-labelledby="contact">
      <h2 id="contact" className="text-lg font-semibold">
        Your freelancer
      </h2>
      <p className="text-sm">
        You have hired several people today, so this freelancer’s email address is shown from tomorrow on.
        They already see yours and can write to you.
      </p>
    </section>
  );
}

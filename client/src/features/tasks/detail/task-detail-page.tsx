import { ADDRESSES_PER_DAY, type Task } from "@tasklane/server/contract";
import { CalendarDays, CircleDollarSign, Mail, Tag } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatDate, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import defaultPoster from "../../../ui/art/task-poster-default.svg";
import { Avatar } from "../../../ui/avatar.tsx";
import { ClampedText } from "../../../ui/clamped-text.tsx";
import { PageMeta } from "../../../ui/page-meta.tsx";
import { UnverifiedMark } from "../../../ui/state-mark.tsx";
import { HiddenMark, TaskStateMark } from "../task-state-mark.tsx";
import { ContactCard } from "./contact-card.tsx";

type Props = {
  task: Task;
  /** The panels that the app puts beside the task. */
  bid: ReactNode;
  /** A quiet way to report the task, last of all. */
  report: ReactNode;
};

/** SPEC section 2, Task details. */
export function TaskDetails({ task, bid, report }: Props) {
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-6 py-10 lg:grid-cols-[minmax(0,1fr)_min(22rem,40%)] lg:items-start">
      <PageMeta title="Task Details" />
      <article className="surface space-y-6 p-6 sm:p-8">
        <header className="space-y-3">
          <div className="flex flex-wrap items-center gap-3">
            <p className="eyebrow">{task.category}</p>
            <TaskStateMark task={task} />
            {task.hidden && <HiddenMark />}
          </div>
          <h1 className="text-3xl font-semibold wrap-anywhere sm:text-4xl">{task.title}</h1>
          {task.hidden && (
            <p className="text-sm">
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
        <section className="surface space-y-4 p-6" aria-labelledby="buyer">
          <h2 id="buyer" className="text-lg font-semibold">
            Buyer
          </h2>
          <div className="flex items-center gap-3">
            <Avatar name={task.name} src={task.clientImage} fallback={defaultPoster} />
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">
                <Link to={paths.person(task.clientId)} className="link link-hover">
                  {task.name}
                </Link>
              </p>
              {task.email && (
                <a
                  href={`mailto:${task.email}`}
                  className="link inline-flex max-w-full items-center gap-1.5 text-sm link-primary"
                >
                  <Mail aria-hidden="true" className="size-4 shrink-0" />
                  <span className="truncate">{task.email}</span>
                </a>
              )}
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

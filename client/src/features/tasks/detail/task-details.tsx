import type { Task } from "@tasklane/server/contract";
import { ArrowLeft } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { firstCharacters, formatDate, formatTimeLeft, formatUsd } from "../../../lib/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Fact } from "../../../ui/fact.tsx";
import { lastList } from "../../../ui/last-list.ts";
import { Day, stateNow, useNow, When } from "../../../ui/now.tsx";
import { PageMeta } from "../../../ui/page-head.tsx";
import { SkillList } from "../../../ui/skill-list.tsx";
import { ClampedText, Email } from "../../../ui/user-text.tsx";
import { AttachedFiles, FilesFailure, useFilesOn } from "../../files/file-list.tsx";
import { TaskBadges } from "../task-state-badge.tsx";
import { ContactCard } from "./contact-card.tsx";

type Props = {
  task: Task;
  /** Actions for every viewer, such as Save. */
  actions?: ReactNode;
  /** Where the task stands, for those who take part in it: above it on phones. */
  status?: ReactNode;
  /** A form that needs room, above the task. */
  form?: ReactNode;
  /** The panels beside the task: bidding and review; or the login form. */
  panels: ReactNode;
  /** Sections below the description, such as questions. */
  children: ReactNode;
};

/** The details of a task, with the viewer's possible actions beside it. */
export function TaskDetails({ task, actions, status, form, panels, children }: Props) {
  const { viewer } = task;
  const now = useNow();
  const [list] = useState(lastList);
  const state = stateNow(task, now);
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-4 py-6 sm:gap-6 sm:py-10 lg:grid-cols-[minmax(0,1fr)_min(22rem,40%)] lg:grid-rows-[auto_auto_1fr] lg:items-start max-lg:[reading-flow:grid-order]">
      <TaskMeta task={task} />
      {form && <div className="min-w-0 empty:hidden">{form}</div>}
      <article className="card card-body gap-5 sm:p-8">
        <header className="space-y-3">
          {list && (
            <Link to={list.to} className="link-hover link quiet inline-flex items-center gap-1.5 text-sm">
              <ArrowLeft className="size-4" />
              {list.name}
            </Link>
          )}
          <div className="flex flex-wrap items-center gap-x-2 gap-y-3">
            <TaskBadges task={task} />
            <span className="-my-1 -mr-3 ml-auto flex flex-wrap justify-end">{actions}</span>
          </div>
          <h1 dir="auto" className="text-2xl font-semibold wrap-anywhere sm:text-4xl">
            {task.title}
          </h1>
          {task.hidden && (
            <p className="alert block alert-soft alert-error">
              An operator has hidden this task: it is not listed and takes no bids.{" "}
              {viewer?.isOwner && (
                <>
                  Reason: <bdi>{task.hiddenBecause}</bdi>{" "}
                  <Link to={paths.contact} className="link">
                    Contact us
                  </Link>{" "}
                  once you have changed that, or if you think it is a mistake.
                </>
              )}
            </p>
          )}
        </header>
        <dl className="grid fit-columns gap-4 border-y border-base-300 py-5 sm:grid-cols-[repeat(4,auto)]">
          <Fact name="Budget" note="fixed price">
            {formatUsd(task.budget)}
          </Fact>
          <Fact name="Deadline" note={state === "open" && formatTimeLeft(task.deadline, now)}>
            <Day date={task.deadline} />
          </Fact>
          {task.deliverBy && (
            <Fact name="Deliver by">
              <Day date={task.deliverBy} />
            </Fact>
          )}
          <Fact name="Category">{task.category}</Fact>
          <Fact name="Posted">
            <When at={task.createdAt} className="inline-block first-letter:uppercase" />
          </Fact>
          {viewer?.isOwner && (
            <Fact name="Buyer" note={task.email && <Email address={task.email} />} className="col-span-full">
              <bdi>{task.name}</bdi>
            </Fact>
          )}
        </dl>
        <section className="space-y-2">
          <h2 className="text-lg font-semibold">Description</h2>
          <ClampedText text={task.description} lines="phone" />
          <AttachedFiles files={useFilesOn(task, task._id)} label="Files of this task" />
          <FilesFailure task={task} />
          <TaskSkills task={task} />
        </section>
        {task.screeningQuestion && (
          <section className="space-y-2">
            <h2 className="text-lg font-semibold">Screening question</h2>
            <p dir="auto" className="wrap-anywhere">
              {task.screeningQuestion}
            </p>
            <p className="quiet text-sm">Everybody who bids answers it. Only the client reads the answers.</p>
          </section>
        )}
      </article>
      <div className="max-lg:contents lg:sticky lg:top-24 lg:col-start-2 lg:row-span-3 lg:row-start-1 lg:flex lg:min-w-0 lg:flex-col lg:gap-6">
        {status && <div className="min-w-0 max-lg:order-first">{status}</div>}
        {panels}
        <ContactCard task={task} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 empty:hidden sm:gap-6">{children}</div>
    </div>
  );
}

/** What the work needs; each skill leads to the tasks that need it. */
export function TaskSkills({ task: { skills = [] } }: { task: Task }) {
  return (
    <SkillList
      skills={skills}
      linkTo={(skill) => `${paths.browse}?${new URLSearchParams({ search: skill })}`}
    />
  );
}

/** Title and description of a task's page for search engines and link previews, wherever it is shown. */
function TaskMeta({
  task: { _id, title, category, budget, deadline, description, unlisted },
}: {
  task: Task;
}) {
  const facts = `${category} · ${formatUsd(budget)} fixed price · until ${formatDate(deadline)}`;
  const text = firstCharacters(description.replace(/\s+/g, " "), 160).trim();
  return (
    <PageMeta
      title={`${title} | Task Details`}
      description={`${facts}. ${text}`}
      path={paths.task(_id)}
      unlisted={unlisted}
    />
  );
}

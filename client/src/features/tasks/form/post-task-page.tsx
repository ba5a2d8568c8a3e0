import type { Task } from "@tasklane/server/contract";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { ApiProblem } from "../../../lib/problem.ts";
import { loadQuery } from "../../../lib/queries.tsx";
import { showSuccess } from "../../../ui/confirm.ts";
import { PageHeading } from "../../../ui/page-head.tsx";
import { taskQuery } from "../task-queries.ts";
import { TaskForm } from "./task-form.tsx";

/** Loads the user's own task that `?copy=` names, to prefill the form; `gone` if there is no such task. */
export async function loader(args: LoaderFunctionArgs): Promise<Task | "gone" | null> {
  const id = new URL(args.request.url).searchParams.get("copy");
  if (!id) return null;
  try {
    const task = await loadQuery(args, taskQuery(id));
    return task.viewer?.isOwner ? task : "gone";
  } catch (error) {
    if (error instanceof ApiProblem && [400, 404].includes(error.status)) return "gone";
    throw error;
  }
}

/** Add Task. After a success the form is empty again, with a link to the new task above it. */
export function Component() {
  const copied = useLoaderData<Task | "gone" | null>();
  const copyOf = copied === "gone" ? undefined : (copied ?? undefined);
  const [posted, setPosted] = useState<PostedTask>();
  return (
    <div className="max-w-3xl space-y-6 xl:max-w-[66rem]">
      <PageHeading title="Add Task">Describe what you need, by when, and what you pay.</PageHeading>
      {posted && <PostedNotice key={posted.id} {...posted} />}
      {copied === "gone" && (
        <p role="status" className="alert alert-soft alert-warning">
          The task that you wanted to post again no longer exists, so the form is empty.
        </p>
      )}
      {copyOf && !posted && (
        <p role="status" className="rounded-field bg-info/10 px-4 py-3 text-sm">
          This is a copy of your task <bdi className="font-semibold wrap-anywhere">{copyOf.title}</bdi>.
          Choose a new deadline and change what is different this time. Files are not copied.
        </p>
      )}
      <TaskForm
        key={copyOf?._id ?? "new"}
        copyOf={copyOf}
        save={async (body, call) => {
          const { data } = await call("POST /tasks", { body });
          if (!data.insertedId) throw new Error("The server did not save the task.");
          return { id: data.insertedId };
        }}
        onSaved={({ id, title }) => {
          if (id) setPosted({ id, title });
          void showSuccess("Your Add Task Successfully");
        }}
      />
    </div>
  );
}

type PostedTask = { id: string; title: string };

/** The popup opens later and returns the focus here. It is not taken from somebody already typing the next task. */
function takeFocusUnlessTyping(notice: HTMLElement | null): void {
  if (!document.activeElement?.matches("input, select, textarea")) notice?.focus();
}

/** Tells what was posted and links to it; stays after the popup has closed. */
function PostedNotice({ id, title }: PostedTask) {
  return (
    <div
      ref={takeFocusUnlessTyping}
      role="status"
      tabIndex={-1}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-box border border-success/40 bg-success/8 p-4"
    >
      <p className="flex min-w-0 grow basis-60 items-start gap-3">
        <CircleCheck className="size-6 shrink-0 text-success" />
        <span className="min-w-0 wrap-anywhere">
          <bdi className="font-semibold">{title}</bdi> is posted and open for bids.
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Link to={paths.dashTask(id)} className="btn btn-sm btn-primary">
          View task
        </Link>
        <Link to={paths.myTasks} className="btn btn-ghost btn-sm">
          My Posted Tasks
        </Link>
      </div>
    </div>
  );
}

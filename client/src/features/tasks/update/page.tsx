import type { Task } from "@tasklane/server/contract";
import { useEffect } from "react";
import { Link, useFetcher, useLoaderData, useNavigate } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { PageMeta } from "../../../ui/page-meta.tsx";
import { celebrate } from "../../../ui/popup.ts";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { TaskFields } from "../task-form.tsx";
import type { TaskFormResult } from "../task-form-data.ts";

/** SPEC section 2, Update Task: the same fields, preloaded. */
export function Component() {
  const task = useLoaderData<Task>();
  const navigate = useNavigate();
  const fetcher = useFetcher<TaskFormResult>();
  const result = fetcher.data;

  useEffect(() => {
    if (!result?.ok) return;
    void celebrate("Update Task Successfully").then(() => navigate(paths.myTasks));
  }, [result, navigate]);

  if (!task.viewer?.isOwner) return <NotYours />;
  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Update Task" />
      <PageHeading title="Update Task">Bidders see the new version at once.</PageHeading>
      <fetcher.Form method="post" noValidate className="surface p-6 sm:p-8">
        <TaskFields key={task._id} task={task} result={result}>
          <div className="flex flex-wrap gap-3">
            <SubmitButton busy={fetcher.state === "submitting"} busyLabel="Saving…">
              Update Task
            </SubmitButton>
            <Link to={paths.myTasks} className="btn btn-ghost">
              Cancel
            </Link>
          </div>
        </TaskFields>
      </fetcher.Form>
    </div>
  );
}

function NotYours() {
  return (
    <>
      <PageMeta title="Update Task" />
      <StatePanel
        tone="error"
        title="This task belongs to somebody else"
        action={
          <Link to={paths.myTasks} className="btn btn-primary">
            My Posted Tasks
          </Link>
        }
      >
        Only the client who posted a task can update it.
      </StatePanel>
    </>
  );
}

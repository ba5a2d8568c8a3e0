import type { Task } from "@tasklane/server/contract";
import { Link, useLoaderData, useNavigate } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { PageHeading } from "../../../ui/page-heading.tsx";
import { PageMeta } from "../../../ui/page-meta.tsx";
import { celebrate } from "../../../ui/popup.ts";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { TaskForm } from "../task-form.tsx";

/** SPEC section 2, Update Task: the same fields, preloaded. */
export function Component() {
  const task = useLoaderData<Task>();
  const navigate = useNavigate();
  if (!task.viewer?.isOwner) return <NotYours />;
  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Update Task" />
      <PageHeading title="Update Task">Bidders see the new version at once.</PageHeading>
      <TaskForm
        key={task._id}
        task={task}
        submit="Update Task"
        busy="Saving…"
        onSaved={() => void celebrate("Update Task Successfully").then(() => navigate(paths.myTasks))}
      >
        <Link to={paths.myTasks} className="btn btn-ghost">
          Cancel
        </Link>
      </TaskForm>
    </div>
  );
}

function NotYours() {
  return (
    <>
      <PageMeta title="Update Task" />
      <StatePanel
        heading="h1"
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

import { useQueryClient } from "@tanstack/react-query";
import { type FileInfo, mayAct, type Task, taskDraftSchema, termsInWords } from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { Link, type LoaderFunctionArgs, useLoaderData } from "react-router-dom";
import { type ApiServices, loadQuery, useApi } from "../../../lib/api-context.tsx";
import { readForm } from "../../../lib/forms.ts";
import { paths } from "../../../lib/paths.ts";
import { stateNow } from "../../../lib/state-now.ts";
import { showSuccess } from "../../../ui/confirm.ts";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useNavigateAfter } from "../../../ui/use-navigate-after.ts";
import { taskPartQuery, taskQuery } from "../task-queries.ts";
import { TaskForm } from "./task-form.tsx";
import { isSavedAs, submitTask, type TaskFormResult } from "./task-form-values.ts";

/** Loads the task afresh, not from the cache: the form will be saved over this version. */
export async function loader(args: LoaderFunctionArgs): Promise<{ task: Task; files: FileInfo[] }> {
  const task = await loadQuery(args, taskQuery(args.params["id"] ?? ""), { fresh: true });
  if (!task.viewer?.isOwner) return { task, files: [] };
  const files = await loadQuery(args, taskPartQuery("files", task), { fresh: true });
  return { task, files: files.filter(({ on }) => on === task._id) };
}

/** Saves the task if the server still has the version that the form was opened with. */
async function saveTask(
  { api, queryClient }: ApiServices,
  id: string,
  form: FormData,
  version: number,
): Promise<TaskFormResult> {
  const result = await submitTask(form, async (body) => {
    const { data } = await api.call("PUT /tasks/:id", { params: { id }, version, body });
    if (!(data.modifiedCount > 0)) throw new Error("The server did not save the task.");
    // Every save increments the version.
    return { version: version + 1 };
  });
  if (result.ok || !["changed-meanwhile", "task-locked"].includes(String(result.code))) return result;
  try {
    const theirs = await queryClient.fetchQuery({ ...taskQuery(id), staleTime: 0 });
    const sent = readForm(taskDraftSchema, form);
    // The newer version may be this very form, saved by an earlier request whose response was lost.
    return isSavedAs(theirs, sent) ? { ok: true, sent, version: theirs.version } : { ...result, theirs };
  } catch {
    // The form stays open, and the next save tries again.
    return result;
  }
}

/** Update Task: the form of Add Task, prefilled. */
export function Component() {
  const { task, files } = useLoaderData<typeof loader>();
  const services = { api: useApi(), queryClient: useQueryClient() };
  const navigateAfter = useNavigateAfter();
  const state = stateNow(task);
  if (!task.viewer?.isOwner || !mayAct("edit-schedule", "client", state)) return <NotPossible task={task} />;
  const termsLocked = !mayAct("edit-terms", "client", state);
  return (
    <div className="max-w-3xl space-y-6 xl:max-w-[66rem]">
      <PageHeading title="Update Task">Bidders see your changes right away.</PageHeading>
      {termsLocked && (
        <p role="note" className="flex gap-3 rounded-field bg-info/10 px-4 py-3 text-sm">
          <Lock className="size-5 shrink-0 text-info" />
          You have hired somebody: {termsInWords()} are what your freelancer agreed to, so they are fixed.
          Price, date and scope can change if both of you agree: propose it on the task’s page.
        </p>
      )}
      <TaskForm
        key={task._id}
        task={task}
        files={files}
        save={(form, version = task.version) => saveTask(services, task._id, form, version)}
        onSaved={() => void navigateAfter(showSuccess("Update Task Successfully"), paths.myTasks)}
      />
    </div>
  );
}

/** Shown instead of the form to somebody else, and once the task is completed. */
function NotPossible({ task }: { task: Task }) {
  const isOwner = task.viewer?.isOwner === true;
  return (
    <>
      <PageMeta title="Update Task" />
      <StatePanel
        heading="h1"
        tone={isOwner ? "plain" : "error"}
        icon={isOwner && <Lock />}
        title={isOwner ? "This task is completed" : "This task belongs to someone else"}
        action={
          <Link to={isOwner ? paths.dashTask(task._id) : paths.myTasks} className="btn btn-primary">
            {isOwner ? "See the task" : "My Posted Tasks"}
          </Link>
        }
      >
        {isOwner
          ? "What was agreed and done can no longer be changed."
          : "Only the client who posted a task can update it."}
      </StatePanel>
    </>
  );
}

import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { mayAct, type Task, termsInWords } from "@tasklane/server/contract";
import { Lock } from "lucide-react";
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from "react-router-dom";
import { paths } from "../../../lib/paths.ts";
import { apiOf, loadQuery, useApi } from "../../../lib/queries.tsx";
import { showSuccess } from "../../../ui/confirm.ts";
import { stateNow } from "../../../ui/now.tsx";
import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useNavigateAfter } from "../../../ui/use-navigate-after.ts";
import { NotYourTask } from "../not-your-task.tsx";
import { TaskForm } from "./task-form.tsx";
import type { BriefedTask } from "./task-form-values.ts";

const briefedTaskQuery = (id: string) =>
  queryOptions({
    queryKey: ["tasks", "briefed", id],
    queryFn: async ({ client }): Promise<BriefedTask> => {
      const { call } = apiOf(client);
      const { data: task } = await call("GET /tasks/:id", { params: { id } });
      if (!task.viewer?.isOwner) return { ...task, files: [] };
      const { data: files } = await call("GET /tasks/:id/files", { params: { id } });
      return { ...task, files: files.filter(({ on }) => on === id).map(({ _id }) => _id) };
    },
  });

/** Loads the task afresh, not from the cache: the form will be saved over this version. */
export const loader = (args: LoaderFunctionArgs): Promise<BriefedTask> =>
  loadQuery(args, briefedTaskQuery(args.params["id"] ?? ""), { fresh: true });

/** Update Task: the form of Add Task, prefilled. */
export function Component() {
  const task = useLoaderData<typeof loader>();
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const navigateAfter = useNavigateAfter();
  const state = stateNow(task);
  if (!task.viewer?.isOwner)
    return <NotYourTask title="Update Task">Only the client who posted a task can update it.</NotYourTask>;
  if (!mayAct("edit-schedule", "client", state)) return <Completed task={task} />;
  const termsLocked = !mayAct("edit-terms", "client", state);
  return (
    <div className="max-w-3xl space-y-6 xl:max-w-[66rem]">
      <PageHeading title="Update Task">Bidders see your changes right away.</PageHeading>
      {termsLocked && (
        <p role="note" className="flex gap-3 rounded-field bg-info/10 px-4 py-3 text-sm">
          <Lock className="size-5 shrink-0 text-info" />
          You have hired somebody: {termsInWords()} are what your freelancer agreed to, so they are fixed.
          Price, date and scope can change if both of you agree: propose it on the task’s page. The dates
          below do not change what you agreed on.
        </p>
      )}
      <TaskForm
        key={task._id}
        task={task}
        // With a key of its own for each version of the form: what was sent before may have been saved.
        save={async (body, _call, version = task.version) => {
          const { data } = await api.call("PUT /tasks/:id", { params: { id: task._id }, version, body });
          if (!(data.modifiedCount > 0)) throw new Error("The server did not save the task.");
          // Every save increments the version.
          return { version: version + 1 };
        }}
        reload={() => queryClient.fetchQuery({ ...briefedTaskQuery(task._id), staleTime: 0 })}
        onBack={() => void navigate(paths.myTasks)}
        onSaved={() => void navigateAfter(showSuccess("Update Task Successfully"), paths.myTasks)}
      />
    </div>
  );
}

/** Shown instead of the form once the task is completed. */
function Completed({ task }: { task: Task }) {
  return (
    <>
      <PageMeta title="Update Task" />
      <StatePanel
        heading="h1"
        icon={<Lock />}
        title="This task is completed"
        link={{ to: paths.dashTask(task._id), text: "See the task" }}
      >
        What was agreed and done can no longer be changed.
      </StatePanel>
    </>
  );
}

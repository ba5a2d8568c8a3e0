import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import type { Question, Task } from "@tasklane/server/contract";
import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useLocation } from "react-router-dom";
import { type Address, requestedTaskId } from "../../lib/paths.ts";
import { ApiProblem } from "../../lib/problem.ts";
import { loadQuery } from "../../lib/queries.tsx";
import { PageMeta } from "../../ui/page-head.tsx";
import { Spinner } from "../../ui/state-panel.tsx";
import { AnsweredQuestions, answeredQuestionsQuery } from "../questions/question-list.tsx";
import { TaskDetails } from "./detail/task-details.tsx";
import { visitorTaskQuery } from "./task-queries.ts";

/** The task that a visitor has followed a link to, as far as it is public; or why it is not shown. */
export type RequestedTask = { task: Task; questions: Question[] } | { failure: "gone" | "not loaded" } | null;

/** Starts to load what {@link TaskUntilSignedIn} shows. */
export function prefetchRequestedTask(queryClient: QueryClient, address: Address): void {
  const id = requestedTaskId(address);
  if (id === undefined) return;
  void queryClient.prefetchQuery(visitorTaskQuery(id));
  void queryClient.prefetchQuery(answeredQuestionsQuery(id));
}

/** Loads the task that a login or register URL asks for. */
export async function requestedTaskLoader(args: LoaderFunctionArgs): Promise<RequestedTask> {
  const id = requestedTaskId(new URL(args.request.url));
  if (id === undefined) return null;
  const questions = loadQuery(args, answeredQuestionsQuery(id)).catch(() => []);
  try {
    return { task: await loadQuery(args, visitorTaskQuery(id)), questions: await questions };
  } catch (error) {
    const isGone = error instanceof ApiProblem && [400, 404].includes(error.status);
    return { failure: isGone ? "gone" : "not loaded" };
  }
}

type Props = {
  task: Task;
  questions: Question[];
  /** Stands where those who are signed in bid. */
  children: ReactNode;
};

/** A task's page as visitors read it. */
export function TaskForVisitors({ task, questions, children }: Props) {
  return (
    <TaskDetails task={task} panels={children}>
      <AnsweredQuestions questions={questions} />
    </TaskDetails>
  );
}

/** A task's page until the session is known: what came with the page, else a spinner. */
export function TaskUntilSignedIn() {
  const queryClient = useQueryClient();
  const id = requestedTaskId(useLocation()) ?? "";
  const { data: task, error } = queryClient.getQueryState<Task>(visitorTaskQuery(id).queryKey) ?? {};
  if (!task) {
    return (
      <>
        <PageMeta title={error ? "Error" : "Task Details"} missing={Boolean(error)} />
        <Spinner label="Loading the task" />
        {error && <noscript className="page block py-10">There is no task at this address.</noscript>}
      </>
    );
  }
  const questions = queryClient.getQueryData<Question[]>(answeredQuestionsQuery(id).queryKey) ?? [];
  return (
    <TaskForVisitors task={task} questions={questions}>
      <div className="card card-body noscript:hidden">
        <Spinner label="Loading the task" />
      </div>
    </TaskForVisitors>
  );
}

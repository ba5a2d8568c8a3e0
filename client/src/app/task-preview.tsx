import { AnsweredQuestions } from "../features/questions/answered-questions.tsx";
import { TaskPlaceholder } from "../features/tasks/task-placeholder.tsx";

/** The page of a task as the server renders it for visitors, without anything to do. */
export function TaskPreview() {
  return <TaskPlaceholder below={(id) => <AnsweredQuestions taskId={id} />} />;
}

import { SavedTasks } from "../../features/saved-tasks/saved-tasks-page.tsx";
import { TaskStateMark } from "../../features/tasks/task-state-mark.tsx";

export { loader } from "../../features/saved-tasks/saved-tasks-page.tsx";

/** Saved tasks, each with its state. */
export function Component() {
  return <SavedTasks taskMark={(task) => <TaskStateMark task={task} />} />;
}

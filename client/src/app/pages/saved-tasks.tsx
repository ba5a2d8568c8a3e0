import { SavedTasks } from "../../features/saved-tasks/saved-tasks-page.tsx";
import { TaskStateBadge } from "../../features/tasks/task-state-badge.tsx";

export { loader } from "../../features/saved-tasks/saved-tasks-page.tsx";

/** Saved tasks, each with its state. */
export function Component() {
  return <SavedTasks taskBadge={(task) => <TaskStateBadge task={task} />} />;
}

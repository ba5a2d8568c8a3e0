import { PageHeading, PageMeta } from "../../../ui/page-head.tsx";
import { celebrate } from "../../../ui/popup.ts";
import { TaskForm } from "../task-form.tsx";

/** SPEC section 2, Add Task. After a success the form is empty again. */
export function Component() {
  return (
    <div className="max-w-3xl space-y-6">
      <PageMeta title="Add Task" />
      <PageHeading title="Add Task">Say what you need, by when, and what you pay for it.</PageHeading>
      <TaskForm
        submit="Add Task"
        busy="Posting…"
        onSaved={() => void celebrate("Your Add Task Successfully")}
      />
    </div>
  );
}

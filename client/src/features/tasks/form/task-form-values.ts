import { TASK_FIELD_NAMES, type Task, taskDraftSchema } from "@tasklane/server/contract";
import { type FormValues, formValues, toData } from "../../../lib/forms.ts";

/** The form's fields as typed. */
export type TaskFormValues = FormValues<typeof taskDraftSchema>;

/** The initial values of a new task. */
export const EMPTY_TASK = formValues(taskDraftSchema, { showEmail: true });

/** A task with the ids of the files of its brief. */
export type BriefedTask = Task & { files: string[] };

/** The form values of an existing task. */
export function taskValues(task: Task & Partial<BriefedTask>): TaskFormValues {
  return formValues(taskDraftSchema, { ...task, showEmail: task.viewer?.showEmail ?? true });
}

/** The initial values of a copy: everything except its dates. */
export function copiedValues(task: Task): TaskFormValues {
  return { ...taskValues(task), deadline: "", deliverBy: "" };
}

export function sameValues(a: TaskFormValues, b: TaskFormValues): boolean {
  return ([...TASK_FIELD_NAMES, "files"] as const).every((field) => a[field] === b[field]);
}

/** Whether the task is exactly what saving these values produces. */
export function isSavedAs(task: BriefedTask, sent: TaskFormValues): boolean {
  const { success, data } = taskDraftSchema.safeParse(toData(taskDraftSchema, sent));
  return success && sameValues(formValues(taskDraftSchema, data), taskValues(task));
}

import {
  calendarDate,
  draftSchemaOn,
  type Task,
  type TaskDraft,
  taskDraftSchema,
} from "@tasklane/server/contract";
import {
  type FormError,
  type FormValues,
  formValues,
  readForm,
  submitForm,
  toData,
} from "../../../lib/forms.ts";

/** The fields of the form as typed. */
export type TaskFormValues = FormValues<typeof taskDraftSchema>;

/** What the fields are called, in the order of the form. */
export const TASK_LABELS: Record<keyof TaskFormValues, string> = {
  title: "Title",
  category: "Category",
  description: "Description",
  deadline: "Deadline",
  budget: "Budget (USD)",
  screeningQuestion: "Screening question",
  showEmail: "Show my email to signed-in visitors",
};

export const TASK_FIELDS = Object.keys(TASK_LABELS) as (keyof TaskFormValues)[];

/** What a new task starts with. */
export const EMPTY_TASK = formValues(taskDraftSchema, { showEmail: true });

/** What the form of an existing task starts with. */
export function taskValues(task: Task): TaskFormValues {
  return formValues(taskDraftSchema, { ...task, showEmail: task.viewer?.showEmail ?? true });
}

/** What a copy of a task starts with: all but the deadline, which is another one. */
export function copiedValues(task: Task): TaskFormValues {
  return { ...taskValues(task), deadline: "" };
}

export function sameValues(one: TaskFormValues, other: TaskFormValues): boolean {
  return TASK_FIELDS.every((field) => one[field] === other[field]);
}

/** Is the task just as the form would have saved it? */
export function isAsSent(task: Task, sent: TaskFormValues): boolean {
  const { success, data } = taskDraftSchema.safeParse(toData(taskDraftSchema, sent));
  return success && sameValues(formValues(taskDraftSchema, data), taskValues(task));
}

/**
 * What became of a submitted task form. `sent` are the fields that were saved, `version` what the task is now, `id` that
 * of a new one, `theirs` the task that somebody saved in between.
 */
export type TaskFormResult =
  | { ok: true; sent: TaskFormValues; version?: number; id?: string }
  | (FormError & { theirs?: Task });

/**
 * Saves a submitted task form. A deadline that has passed is possible only where the task has it already: the form names
 * that one as `keptDeadline`.
 */
export async function submitTask(
  form: FormData,
  save: (draft: TaskDraft, idempotencyKey: string) => Promise<{ version?: number; id?: string }>,
): Promise<TaskFormResult> {
  const sent = readForm(taskDraftSchema, form);
  const isKept = sent.deadline === form.get("keptDeadline");
  const schema = isKept ? taskDraftSchema : draftSchemaOn(calendarDate(new Date()));
  return submitForm(form, schema, async (draft, key) => ({ sent, ...(await save(draft, key)) }));
}

import {
  calendarDate,
  draftSchemaOn,
  type PostedDraft,
  TASK_FIELD_NAMES,
  type Task,
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

/** The form's fields as typed. */
export type TaskFormValues = FormValues<typeof taskDraftSchema>;

/** The initial values of a new task. */
export const EMPTY_TASK = formValues(taskDraftSchema, { showEmail: true });

/** The form values of an existing task. */
export function taskValues(task: Task): TaskFormValues {
  return formValues(taskDraftSchema, { ...task, showEmail: task.viewer?.showEmail ?? true });
}

/** The initial values of a copy: everything except its dates. */
export function copiedValues(task: Task): TaskFormValues {
  return { ...taskValues(task), deadline: "", deliverBy: "" };
}

export function sameValues(a: TaskFormValues, b: TaskFormValues): boolean {
  return TASK_FIELD_NAMES.every((field) => a[field] === b[field]);
}

/** Whether the task is exactly what saving these values produces. */
export function isSavedAs(task: Task, sent: TaskFormValues): boolean {
  const { success, data } = taskDraftSchema.safeParse(toData(taskDraftSchema, sent));
  return success && sameValues(formValues(taskDraftSchema, data), taskValues(task));
}

/**
 * The result of a submitted task form: `sent` are the saved fields, `version` is the task's version after an update,
 * `id` a new task's id, `theirs` the task if somebody else saved it since the form was opened.
 */
export type TaskFormResult =
  | { ok: true; sent: TaskFormValues; version?: number; id?: string }
  | (FormError & { theirs?: Task });

/**
 * Saves a submitted task form. A deadline in the past is accepted only if the task already has it, in which case the
 * form sends it as `keptDeadline`.
 */
export async function submitTask(
  form: FormData,
  save: (draft: PostedDraft, idempotencyKey: string) => Promise<{ version?: number; id?: string }>,
): Promise<TaskFormResult> {
  const sent = readForm(taskDraftSchema, form);
  const isKept = sent.deadline === form.get("keptDeadline");
  const schema = isKept ? taskDraftSchema : draftSchemaOn(calendarDate(new Date()));
  return submitForm(form, schema, async (draft, key) => ({ sent, ...(await save(draft, key)) }));
}

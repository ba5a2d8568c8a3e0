import {
  calendarDate,
  draftSchemaOn,
  type Task,
  type TaskDraft,
  taskDraftSchema,
} from "@tasklane/server/contract";
import { type FormError, invalidForm, toFormError } from "../../lib/forms.ts";

/** The fields of the form as typed; `showEmail` is `on` or empty. */
export type TaskFormValues = Record<keyof TaskDraft, string>;

/**
 * What became of a submitted task form. A failure is data, not an exception: the form stays as typed. `sent` are the fields
 * that were saved, `version` what the task is now, `theirs` the task that somebody saved in between.
 */
export type TaskFormResult =
  | { ok: true; id: string; sent: TaskFormValues; version?: number }
  | (FormError & { theirs?: Task });

/** What a new task starts with. */
export const EMPTY_TASK: TaskFormValues = {
  title: "",
  category: "",
  description: "",
  deadline: "",
  budget: "",
  showEmail: "on",
};

export const TASK_FIELDS = Object.keys(EMPTY_TASK) as (keyof TaskFormValues)[];

/**
 * Validates a submitted task form with the contract's own rules, all fields at once, then saves it. A deadline that has
 * passed is possible only where the task has it already: the form names that one as `keptDeadline`.
 * `save` resolves to the task's id (and its version); whatever it rejects with becomes the result's message and field errors.
 */
export async function submitTaskForm(
  form: FormData,
  save: (draft: TaskDraft) => Promise<{ id: string; version?: number }>,
): Promise<TaskFormResult> {
  const sent = readTaskForm(form);
  const kept = sent.deadline !== "" && sent.deadline === form.get("keptDeadline");
  const schema = kept ? taskDraftSchema : draftSchemaOn(calendarDate(new Date()));
  const parsed = schema.safeParse(asDraft(sent));
  if (!parsed.success) return invalidForm(parsed.error.issues);
  try {
    return { ok: true, sent, ...(await save(parsed.data)) };
  } catch (error) {
    return toFormError(error);
  }
}

/** The fields as they stand in a form. */
export function readTaskForm(form: FormData): TaskFormValues {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    title: text("title"),
    category: text("category"),
    // Browsers submit line breaks as CRLF; the product keeps LF.
    description: text("description").replaceAll("\r\n", "\n"),
    deadline: text("deadline"),
    budget: text("budget").trim(),
    showEmail: text("showEmail"),
  };
}

/** The values to start the form of an existing task with. */
export function formValuesOf(task: Task): TaskFormValues {
  const { title, category, description, deadline, budget, viewer } = task;
  const showEmail = viewer?.showEmail === false ? "" : "on";
  return { title, category, description, deadline, budget: String(budget), showEmail };
}

/** The form's fields out of whatever was stored; what is no text counts as empty. */
export function pickFields(stored: Partial<Record<string, unknown>>): TaskFormValues {
  const text = (field: string) => (typeof stored[field] === "string" ? stored[field] : "");
  return Object.fromEntries(TASK_FIELDS.map((field) => [field, text(field)])) as TaskFormValues;
}

export function sameFields(one: TaskFormValues, other: TaskFormValues): boolean {
  return TASK_FIELDS.every((field) => one[field] === other[field]);
}

/** Whether the task is just as the form would have saved it. */
export function isAsSent(task: Task, sent: TaskFormValues): boolean {
  const { success, data } = taskDraftSchema.safeParse(asDraft(sent));
  if (!success) return false;
  const { showEmail = true, budget, ...texts } = data;
  const normal = { ...texts, budget: String(budget), showEmail: showEmail ? "on" : "" };
  return sameFields(normal, formValuesOf(task));
}

function asDraft({ deadline, budget, showEmail, ...values }: TaskFormValues) {
  return {
    ...values,
    deadline: deadline || undefined,
    budget: budget === "" ? undefined : Number(budget),
    showEmail: showEmail === "on",
  };
}

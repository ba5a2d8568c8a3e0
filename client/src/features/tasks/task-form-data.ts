import { type Task, type TaskDraft, taskDraftSchema } from "@tasklane/server/contract";
import { invalidForm, type Refusal, refusal } from "../../lib/refusal.ts";

/** The fields of the form as typed; `showEmail` is `on` or empty. */
export type TaskFormValues = Record<keyof TaskDraft, string>;

/** What became of a submitted task form. A failure is data, not an exception: the form stays as typed. */
export type TaskFormResult = { ok: true; id: string } | Refusal;

/** What a new task starts with. */
export const EMPTY_TASK: TaskFormValues = {
  title: "",
  category: "",
  description: "",
  deadline: "",
  budget: "",
  showEmail: "on",
};

/**
 * Validates a submitted task form with the contract's own rules, then saves it.
 * `save` resolves to the task's id; whatever it rejects with becomes the result's message and field errors.
 */
export async function submitTaskForm(
  form: FormData,
  save: (draft: TaskDraft) => Promise<string>,
): Promise<TaskFormResult> {
  const parsed = taskDraftSchema.safeParse(asDraft(readTaskForm(form)));
  if (!parsed.success) return invalidForm(parsed.error.issues);
  try {
    return { ok: true, id: await save(parsed.data) };
  } catch (error) {
    return refusal(error);
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

function asDraft({ deadline, budget, showEmail, ...values }: TaskFormValues) {
  return {
    ...values,
    deadline: deadline || undefined,
    budget: budget === "" ? undefined : Number(budget),
    showEmail: showEmail === "on",
  };
}

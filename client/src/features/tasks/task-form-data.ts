import { type Task, type TaskDraft, taskDraftSchema } from "@tasklane/server/contract";
import { ApiProblem, fieldErrorsByName, isSessionOver, problemText } from "../../lib/problem.ts";

/** The five fields of the form as typed. */
export type TaskFormValues = Record<keyof TaskDraft, string>;

/** What became of a submitted task form. A failure is data, not an exception: the form stays as typed. */
export type TaskFormResult =
  | { ok: true; id: string }
  | { ok: false; message: string; fieldErrors: Record<string, string>; sessionOver: boolean };

const LOOK_AGAIN = "Some of the values need another look.";

/**
 * Validates a submitted task form with the contract's own rules, then saves it.
 * `save` resolves to the task's id; whatever it rejects with becomes the result's message and field errors.
 */
export async function submitTaskForm(
  form: FormData,
  save: (draft: TaskDraft) => Promise<string>,
): Promise<TaskFormResult> {
  const parsed = taskDraftSchema.safeParse(asDraft(readTaskForm(form)));
  if (!parsed.success) {
    const named = parsed.error.issues.map((issue) => [String(issue.path[0]), issue.message] as const);
    const fieldErrors = Object.fromEntries(named.reverse());
    return { ok: false, message: LOOK_AGAIN, fieldErrors, sessionOver: false };
  }
  try {
    return { ok: true, id: await save(parsed.data) };
  } catch (error) {
    const fieldErrors = error instanceof ApiProblem ? fieldErrorsByName(error.fieldErrors) : {};
    return { ok: false, message: problemText(error), fieldErrors, sessionOver: isSessionOver(error) };
  }
}

/** The five fields as they stand in a form. */
export function readTaskForm(form: FormData): TaskFormValues {
  const text = (name: string) => String(form.get(name) ?? "");
  return {
    title: text("title"),
    category: text("category"),
    // Browsers submit line breaks as CRLF; the product keeps LF.
    description: text("description").replaceAll("\r\n", "\n"),
    deadline: text("deadline"),
    budget: text("budget").trim(),
  };
}

/** The values to start the form of an existing task with. */
export function formValuesOf({ title, category, description, deadline, budget }: Task): TaskFormValues {
  return { title, category, description, deadline, budget: String(budget) };
}

function asDraft(values: TaskFormValues) {
  const { deadline, budget } = values;
  return { ...values, deadline: deadline || undefined, budget: budget === "" ? undefined : Number(budget) };
}

import { isDeepStrictEqual } from "node:util";
import type { Filter } from "mongodb";
import { isTerm, TASK_FIELD_KINDS, type TaskDraft } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";

const DRAFT_FIELDS = Object.keys(TASK_FIELD_KINDS) as (keyof TaskDraft)[];
/** What bidders are told of when it changes. */
const DEAL = DRAFT_FIELDS.filter((field) => TASK_FIELD_KINDS[field] !== "setting");
export const DEAL_PROJECTION = Object.fromEntries(DEAL.map((field) => [field, 1]));

/** The draft's fields as they are stored: an empty text is none. */
export function stored<T extends TaskDraft>({ screeningQuestion, ...draft }: T) {
  return { ...draft, ...(screeningQuestion && { screeningQuestion }) };
}

/** What may hold contact data, as people call it. */
export function textsOf({ title, description, screeningQuestion }: TaskDraft) {
  return { title, description, "screening question": screeningQuestion };
}

/** Does the draft say something of this field? What it leaves out stays as it is. */
const isNamed = (draft: TaskDraft, field: keyof TaskDraft) => draft[field] !== undefined;

/** The draft's terms, to be compared with the stored ones; an empty one is null to a filter. */
export function termsOf(draft: TaskDraft): Filter<TaskDoc> {
  const named = DRAFT_FIELDS.filter((field) => isTerm(field) && isNamed(draft, field));
  return Object.fromEntries(named.map((field) => [field, draft[field] || null]));
}

/** Does the draft change what bidders are told of? */
export function changesDeal(before: Partial<TaskDoc>, draft: TaskDraft): boolean {
  return DEAL.some(
    (field) => isNamed(draft, field) && !isDeepStrictEqual(before[field], draft[field] || undefined),
  );
}

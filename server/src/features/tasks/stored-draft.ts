import { isDeepStrictEqual } from "node:util";
import type { Filter } from "mongodb";
import { fieldInWords, isTerm, TASK_FIELD_KINDS, type TaskDraft } from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";

const DRAFT_FIELDS = Object.keys(TASK_FIELD_KINDS) as (keyof TaskDraft)[];
/** What bidders are told of when it changes. */
const DEAL = DRAFT_FIELDS.filter((field) => TASK_FIELD_KINDS[field] !== "setting");
export const DEAL_PROJECTION = Object.fromEntries(DEAL.map((field) => [field, 1]));

/** What a draft says of a field, as it is stored: an empty text is none. */
const kept = (draft: TaskDraft, field: keyof TaskDraft) => (draft[field] === "" ? undefined : draft[field]);

/** The draft's fields as they are stored. */
export function stored(draft: TaskDraft): TaskDraft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== "")) as TaskDraft;
}

/** The fields that the draft takes away. */
export function emptied(draft: TaskDraft): Partial<Record<keyof TaskDraft, true>> {
  return Object.fromEntries(
    DRAFT_FIELDS.filter((field) => draft[field] === "").map((field) => [field, true]),
  );
}

/** What is written freely, and so may hold contact data, by what people call it. */
export function textsOf({
  category: _chosen,
  deadline: _picked,
  ...fields
}: TaskDraft): Record<string, string> {
  const named = Object.entries(fields) as [keyof typeof fields, unknown][];
  const texts = named.filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts.map(([field, text]) => [fieldInWords(field), text as string]));
}

/** Does the draft say something of this field? What it leaves out stays as it is. */
const isNamed = (draft: TaskDraft, field: keyof TaskDraft) => draft[field] !== undefined;

/** The draft's terms, to be compared with the stored ones; an empty one is null to a filter. */
export function termsOf(draft: TaskDraft): Filter<TaskDoc> {
  const named = DRAFT_FIELDS.filter((field) => isTerm(field) && isNamed(draft, field));
  return Object.fromEntries(named.map((field) => [field, kept(draft, field) ?? null]));
}

/** Does the draft change what bidders are told of? */
export function changesDeal(before: Partial<TaskDoc>, draft: TaskDraft): boolean {
  return DEAL.some((field) => isNamed(draft, field) && !isDeepStrictEqual(before[field], kept(draft, field)));
}

import { isDeepStrictEqual } from "node:util";
import { type Filter, ObjectId } from "mongodb";
import type { User } from "../../auth/token-verifier.ts";
import {
  concernsFreelancers,
  FREE_TEXT_FIELDS,
  fieldInWords,
  isTerm,
  TASK_FIELD_NAMES,
  type TaskDraft,
} from "../../contract/index.ts";
import type { TaskDoc } from "../../db/documents/tasks.ts";
import { searchKeysOf } from "../../domain/text-search.ts";

/** Fields whose changes bidders are notified of. */
const BIDDER_FIELDS = TASK_FIELD_NAMES.filter(concernsFreelancers);

/** A new task made from a draft. */
export function newTask(draft: TaskDraft, { uid, email, name, picture }: User, now: Date): TaskDoc {
  return {
    _id: new ObjectId(),
    ...filledFields(draft),
    showEmail: draft.showEmail ?? true,
    searchKeys: searchKeysOf(draft),
    ownerId: uid,
    email,
    name,
    clientImage: picture,
    state: "open",
    hidden: false,
    bidsCount: 0,
    awardCount: 0,
    revision: 0,
    bidsRevision: 0,
    questionsClosed: false,
    questionsRevision: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * The update that saves a draft to a stored task: an empty text or list removes its field, a missing field stays as it
 * is.
 */
export function updateFrom(draft: TaskDraft, now: Date) {
  const emptied = TASK_FIELD_NAMES.filter((field) => isEmpty(draft[field]));
  const fields = { ...filledFields(draft), searchKeys: searchKeysOf(draft), updatedAt: now };
  return {
    $set: fields as Partial<TaskDoc>,
    $unset: Object.fromEntries(emptied.map((field) => [field, true])) as Partial<
      Record<keyof TaskDraft, true>
    >,
    $inc: { revision: 1 },
  };
}

function filledFields(draft: TaskDraft): TaskDraft {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => !isEmpty(value))) as TaskDraft;
}

/** A draft's free texts, which may contain contact data, by their fields' names in words. */
export function textsOf(draft: TaskDraft): Record<string, string> {
  const written = FREE_TEXT_FIELDS.filter((field) => draft[field] !== undefined);
  return Object.fromEntries(written.map((field) => [fieldInWords(field), String(draft[field])]));
}

/** A filter that matches while the task still has the draft's terms; null matches a missing field. */
export function sameTerms(draft: TaskDraft): Filter<TaskDoc> {
  const terms = TASK_FIELD_NAMES.filter((field) => isTerm(field) && draft[field] !== undefined);
  return Object.fromEntries(terms.map((field) => [field, storedValue(draft, field) ?? null]));
}

/** Does the draft change a field whose changes bidders are notified of? */
export function concernsBidders(before: Partial<TaskDoc>, draft: TaskDraft): boolean {
  return BIDDER_FIELDS.some(
    (field) => draft[field] !== undefined && !isDeepStrictEqual(before[field], storedValue(draft, field)),
  );
}

const storedValue = (draft: TaskDraft, field: keyof TaskDraft) =>
  isEmpty(draft[field]) ? undefined : draft[field];

function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

import { isDeepStrictEqual } from "node:util";
import type { Document } from "mongodb";
import {
  answerDraftSchema,
  bidDraftSchema,
  isPlainText,
  messageDraftSchema,
  questionDraftSchema,
  reviewDraftSchema,
  TASK_FIELD_NAMES,
  taskFieldsSchema,
} from "../../src/contract/index.ts";
import type { Database } from "../../src/db/client.ts";
import { COLLECTIONS, type CollectionName } from "../../src/db/collections.ts";
import { rulesOf } from "../../src/db/migrate.ts";
import { conversationsWithWrongCount, FINDINGS, verifyBids } from "../../src/db/verify-data.ts";
import type { World } from "./world.ts";

/** Invalid stored data, one line for each problem. */
export async function storedProblems(database: Database): Promise<string[]> {
  const wrong: string[] = [];
  for (const name of Object.keys(COLLECTIONS) as CollectionName[]) {
    const filter: Document = { $nor: [rulesOf(name).validator] };
    for (const doc of await database[name]
      .find(filter as never)
      .limit(5)
      .toArray())
      wrong.push(`${name}: violates its schema: ${JSON.stringify(doc).slice(0, 400)}`);
  }
  // Form rules are stricter than database rules can be: valid dates, cents, plain text.
  for (const task of await database.tasks.find().toArray()) {
    const draft = Object.fromEntries(TASK_FIELD_NAMES.map((field) => [field, task[field]]));
    check("task", task._id, taskFieldsSchema, defined(draft));
    for (const shown of [task.title, task.description])
      if (!VISIBLE_TEXT.test(shown)) wrong.push(`task ${task._id}: an invisible text`);
  }
  for (const { _id, amount, days, message } of await database.bids.find().toArray())
    check("bid", _id, bidDraftSchema, defined({ amount, days, message }));
  for (const { _id, stars, text: said } of await database.reviews.find().toArray())
    check("review", _id, reviewDraftSchema, { stars, text: said });
  for (const { _id, text: said, answer } of await database.questions.find().toArray()) {
    check("question", _id, questionDraftSchema, { text: said });
    if (answer) check("answer", _id, answerDraftSchema, { text: answer.text });
  }
  for (const { _id, text: said } of await database.messages.find({ text: { $exists: true } }).toArray())
    check("message", _id, messageDraftSchema, { text: said });
  for (const id of await conversationsWithWrongCount(database)) wrong.push(`conversation ${id}: wrong count`);
  for (const { _id, text: said = "" } of await database.reports.find().toArray())
    if (!isPlainText(said)) wrong.push(`report ${_id}: text that is not plain`);
  const { offenders } = await verifyBids(database);
  for (const finding of FINDINGS) for (const id of offenders[finding]) wrong.push(`${finding}: ${id}`);
  return wrong;

  function check(
    what: string,
    id: unknown,
    schema:
      | typeof taskFieldsSchema
      | typeof bidDraftSchema
      | typeof reviewDraftSchema
      | typeof answerDraftSchema
      | typeof messageDraftSchema,
    value: object,
  ): void {
    const parsed = schema.safeParse(value);
    if (!parsed.success || !isDeepStrictEqual(parsed.data, value))
      wrong.push(`${what} ${id}: violates the rules of its form: ${JSON.stringify(value).slice(0, 300)}`);
  }
}

// Independent of the forms' own rule: anything visible, without the letters and symbols that are blank.
const VISIBLE_TEXT = /(?![\u115F\u1160\u3164\uFFA0\u2800\u{1D159}])[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u;

function defined(fields: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The guarded people's documents as text, which must be equal before and after. */
export async function guardedState(
  database: Database,
  { guardian, guardedBidder }: World,
): Promise<string[]> {
  const guarded = [guardian.uid, guardedBidder.uid];
  const { tasks, bids, people, notifications, reviews, conversations, messages, savedSearches } = database;
  // Others may bid and ask questions on open tasks, and operators may hide and restore them.
  const allowed = { bidsCount: 0, bidsRevision: 0, questionsRevision: 0, hidden: 0 };
  const ofTasks = await tasks
    .find({ ownerId: { $in: guarded } }, { projection: allowed })
    .sort({ _id: 1 })
    .toArray();
  const ofBids = await bids
    .find({ bidderId: guardedBidder.uid, taskId: { $in: ofTasks.map(({ _id }) => _id) } })
    .sort({ _id: 1 })
    .toArray();
  const ofPeople = await people
    .find({ _id: { $in: guarded } })
    .sort({ _id: 1 })
    .toArray();
  const read = await notifications.countDocuments({ recipientId: { $in: guarded }, readAt: { $ne: null } });
  const talks = await conversations
    .find({ memberIds: { $in: guarded } })
    .sort({ _id: 1 })
    .toArray();
  const written = await messages
    .find({ conversationId: { $in: talks.map(({ _id }) => _id) } })
    .sort({ _id: 1 })
    .toArray();
  const searches = await savedSearches
    .find({ ownerId: { $in: guarded } })
    .sort({ _id: 1 })
    .toArray();
  const about = await reviews.countDocuments({
    $or: [{ authorId: { $in: guarded } }, { subjectId: { $in: guarded } }],
  });
  return [...ofTasks, ...ofBids, ...ofPeople, ...talks, ...written, ...searches, { read, about }].map((doc) =>
    JSON.stringify(doc),
  );
}

/** Changed, deleted and new documents of guarded people, one line each. */
export function changesIn(before: readonly string[], after: readonly string[]): string[] {
  const without = (docs: readonly string[], others: readonly string[]) =>
    docs.filter((doc) => !others.includes(doc)).map((doc) => doc.slice(0, 600));
  return [
    ...without(before, after).map((doc) => `changed, but must not be: ${doc}`),
    ...without(after, before).map((doc) => `new, but must not be: ${doc}`),
  ];
}

import { isDeepStrictEqual } from "node:util";
import type { Document } from "mongodb";
import { isPlainText } from "../../src/contract/index.ts";
import type { Database } from "../../src/db/client.ts";
import { COLLECTIONS, type CollectionName } from "../../src/db/collections.ts";
import { verifyProblems } from "../lib/verify-data.ts";

const NAMES = Object.keys(COLLECTIONS) as CollectionName[];
const MAX_SHOWN = 600;

// Independent of the forms' own rule: anything visible, without the letters and symbols that are blank.
const VISIBLE_TEXT = /(?![\u115F\u1160\u3164\uFFA0\u2800\u{1D159}])[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u;

/**
 * Invalid stored data, one line for each problem. The schemas of documents contain rules of forms that the database cannot
 * check: valid dates, cents, plain text.
 */
export async function storedProblems(database: Database): Promise<string[]> {
  const wrong: string[] = [];
  for (const name of NAMES)
    for (const doc of (await database[name].find({}).toArray()) as Document[]) {
      const add = (what: string) =>
        wrong.push(`${name}: ${what}: ${JSON.stringify(doc).slice(0, MAX_SHOWN)}`);
      if (!isDeepStrictEqual(COLLECTIONS[name].safeParse(doc).data, doc)) add("violates its schema");
      if (name === "messages" && !isPlainText(doc["text"] ?? "")) add("text that is not plain");
      if (name === "tasks" && ![doc["title"], doc["description"]].every((text) => VISIBLE_TEXT.test(text)))
        add("an invisible text");
    }
  return [...wrong, ...(await verifyProblems(database.db))];
}

/** What others' requests may add about somebody. */
const ABOUT_OTHERS = ["notifications", "reports", "operatorQueue", "operatorLog", "jobs"];
/** What others' requests may change: people bid and ask on an open task, and operators hide it. */
const ALLOWED = { bidsCount: 0, bidsRevision: 0, questionsRevision: 0, hidden: 0, updatedAt: 0 };
/** So a question belongs to its asker only. */
const ASKED = { ...ALLOWED, clientId: 0 };

/** The documents of people who send nothing, and how many notifications they have read: the same before and after. */
export async function guardedState(database: Database, uids: readonly string[]): Promise<string[]> {
  const guarded: string[] = [];
  for (const name of NAMES.filter((each) => !ABOUT_OTHERS.includes(each))) {
    const projection = name === "questions" ? ASKED : ALLOWED;
    for (const doc of (await database[name].find({}, { projection }).toArray()) as Document[]) {
      const text = JSON.stringify(doc);
      if (uids.some((uid) => text.includes(`"${uid}"`))) guarded.push(text);
    }
  }
  const read = { recipientId: { $in: [...uids] }, readAt: { $ne: null } };
  return [...guarded, `${await database.notifications.countDocuments(read)} notifications read`];
}

/** Changed, deleted and new documents of guarded people, one line each. */
export function changesIn(before: readonly string[], after: readonly string[]): string[] {
  const without = (docs: readonly string[], others: readonly string[]) =>
    docs.filter((doc) => !others.includes(doc)).map((doc) => doc.slice(0, MAX_SHOWN));
  return [
    ...without(before, after).map((doc) => `changed, but must not be: ${doc}`),
    ...without(after, before).map((doc) => `new, but must not be: ${doc}`),
  ];
}

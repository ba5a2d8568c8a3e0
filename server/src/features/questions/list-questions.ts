import * as z from "zod/mini";
import type { User } from "../../auth/token-verifier.ts";
import type { PageQuery, Question } from "../../contract/index.ts";
import type { QuestionDoc } from "../../db/documents/tasks.ts";
import { FORMER_MEMBER } from "../../db/notices.ts";
import type { PersonName, PersonNames } from "../../db/people.ts";
import {
  cutPage,
  idKey,
  instantKey,
  newestFirstKeyOf,
  pageLimit,
  readCursor,
  writeCursor,
} from "../../http/pagination.ts";
import { ProblemError } from "../../http/problem.ts";
import type { QuestionQueries } from "./question-queries.ts";

const placeSchema = z.tuple([z.enum(["waiting", "answered"]), instantKey, idKey]);

/**
 * Lists one page of a task's questions as this visitor sees them; `next` is the cursor of the next page.
 * @throws {ProblemError} `task-not-found` or `invalid-cursor`.
 */
export async function listQuestions(
  { queries, names }: { queries: QuestionQueries; names: Pick<PersonNames, "of"> },
  id: string,
  query: PageQuery,
  visitor: User | undefined,
): Promise<{ questions: Question[]; next: string | undefined }> {
  const task = await queries.findTask(id, visitor);
  if (!task) throw new ProblemError("task-not-found");
  const list = `questions ${id}`;
  const limit = pageLimit(query);
  const place = readCursor(list, query.cursor, placeSchema);
  const after = place && { answered: place[0] === "answered", place: [place[1], place[2]] as const };
  const found = await queries.list(task, visitor, { after, limit: limit + 1 });
  const { page, last } = cutPage(found, limit);
  // Only the client sees who asked, just as bidders do not see each other.
  const askers =
    task.ownerId === visitor?.uid ? await names.of(page.map(({ askerId }) => askerId)) : undefined;
  return {
    questions: page.map((each) => ({
      ...presentQuestion(each),
      ...(each.askerId === visitor?.uid && { isOwn: true }),
      ...(askers && { asker: presentAsker(each.askerId, askers.get(each.askerId)) }),
    })),
    next: last && writeCursor(list, [last.answered ? "answered" : "waiting", ...newestFirstKeyOf(last)]),
  };
}

function presentQuestion({ _id, text, answer, createdAt }: QuestionDoc): Question {
  return {
    _id: _id.toHexString(),
    text,
    createdAt: createdAt.toISOString(),
    ...(answer && {
      answer: {
        text: answer.text,
        createdAt: answer.createdAt.toISOString(),
        updatedAt: answer.updatedAt.toISOString(),
      },
    }),
  };
}

function presentAsker(id: string, known: PersonName | undefined): Question["asker"] {
  if (!known) return { name: FORMER_MEMBER };
  const { name, image } = known;
  return { id, name, ...(image && { image }) };
}

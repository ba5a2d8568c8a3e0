import type { User } from "../../auth/token-verifier.ts";
import type { Question } from "../../contract/index.ts";
import type { Database } from "../../db/client.ts";
import type { QuestionDoc } from "../../db/documents/tasks.ts";
import { FORMER_MEMBER } from "../../domain/notify.ts";
import { namesOf, type PersonName } from "../../domain/people.ts";
import { ProblemError } from "../../domain/problem-error.ts";
import { type PageCall, readPage, unmarkedFirstBy } from "../../http/pagination.ts";
import type { QuestionQueries } from "./store.ts";

/**
 * Lists one page of a task's questions as this visitor sees them.
 * @throws {ProblemError} `task-not-found` or `invalid-cursor`.
 */
export async function listQuestions(
  { database, queries }: { database: Database; queries: QuestionQueries },
  id: string,
  visitor: User | undefined,
  call: PageCall,
): Promise<Question[]> {
  const task = await queries.findTask(id, visitor);
  if (!task) throw new ProblemError("task-not-found");
  const page = await readPage(call, {
    list: `questions ${id}`,
    order: unmarkedFirstBy("answered"),
    read: (start) => queries.list(task, visitor, start),
  });
  // Only the client sees who asked, just as bidders do not see each other.
  const askers =
    task.ownerId === visitor?.uid
      ? await namesOf(
          database,
          page.map(({ askerId }) => askerId),
        )
      : undefined;
  return page.map((each) => ({
    ...presentQuestion(each),
    isOwn: each.askerId === visitor?.uid || undefined,
    asker: askers && presentAsker(each.askerId, askers.get(each.askerId)),
  }));
}

function presentQuestion({ _id, text, answer, createdAt }: QuestionDoc): Question {
  return {
    _id: _id.toHexString(),
    text,
    createdAt: createdAt.toISOString(),
    answer: answer && {
      text: answer.text,
      createdAt: answer.createdAt.toISOString(),
      updatedAt: answer.updatedAt.toISOString(),
    },
  };
}

function presentAsker(id: string, known: PersonName | undefined): Question["asker"] {
  if (!known) return { name: FORMER_MEMBER };
  return { id, ...known };
}

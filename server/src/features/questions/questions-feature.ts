import { questionEndpoints } from "../../contract/endpoints/questions.ts";
import type { Database } from "../../db/client.ts";
import type { Jobs } from "../../db/jobs.ts";
import type { Api } from "../../http/mount.ts";
import { ProblemError, updateResponse } from "../../http/problem.ts";
import { listQuestions } from "./list-questions.ts";
import { questionCommands } from "./question-commands.ts";
import { questionQueries } from "./question-queries.ts";

type Deps = {
  database: Database;
  jobs: Pick<Jobs, "nudge">;
};

/** Questions on a task, asked and answered in public. */
export function questionsFeature(api: Api, { database, jobs }: Deps): void {
  const queries = questionQueries(database);
  const commands = questionCommands(database, jobs);

  api.mount(questionEndpoints.listQuestions, ({ params, user, ...call }) =>
    listQuestions({ database, queries }, params.id, user, call),
  );

  api.mount(questionEndpoints.askQuestion, async ({ params, body, user, now }) => {
    const outcome = await commands.ask(params.id, body, user, now);
    if ("insertedId" in outcome) return { acknowledged: true, insertedId: outcome.insertedId };
    throw new ProblemError(outcome.refused, outcome);
  });

  api.mount(questionEndpoints.changeQuestions, async ({ params, body, user }) =>
    updateResponse(await commands.setClosed(params.id, user, body.closed)),
  );

  api.mount(questionEndpoints.answerQuestion, async ({ params, body, user, now }) =>
    updateResponse(await commands.answer(params, body, user, now)),
  );

  api.mount(questionEndpoints.deleteQuestion, async ({ params, user }) => {
    const { acknowledged, modifiedCount } = updateResponse(await commands.remove(params, user));
    return { acknowledged, deletedCount: modifiedCount };
  });

  api.mount(questionEndpoints.setQuestionVisibility, async ({ params, body, user, now }) =>
    updateResponse(await commands.setHidden(params, body, user, now)),
  );
}

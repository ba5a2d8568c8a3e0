import type { Context } from "../../context.ts";
import { questionEndpoints } from "../../contract/question.ts";
import type { Api } from "../../http/mount.ts";
import { deleted, updated } from "../../http/problem.ts";
import { questionCommands } from "./commands.ts";
import { listQuestions } from "./list-questions.ts";
import { questionQueries } from "./store.ts";

/** Questions on a task, asked and answered in public. */
export function questionRoutes(api: Api, { database, jobs }: Context): void {
  const queries = questionQueries(database);
  const commands = questionCommands(database, jobs);

  api.mount(questionEndpoints.listQuestions, ({ params, user, ...call }) =>
    listQuestions({ database, queries }, params.id, user, call),
  );

  api.mount(questionEndpoints.askQuestion, async ({ params, body, user, now }) => {
    return { acknowledged: true, insertedId: await commands.ask(params.id, body, user, now) };
  });

  api.mount(questionEndpoints.changeQuestions, async ({ params, body, user }) =>
    updated(await commands.setClosed(params.id, user, body.closed)),
  );

  api.mount(questionEndpoints.answerQuestion, async ({ params, body, user, now }) =>
    updated(await commands.answer(params, body, user, now)),
  );

  api.mount(questionEndpoints.deleteQuestion, async ({ params, user }) =>
    deleted(await commands.remove(params, user)),
  );

  api.mount(questionEndpoints.setQuestionVisibility, async ({ params, body, user, now }) =>
    updated(await commands.setHidden(params, body, user, now)),
  );
}

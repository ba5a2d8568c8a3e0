import type { Question, Task } from "@tasklane/server/contract";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { liveTasks } from "../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aTask, aTaskEvent, CLIENT, FREELANCER, ID } from "../../testing/builders.ts";
import { deferred } from "../../testing/deferred.ts";
import { pageOfItems } from "../../testing/fake-api.ts";
import { findEnabled } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";

const QUESTIONS = "GET /tasks/:id/questions";

let count = 0;
function aQuestion(fields: Partial<Question> = {}): Question {
  count += 1;
  return {
    _id: count.toString(16).padStart(24, "e"),
    text: `Question number ${count}?`,
    createdAt: "2026-01-02T00:00:00.000Z",
    ...fields,
  };
}
const anAnswer = (text: string) => ({
  text,
  createdAt: "2026-01-03T00:00:00.000Z",
  updatedAt: "2026-01-03T00:00:00.000Z",
});

/** Opens the task's page with a fake server that stores questions. */
async function openTask(
  { viewer = FREELANCER, ...more }: Partial<Task> = {},
  questions: Question[] = [],
  reading?: Promise<void>,
) {
  const task = aTask({ _id: ID, viewer, ...more });
  const world = { questions };
  const app = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": task,
    [QUESTIONS]: async (call) => {
      await reading;
      return pageOfItems(world.questions, call);
    },
    "POST /tasks/:id/questions": ({ body }) =>
      void world.questions.unshift(aQuestion({ ...(body as object), isOwn: true })),
    "PATCH /tasks/:id/questions": ({ body }) =>
      void Object.assign(task, { questionsClosed: (body as { closed: boolean }).closed }),
    "DELETE /tasks/:id/questions/:questionId": ({ params }) => {
      world.questions = world.questions.filter(({ _id }) => _id !== params["questionId"]);
    },
    "PUT /tasks/:id/questions/:questionId/answer": ({ params, body }) => {
      const { text, updatedAt } = body as { text: string; updatedAt: string };
      const stored = world.questions.find(({ _id }) => _id === params["questionId"])?.answer;
      if (updatedAt !== (stored?.updatedAt ?? ""))
        throw new ApiProblem("changed-meanwhile", 412, "This answer was changed since you read it.");
      const answer = anAnswer(text);
      world.questions = world.questions.map((one) =>
        one._id === params["questionId"] ? { ...one, answer } : one,
      );
    },
  });
  await screen.findByRole("heading", { name: task.title, level: 1 });
  const keys = () => app.writes().map(({ headers }) => headers?.["Idempotency-Key"]);
  return { ...app, world, keys };
}

const section = () => within(screen.getByRole("region", { name: "Questions" }));
const items = () => section().getAllByRole("listitem");
const field = (label: string) => section().getByLabelText(label);

it.each([
  ["Ask a question", "Your question", FREELANCER],
  ["Answer", "Your answer", CLIENT],
])(
  "When contact data is typed after %s, then a hint says that it would be public",
  async (button, label, viewer) => {
    const questions = viewer.isOwner ? [aQuestion({ asker: { id: "f1", name: "Fay" } })] : [];
    const { fill, press } = await openTask({ viewer }, questions);
    await press(button);
    await fill(label, "Call me");
    expect(screen.queryByText(/seems to contain/)).toBeNull();
    await fill(label, "Call me at +1 202 555 0143");
    expect(
      screen.getByText("This seems to contain a phone number, which everybody will be able to read."),
    ).toBeVisible();
  },
);

it("When a freelancer asks, then the form takes and returns the focus, and the question can be deleted until it is answered", async () => {
  const { fill, press, reload } = await openTask();
  await press("Ask a question");
  expect(field("Your question")).toHaveFocus();
  await press("Cancel");
  expect(section().getByRole("button", { name: "Ask a question" })).toHaveFocus();
  // A live update does not move the focus.
  screen.getByRole("heading", { name: "Questions" }).focus();
  await reload();
  expect(screen.getByRole("heading", { name: "Questions" })).toHaveFocus();
  await press("Ask a question");
  await press("Send question");
  await waitFor(() => expect(field("Your question")).toHaveAccessibleDescription(/Question is required/));
  await fill("Your question", "Who hosts it?");
  await press("Send question");
  await section().findByText("Who hosts it?");
  expect(items()[0]).toHaveTextContent(/You asked.*Only you and the client see it/);
  // Users cannot report their own question.
  expect(section().queryByRole("button", { name: "Report this question" })).toBeNull();

  await press("Delete");
  await press("Yes, delete it");
  await section().findByText(/Nobody has asked anything yet/);
});

it("When another question is written while one is being sent, then its form stays open once that one is sent", async () => {
  const { user, fill, server, world, press } = await openTask();
  const respond = server.hold("writes");
  const write = async (text: string) => {
    await press("Ask a question");
    await fill("Your question", text);
  };
  await write("Which colors?");
  await press("Send question");
  await press("Cancel");
  await write("Which size?");
  respond();
  await screen.findByText(/Your question is sent/);
  // Not before the page has revalidated.
  await user.click(await findEnabled("Send question"));
  await section().findByRole("button", { name: "Ask a question" });
  expect(world.questions.map(({ text }) => text)).toEqual(["Which size?", "Which colors?"]);
});

it("When the response to an answer was lost, then publishing it again is not a repeat, as it may have been changed since", async () => {
  const { fill, server, press, keys } = await openTask({ viewer: CLIENT }, [aQuestion()]);
  await press("Answer");
  await fill("Your answer", "Blue.");
  server.fails.writes = offlineProblem();
  await press("Publish answer");
  await section().findByText(/We can't reach Tasklane/);
  server.fails.writes = undefined;
  await press("Publish answer");
  await section().findByText("Blue.");
  expect(keys().at(-1)).not.toBe(keys().at(0));
});

it("When a notification links to an answer on an awarded task, then the section has the focus while it loads", async () => {
  const { promise: reading, resolve: arrive } = deferred();
  const question = aQuestion({ isOwn: true, answer: anAnswer("We do.") });
  const { goTo } = await openTask({ state: "awarded" }, [question], reading);
  expect(screen.queryByRole("region", { name: "Questions" })).toBeNull();
  await goTo(`/dash/taskdetails/${ID}#questions`);
  await waitFor(() => expect(section().getByRole("heading", { name: "Questions" })).toHaveFocus());
  arrive();
  await section().findByText("We do.");
});

it("When the client answers on a slow connection, then the question is never shown without its answer, which can be edited", async () => {
  const asker = { id: "p1", name: "Ada Asker" };
  const { user, fill, server, world, press } = await openTask({ viewer: CLIENT }, [
    aQuestion({ text: "Who hosts it?", asker }),
  ]);
  expect(await section().findByRole("link", { name: "Ada Asker" })).toHaveAttribute("href", "/people/p1");
  await press("Answer");
  await fill("Your answer", "We do.");
  const arrive = server.hold(QUESTIONS);
  await press("Publish answer");
  await waitFor(() => expect(world.questions[0]?.answer).toBeDefined());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(section().queryByRole("button", { name: "Answer" })).toBeNull();
  arrive();
  await press("Edit answer");
  expect(field("Your answer")).toHaveValue("We do.");
  await press("Cancel");
  const edit = await section().findByRole("button", { name: "Edit answer" });
  await waitFor(() => expect(edit).toHaveFocus());
  await user.click(edit);
  await fill("Your answer", "We do. In Oslo.");
  await press("Save answer");
  await section().findByText("We do. In Oslo.");
  expect(world.questions[0]?.answer?.text).toBe("We do. In Oslo.");
});

it("When an answer is changed in another tab while its form is open, then saving says so, and saving again replaces it", async () => {
  const question = aQuestion({ answer: anAnswer("We do.") });
  const { fill, world, press, reload } = await openTask({ viewer: CLIENT }, [question]);
  await press("Edit answer");
  await fill("Your answer", "We do. In Oslo.");
  const theirs = { ...anAnswer("We do not."), updatedAt: "2026-01-04T00:00:00.000Z" };
  world.questions = [{ ...question, answer: theirs }];
  // As after a live event.
  await reload();
  await section().findByText("We do not.", { ignore: "textarea" });
  await press("Save answer");
  await section().findByText(/This answer was changed since you read it/);
  expect([world.questions[0]?.answer, field("Your answer")]).toMatchObject([
    theirs,
    { value: "We do. In Oslo." },
  ]);
  await press("Save answer");
  await section().findByText("We do. In Oslo.", { ignore: "textarea" });
  expect(world.questions[0]?.answer?.text).toBe("We do. In Oslo.");
});

it("When an answer is changed elsewhere while its draft waits, then saving the restored draft says so, too", async () => {
  const question = aQuestion({ answer: anAnswer("We do.") });
  const { fill, press } = await openTask({ viewer: CLIENT }, [question]);
  await press("Edit answer");
  await fill("Your answer", "We do. In Oslo.");
  cleanup();
  const theirs = { ...anAnswer("We do not."), updatedAt: "2026-01-04T00:00:00.000Z" };
  const again = await openTask({ viewer: CLIENT }, [{ ...question, answer: theirs }]);
  await section().findByText("We do not.");
  expect(field("Your answer")).toHaveValue("We do. In Oslo.");
  expect(field("Your answer")).not.toHaveFocus();
  await again.press("Save answer");
  await section().findByText(/This answer was changed since you read it/);
});

it("When a task is hidden, then its client can still change an answer, which may be the reason, but give none", async () => {
  const asked = [aQuestion(), aQuestion({ answer: anAnswer("Call me.") })];
  await openTask({ viewer: CLIENT, hidden: true }, asked);
  await section().findByRole("button", { name: "Edit answer" });
  expect(section().queryByRole("button", { name: "Answer" })).toBeNull();
});

it("When the client closes questions, then the page says so, and they can be reopened", async () => {
  const { user, press } = await openTask({ viewer: CLIENT });
  await press("Close questions");
  await section().findByText(/You are not taking any more questions/);
  await user.click(await findEnabled("Take questions again"));
  await section().findByText(/Nobody has asked anything yet/);
  expect(section().queryByRole("button", { name: "Ask a question" })).toBeNull();
});

const own = () => aQuestion({ isOwn: true, answer: anAnswer("Yes.") });

it.each([
  ["are closed", { questionsClosed: true }, [], "The client is not taking any more questions on this task."],
  ["are three already", {}, [own(), own(), own()], /You have asked 3 questions/],
  ["are about a completed task", { state: "completed" }, [own()], "Yes."],
] as const)(
  "When a freelancer’s questions %s, then they see that and no form",
  async (_, task, asked, words) => {
    await openTask(task, [...asked]);
    // Of a completed task, the section is shown once the questions have arrived.
    await screen.findByText(words);
    expect(section().queryByRole("button", { name: /Ask|Answer|Delete/ })).toBeNull();
  },
);

it("When a task is cancelled and nothing was asked, then there is no questions section", async () => {
  const { asked, queryClient } = await openTask({ viewer: CLIENT, state: "cancelled" });
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(asked(QUESTIONS)).not.toEqual([]);
  expect(screen.queryByRole("heading", { name: "Questions" })).toBeNull();
});

it("When a question is answered while the page is open, then it appears, and more questions load on demand", async () => {
  const many = Array.from({ length: 12 }, () => aQuestion({ answer: anAnswer("Yes.") }));
  const { press, world } = await openTask({}, many);
  await press("Load more questions");
  await waitFor(() => expect(items()).toHaveLength(12));
  world.questions = [aQuestion({ text: "New?", answer: anAnswer("Indeed.") }), ...world.questions.slice(1)];
  act(() => liveTasks.deliver(ID, aTaskEvent({ questionsRevision: 7 })));
  await section().findByText("Indeed.");
});

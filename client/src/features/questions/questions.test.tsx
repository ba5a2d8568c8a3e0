import type { Question, Task } from "@tasklane/server/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { liveTasks } from "../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi, deferred } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { findEnabled } from "../../testing/find-enabled.ts";
import { renderApp } from "../../testing/render-app.tsx";

const SLOW = { timeout: 15_000 };
const freelancer = { isOwner: false, hasBid: false, role: "freelancer", hasReviewed: false } as const;
const client = { isOwner: true, hasBid: false, role: "client", hasReviewed: false } as const;

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

/** Opens the task's page with a fake server that stores questions. Writes fail with what `refuse` throws. */
async function openTask(task: Task, questions: Question[] = [], reading?: Promise<void>) {
  const server = {
    questions,
    refuse: undefined as (() => never) | undefined,
    reading,
    writing: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path, query, body }) => {
    if (!path.startsWith(`/tasks/${task._id}/questions`))
      return { data: path === `/tasks/${task._id}` ? task : [] };
    const { text, closed } = (body ?? {}) as { text: string; closed?: boolean };
    const id = path.split("/")[4];
    if (method === "GET") {
      await server.reading;
      const from = Number(query["cursor"] ?? 0);
      const next = { Link: `<${path}?cursor=${from + 10}>; rel="next"` };
      const page = server.questions.slice(from, from + 10);
      return { data: page, ...(server.questions.length > from + 10 && { headers: next }) };
    }
    await server.writing;
    server.refuse?.();
    if (method === "POST") server.questions = [aQuestion({ text, isOwn: true }), ...server.questions];
    if (method === "PATCH") Object.assign(task, { questionsClosed: closed });
    if (method === "DELETE") server.questions = server.questions.filter(({ _id }) => _id !== id);
    if (method === "PUT")
      server.questions = server.questions.map((one) =>
        one._id === id ? { ...one, answer: anAnswer(text) } : one,
      );
    return {
      data: { acknowledged: true, insertedId: "q", matchedCount: 1, modifiedCount: 1, deletedCount: 1 },
    };
  });
  const firebase = createFakeFirebase(aPerson());
  const { user, queryClient, router } = renderApp(`/taskdetails/${task._id}`, { api, firebase });
  await screen.findByRole("heading", { name: task.title, level: 1 }, SLOW);
  return { api, user, server, queryClient, router };
}

const section = () => within(screen.getByRole("region", { name: "Questions" }));
const items = () => section().getAllByRole("listitem");

it.each([
  ["Ask a question", "Your question", freelancer],
  ["Answer", "Your answer", client],
])(
  "When contact data is typed after %s, then a hint says that it would be public",
  async (button, label, viewer) => {
    const questions = viewer.isOwner ? [aQuestion({ asker: { id: "f1", name: "Fay" } })] : [];
    const { user } = await openTask(aTask({ viewer }), questions);
    await user.click(await section().findByRole("button", { name: button }));
    await user.type(section().getByLabelText(label), "Call me");
    expect(screen.queryByText(/seems to contain/)).toBeNull();
    await user.type(section().getByLabelText(label), " at +1 202 555 0143");
    expect(
      screen.getByText("This seems to contain a phone number, which everybody will be able to read."),
    ).toBeVisible();
  },
);

it("When a freelancer asks, then a failure keeps the text, and a sent question can be deleted until it is answered", async () => {
  const { user, server, api, queryClient } = await openTask(aTask({ viewer: freelancer }));
  await user.click(await section().findByRole("button", { name: "Ask a question" }));
  expect(section().getByLabelText("Your question")).toHaveFocus();
  await user.click(section().getByRole("button", { name: "Cancel" }));
  expect(section().getByRole("button", { name: "Ask a question" })).toHaveFocus();
  // A live update does not move the focus.
  screen.getByRole("heading", { name: "Questions" }).focus();
  await act(() => queryClient.invalidateQueries());
  expect(screen.getByRole("heading", { name: "Questions" })).toHaveFocus();
  await user.click(section().getByRole("button", { name: "Ask a question" }));
  await user.click(section().getByRole("button", { name: "Send question" }));
  await waitFor(() =>
    expect(section().getByLabelText("Your question")).toHaveAccessibleDescription(/Question is required/),
  );
  await user.type(section().getByLabelText("Your question"), "Who hosts it?");
  server.refuse = () => {
    throw offlineProblem();
  };
  await user.click(section().getByRole("button", { name: "Send question" }));
  await section().findByText(/We can't reach Tasklane/);
  expect(section().getByLabelText("Your question")).toHaveValue("Who hosts it?");
  server.refuse = undefined;
  await user.click(section().getByRole("button", { name: "Send question" }));
  await section().findByText("Who hosts it?");
  const keys = api.calls
    .filter(({ method }) => method === "POST")
    .map(({ headers }) => headers?.["Idempotency-Key"]);
  expect(new Set(keys).size).toBe(1);
  expect(items()[0]).toHaveTextContent(/You asked.*Only you and the client see it/);
  // Users cannot report their own question.
  expect(section().queryByRole("button", { name: "Report this question" })).toBeNull();

  await user.click(section().getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Yes, delete it" }));
  await section().findByText(/Nobody has asked anything yet/);
});

it("When the page is left and opened again while a question is being sent, then the form closes once it is sent", async () => {
  const task = aTask({ viewer: freelancer });
  const { user, server, router } = await openTask(task);
  const sending = deferred();
  server.writing = sending.promise;
  await user.click(await section().findByRole("button", { name: "Ask a question" }));
  await user.type(section().getByLabelText("Your question"), "Which colors?");
  await user.click(section().getByRole("button", { name: "Send question" }));
  await act(() => router.navigate("/about"));
  await act(() => router.navigate(`/taskdetails/${task._id}`));
  expect(await section().findByLabelText("Your question")).toHaveValue("Which colors?");
  sending.resolve();
  expect(await section().findByRole("button", { name: "Ask a question" })).toBeVisible();
  await waitFor(() => expect(items()).toHaveLength(1));
});

it("When another question is written while one is being sent, then its form stays open once that one is sent", async () => {
  const { user, server } = await openTask(aTask({ viewer: freelancer }));
  const sending = deferred();
  server.writing = sending.promise;
  const write = async (text: string) => {
    await user.click(await section().findByRole("button", { name: "Ask a question" }));
    await user.type(section().getByLabelText("Your question"), text);
  };
  await write("Which colors?");
  await user.click(section().getByRole("button", { name: "Send question" }));
  await user.click(section().getByRole("button", { name: "Cancel" }));
  await write("Which size?");
  sending.resolve();
  await screen.findByText(/Your question is sent/);
  // Not before the page has revalidated.
  await user.click(await findEnabled("Send question"));
  await section().findByRole("button", { name: "Ask a question" });
  expect(server.questions.map(({ text }) => text)).toEqual(["Which size?", "Which colors?"]);
});

it("When the response to an answer was lost, then publishing it again is not a repeat, as it may have been changed since", async () => {
  const { user, server, api } = await openTask(aTask({ viewer: client }), [aQuestion()]);
  await user.click(await section().findByRole("button", { name: "Answer" }));
  await user.type(section().getByLabelText("Your answer"), "Blue.");
  server.refuse = () => {
    throw offlineProblem();
  };
  await user.click(section().getByRole("button", { name: "Publish answer" }));
  await section().findByText(/We can't reach Tasklane/);
  server.refuse = undefined;
  await user.click(section().getByRole("button", { name: "Publish answer" }));
  await section().findByText("Blue.");
  const keys = api.calls
    .filter(({ method }) => method === "PUT")
    .map(({ headers }) => headers?.["Idempotency-Key"]);
  expect(keys.at(-1)).not.toBe(keys.at(0));
});

it("When an answer is published on a slow connection, then the question is never shown without it", async () => {
  const { user, server } = await openTask(aTask({ viewer: client }), [aQuestion()]);
  await user.click(await section().findByRole("button", { name: "Answer" }));
  await user.type(section().getByLabelText("Your answer"), "We do.");
  const { promise, resolve: arrive } = deferred();
  server.reading = promise;
  await user.click(section().getByRole("button", { name: "Publish answer" }));
  await waitFor(() => expect(server.questions[0]?.answer).toBeDefined());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(section().queryByRole("button", { name: "Answer" })).toBeNull();
  arrive();
  await section().findByRole("button", { name: "Edit answer" });
});

it("When a notification links to an answer on an awarded task, then the section has the focus while it loads", async () => {
  const { promise: reading, resolve: arrive } = deferred();
  const task = aTask({ viewer: freelancer, state: "awarded" });
  const { router } = await openTask(task, [aQuestion({ isOwn: true, answer: anAnswer("We do.") })], reading);
  expect(screen.queryByRole("region", { name: "Questions" })).toBeNull();
  await act(() => router.navigate(`/dash/taskdetails/${task._id}#questions`));
  await waitFor(() => expect(section().getByRole("heading", { name: "Questions" })).toHaveFocus());
  arrive();
  await section().findByText("We do.");
});

it("When the client answers, then the question is shown with its answer, which can be edited", async () => {
  const asker = { id: "p1", name: "Ada Asker" };
  const { user, server } = await openTask(aTask({ viewer: client }), [
    aQuestion({ text: "Who hosts it?", asker }),
  ]);
  expect(await section().findByRole("link", { name: "Ada Asker" })).toHaveAttribute("href", "/people/p1");
  await user.click(section().getByRole("button", { name: "Answer" }));
  await user.type(section().getByLabelText("Your answer"), "We do.");
  await user.click(section().getByRole("button", { name: "Publish answer" }));
  await user.click(await section().findByRole("button", { name: "Edit answer" }));
  expect(section().getByLabelText("Your answer")).toHaveValue("We do.");
  await user.click(section().getByRole("button", { name: "Cancel" }));
  const edit = await section().findByRole("button", { name: "Edit answer" });
  await waitFor(() => expect(edit).toHaveFocus());
  await user.click(edit);
  await user.type(section().getByLabelText("Your answer"), " In Oslo.");
  await user.click(section().getByRole("button", { name: "Save answer" }));
  await section().findByText("We do. In Oslo.");
  expect(server.questions[0]?.answer?.text).toBe("We do. In Oslo.");
});

it("When the client closes questions, then the page says so, and they can be reopened", async () => {
  const task = aTask({ viewer: client });
  const { user } = await openTask(task);
  await user.click(await section().findByRole("button", { name: "Close questions" }));
  await section().findByText(/You are not taking any more questions/);
  await user.click(await findEnabled("Take questions again"));
  await section().findByText(/Nobody has asked anything yet/);
  expect(section().queryByRole("button", { name: "Ask a question" })).toBeNull();
});

it("When questions are closed, then a freelancer sees that instead of the form", async () => {
  await openTask(aTask({ viewer: freelancer, questionsClosed: true }));
  await section().findByText("The client is not taking any more questions on this task.");
  expect(section().queryByRole("button", { name: "Ask a question" })).toBeNull();
});

it("When somebody has asked three questions, then the page says that this is the limit", async () => {
  const own = () => aQuestion({ isOwn: true, answer: anAnswer("Yes.") });
  await openTask(aTask({ viewer: freelancer }), [own(), own(), own()]);
  await section().findByText(/You have asked 3 questions/);
  expect(section().queryByRole("button", { name: "Ask a question" })).toBeNull();
});

it("When the server rejects a question, then the form shows the reason and keeps the text", async () => {
  const { user, server } = await openTask(aTask({ viewer: freelancer }));
  await user.click(await section().findByRole("button", { name: "Ask a question" }));
  await user.type(section().getByLabelText("Your question"), "Who hosts it?");
  server.refuse = () => {
    throw new ApiProblem("questions-used-up", 409, "You have reached the limit of questions on this task.");
  };
  await user.click(section().getByRole("button", { name: "Send question" }));
  await section().findByText(/limit of questions/);
  expect(section().getByLabelText("Your question")).toHaveValue("Who hosts it?");
});

it("When a task is completed, then its questions are still shown, without buttons", async () => {
  await openTask(aTask({ viewer: freelancer, state: "completed" }), [
    aQuestion({ answer: anAnswer("Yes.") }),
  ]);
  await screen.findByText("Yes.");
  expect(section().queryByRole("button", { name: /Ask|Answer|Delete/ })).toBeNull();
});

it("When a task is cancelled and nothing was asked, then there is no questions section", async () => {
  const { api, queryClient } = await openTask(aTask({ viewer: client, state: "cancelled" }));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(api.calls.some(({ path }) => path.endsWith("/questions"))).toBe(true);
  expect(screen.queryByRole("heading", { name: "Questions" })).toBeNull();
});

it("When a question is answered while the page is open, then it appears, and more questions load on demand", async () => {
  const task = aTask({ viewer: freelancer });
  const { user, server } = await openTask(
    task,
    Array.from({ length: 12 }, () => aQuestion({ answer: anAnswer("Yes.") })),
  );
  await user.click(await section().findByRole("button", { name: "Load more questions" }));
  await waitFor(() => expect(items()).toHaveLength(12));
  server.questions = [aQuestion({ text: "New?", answer: anAnswer("Indeed.") }), ...server.questions.slice(1)];
  const event = { taskId: task._id, bidsCount: 0, bidsRevision: 0, state: "open", version: 0 };
  act(() => liveTasks.deliver(task._id, { ...event, questionsRevision: 7 }));
  await section().findByText("Indeed.");
});

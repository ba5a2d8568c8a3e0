import type { Question, Task } from "@tasklane/server/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { liveTasks } from "../../lib/live.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

const PATIENT = { timeout: 15_000 };
const freelancer = { isOwner: false, hasBid: false, role: "freelancer", hasReviewed: false } as const;
const client = { isOwner: true, hasBid: false, role: "client", hasReviewed: false } as const;

let made = 0;
function aQuestion(fields: Partial<Question> = {}): Question {
  made += 1;
  return {
    _id: made.toString(16).padStart(24, "e"),
    text: `Question number ${made}?`,
    createdAt: "2026-01-02T00:00:00.000Z",
    ...fields,
  };
}
const saying = (text: string) => ({
  text,
  createdAt: "2026-01-03T00:00:00.000Z",
  updatedAt: "2026-01-03T00:00:00.000Z",
});

/** The details page of a task over a server that keeps questions. `refuse` throws what the next write meets. */
async function showing(task: Task, questions: Question[] = [], reading?: Promise<void>) {
  const server = { questions, refuse: undefined as (() => never) | undefined, reading };
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
    server.refuse?.();
    if (method === "POST") server.questions = [aQuestion({ text, isOwn: true }), ...server.questions];
    if (method === "PATCH") Object.assign(task, { questionsClosed: closed });
    if (method === "DELETE") server.questions = server.questions.filter(({ _id }) => _id !== id);
    if (method === "PUT")
      server.questions = server.questions.map((one) =>
        one._id === id ? { ...one, answer: saying(text) } : one,
      );
    return {
      data: { acknowledged: true, insertedId: "q", matchedCount: 1, modifiedCount: 1, deletedCount: 1 },
    };
  });
  const gateway = createFakeAuthGateway(aPerson());
  const { user, queryClient, router } = renderApp(`/taskdetails/${task._id}`, { api, gateway });
  await screen.findByRole("heading", { name: task.title, level: 1 }, PATIENT);
  return { api, user, server, queryClient, router };
}

const section = () => within(screen.getByRole("region", { name: "Questions" }));
const items = () => section().getAllByRole("listitem");

it("When a freelancer asks, then a failure keeps what was typed; sent, it waits and can be deleted", async () => {
  const { user, server, api, queryClient } = await showing(aTask({ viewer: freelancer }));
  await user.click(await section().findByRole("button", { name: "Ask a question" }));
  expect(section().getByLabelText("Your question")).toHaveFocus();
  await user.click(section().getByRole("button", { name: "Cancel" }));
  expect(section().getByRole("button", { name: "Ask a question" })).toHaveFocus();
  // News of the task leave the focus where it is by then.
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
  // Nobody reports themself.
  expect(section().queryByRole("button", { name: "Report this question" })).toBeNull();

  await user.click(section().getByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Yes, delete it" }));
  await section().findByText(/Nobody has asked anything yet/);
});

it("When an answer is published over a slow line, then the question never stands there without it", async () => {
  const { user, server } = await showing(aTask({ viewer: client }), [aQuestion()]);
  await user.click(await section().findByRole("button", { name: "Answer" }));
  await user.type(section().getByLabelText("Your answer"), "We do.");
  let arrive = () => {};
  server.reading = new Promise((resolve) => {
    arrive = resolve;
  });
  await user.click(section().getByRole("button", { name: "Publish answer" }));
  await waitFor(() => expect(server.questions[0]?.answer).toBeDefined());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(section().queryByRole("button", { name: "Answer" })).toBeNull();
  arrive();
  await section().findByRole("button", { name: "Edit answer" });
});

it("When a notification leads to an answer on a task that takes no questions, then focus is there while they are read", async () => {
  let arrive = () => {};
  const reading = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const task = aTask({ viewer: freelancer, state: "awarded" });
  const { router } = await showing(task, [aQuestion({ isOwn: true, answer: saying("We do.") })], reading);
  expect(screen.queryByRole("region", { name: "Questions" })).toBeNull();
  await act(() => router.navigate(`/dash/taskdetails/${task._id}#questions`));
  await waitFor(() => expect(section().getByRole("heading", { name: "Questions" })).toHaveFocus());
  arrive();
  await section().findByText("We do.");
});

it("When the client answers, then the question and its answer stand there, and the answer can be changed", async () => {
  const asker = { id: "p1", name: "Ada Asker" };
  const { user, server } = await showing(aTask({ viewer: client }), [
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

it("When the client closes the questions, then freelancers read that, and opens them again", async () => {
  const task = aTask({ viewer: client });
  const { user } = await showing(task);
  await user.click(await section().findByRole("button", { name: "Close questions" }));
  await section().findByText(/You take no more questions/);
  await user.click(section().getByRole("button", { name: "Take questions again" }));
  await section().findByText(/Nobody has asked anything yet/);
  expect(section().queryByRole("button", { name: "Ask a question" })).toBeNull();
});

it("When the questions were closed, or all one may ask are asked, then there is no form, and the page says why", async () => {
  await showing(aTask({ viewer: freelancer, questionsClosed: true }));
  await section().findByText("The client takes no more questions on this task.");
  expect(section().queryByRole("button", { name: "Ask a question" })).toBeNull();
});

it("When somebody has asked three questions, then the page says that this is the most", async () => {
  const own = () => aQuestion({ isOwn: true, answer: saying("Yes.") });
  await showing(aTask({ viewer: freelancer }), [own(), own(), own()]);
  await section().findByText(/You have asked 3 questions/);
  expect(section().queryByRole("button", { name: "Ask a question" })).toBeNull();
});

it("When the server refuses a question, then its reason stands at the form, with what was typed", async () => {
  const { user, server } = await showing(aTask({ viewer: freelancer }));
  await user.click(await section().findByRole("button", { name: "Ask a question" }));
  await user.type(section().getByLabelText("Your question"), "Who hosts it?");
  server.refuse = () => {
    throw new ApiProblem("questions-used-up", 409, "You have asked as many questions as one can on a task.");
  };
  await user.click(section().getByRole("button", { name: "Send question" }));
  await section().findByText(/as many questions as one can/);
  expect(section().getByLabelText("Your question")).toHaveValue("Who hosts it?");
});

it("When a task is over, then what was asked still stands there; without questions there is no section", async () => {
  await showing(aTask({ viewer: freelancer, state: "completed" }), [aQuestion({ answer: saying("Yes.") })]);
  await section().findByText("Yes.");
  expect(section().queryByRole("button", { name: /Ask|Answer|Delete/ })).toBeNull();
});

it("When a task is over and nothing was asked, then nothing is said of questions", async () => {
  const { api, queryClient } = await showing(aTask({ viewer: client, state: "cancelled" }));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(api.calls.some(({ path }) => path.endsWith("/questions"))).toBe(true);
  expect(screen.queryByRole("heading", { name: "Questions" })).toBeNull();
});

it("When an answer comes while the page is open, then it appears; and more questions are loaded on demand", async () => {
  const task = aTask({ viewer: freelancer });
  const { user, server } = await showing(
    task,
    Array.from({ length: 12 }, () => aQuestion({ answer: saying("Yes.") })),
  );
  await user.click(await section().findByRole("button", { name: "Load more questions" }));
  await waitFor(() => expect(items()).toHaveLength(12));
  server.questions = [aQuestion({ text: "New?", answer: saying("Indeed.") }), ...server.questions.slice(1)];
  const event = { taskId: task._id, bidsCount: 0, bidsRevision: 0, state: "open", version: 0 };
  act(() => liveTasks.deliver(task._id, { ...event, questionsRevision: 7 }));
  await section().findByText("Indeed.");
});

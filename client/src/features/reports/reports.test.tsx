import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import { aMe, aPerson, aTask } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { renderApp } from "../../testing/render-app.tsx";

// The first test also loads the pages' modules.
const ME = aMe({ emailAvailable: false });
const SLOW = { timeout: 15_000 };
const NOW = "2026-01-01T00:00:00.000Z";
const viewer = { isOwner: false, hasBid: false, role: "freelancer" as const, hasReviewed: false };

it("When a task is reported, then a failure keeps the text, and success shows a thank-you", async () => {
  const task = aTask({ viewer });
  const state = { failing: true };
  const api = createFakeApi(({ path }) => {
    if (path !== "/reports") return { data: task };
    if (state.failing) throw offlineProblem();
    return { data: { acknowledged: true, insertedId: "r1" } };
  });
  const { user } = renderApp(`/taskdetails/${task._id}`, { api, firebase: createFakeFirebase(aPerson()) });
  await user.click(await screen.findByRole("button", { name: "Report this task" }, SLOW));
  await user.click(screen.getByRole("button", { name: "Send report" }));
  await waitFor(() =>
    expect(screen.getByLabelText("Reason")).toHaveAccessibleDescription("Choose a reason."),
  );
  await user.selectOptions(screen.getByLabelText("Reason"), "Fraud or a scam");
  await user.type(screen.getByLabelText("Explanation (optional)"), "Asks for money first.");
  await user.click(screen.getByRole("button", { name: "Send report" }));
  await screen.findByText(/We can't reach Tasklane/);
  expect(screen.getByLabelText("Explanation (optional)")).toHaveValue("Asks for money first.");
  state.failing = false;
  await user.click(screen.getByRole("button", { name: "Send report" }));
  await screen.findByText(/An operator will look at it/);
  expect(api.calls.findLast(({ method }) => method === "POST")?.body).toEqual({
    taskId: task._id,
    reason: "fraud",
    text: "Asks for money first.",
  });
});

it("When the report dialog is closed before sending, then the draft is restored on reopening", async () => {
  const task = aTask({ viewer });
  const api = createFakeApi(() => ({ data: task }));
  const { user } = renderApp(`/taskdetails/${task._id}`, { api, firebase: createFakeFirebase(aPerson()) });
  const open = await screen.findByRole("button", { name: "Report this task" }, SLOW);
  await user.click(open);
  await user.selectOptions(screen.getByLabelText("Reason"), "Fraud or a scam");
  await user.type(screen.getByLabelText("Explanation (optional)"), "Asks for money first.");
  // A browser fires this for Escape, the close button and a click on the backdrop.
  fireEvent(screen.getByRole("dialog"), new Event("close"));
  await waitFor(() => expect(screen.queryByLabelText("Reason")).toBeNull());
  await user.click(open);
  expect(screen.getByLabelText("Reason")).toHaveValue("fraud");
  expect(screen.getByLabelText("Explanation (optional)")).toHaveValue("Asks for money first.");
});

it("When somebody views their own task, then they cannot report it", async () => {
  const task = aTask({ viewer: { ...viewer, isOwner: true, role: "client" } });
  const api = createFakeApi(() => ({ data: task }));
  renderApp(`/taskdetails/${task._id}`, { api, firebase: createFakeFirebase(aPerson()) });
  await screen.findByRole("heading", { name: task.title }, SLOW);
  expect(screen.queryByRole("button", { name: "Report this task" })).toBeNull();
});

it("When an operator hides a task, then the reason is sent, and a resolved report leaves the open list", async () => {
  const report = {
    _id: "r1",
    about: "task",
    taskId: "t1",
    title: "Easy money",
    person: { id: "p1", name: "Sam" },
    task: { title: "Easy money", description: "Earn.", name: "Sam", clientId: "p1", hidden: false },
    reason: "fraud",
    reporter: "Fay",
    settled: false,
    createdAt: "2026-01-01T00:00:00.000Z",
  };
  const api = createFakeApi(({ method, path, query, body }) => {
    if (path === "/me") return { data: { ...ME, isOperator: true, openReports: report.settled ? 0 : 1 } };
    if (path === "/operators/queue") return new Promise(() => undefined);
    if (method === "GET") {
      const isListed = !query["state"] || (query["state"] === "resolved") === report.settled;
      return { data: isListed ? [report] : [] };
    }
    if (path === "/tasks/t1/visibility") report.task.hidden = (body as { hidden: boolean }).hidden;
    if (path === "/reports/r1") Object.assign(report, body);
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const { user } = renderApp("/dash/reports", { api, firebase: createFakeFirebase(aPerson()) });
  await user.click(await screen.findByRole("button", { name: "Hide task" }, SLOW));
  const sidebar = screen.getByRole("navigation", { name: "Dashboard" });
  expect(await within(sidebar).findByRole("link", { name: /Reports 1 open/, hidden: true })).toBeVisible();
  const dialog = screen.getByRole("dialog", { name: "Hide this task?" });
  expect(within(dialog).getByLabelText("Reason")).toHaveValue("fraud");
  await user.type(within(dialog).getByLabelText("Message to Sam (optional)"), "No money up front.");
  fireEvent(dialog, new Event("close"));
  await user.click(await screen.findByRole("button", { name: "Hide task" }));
  expect(within(dialog).getByLabelText("Message to Sam (optional)")).toHaveValue("No money up front.");
  await user.click(within(dialog).getByRole("button", { name: "Hide task" }));
  await screen.findByRole("button", { name: "Restore task" });
  expect(screen.getByText("Task hidden")).toBeVisible();
  expect(api.calls.findLast(({ path }) => path === "/tasks/t1/visibility")?.body).toEqual({
    hidden: true,
    reason: "fraud",
    text: "No money up front.",
  });
  await user.click(screen.getByRole("button", { name: "Resolve" }));
  await screen.findByRole("heading", { name: "No open reports" });
  await user.selectOptions(screen.getByLabelText("Show"), "Resolved");
  expect(await screen.findByRole("button", { name: "Reopen" })).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Reason"), "Spam or advertising");
  await waitFor(() =>
    expect(api.calls.at(-1)?.query).toEqual({ state: "resolved", reason: "spam", limit: "20" }),
  );
  // The filters keep their values while another page loads.
  await user.click(screen.getByRole("link", { name: "Queue" }));
  await waitFor(() => expect(api.calls.at(-1)?.path).toBe("/operators/queue"));
  expect(screen.getByLabelText("Show")).toHaveValue("resolved");
});

it("When the response to resolving is lost and the report is made again, then resolving it again takes effect", async () => {
  const report = {
    _id: "r1",
    about: "task",
    taskId: "t1",
    title: "Easy money",
    person: { id: "p1", name: "Sam" },
    task: { title: "Easy money", description: "Earn.", name: "Sam", clientId: "p1", hidden: false },
    reason: "fraud",
    reporter: "Fay",
    settled: false,
    createdAt: NOW,
  };
  const keys = new Set<string | undefined>();
  let isLosing = true;
  const api = createFakeApi(({ method, path, headers, body }) => {
    if (path === "/me") return { data: { ...ME, isOperator: true } };
    if (method === "GET") return { data: [report] };
    const key = headers?.["Idempotency-Key"];
    // Like the server, it carries out each key once.
    if (!keys.has(key)) Object.assign(report, body);
    keys.add(key);
    if (isLosing) throw offlineProblem();
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const firebase = createFakeFirebase(aPerson());
  const { user, queryClient } = renderApp("/dash/reports", { api, firebase });
  await user.click(await screen.findByRole("button", { name: "Resolve" }, SLOW));
  await screen.findByText(/We can't reach Tasklane/);
  [isLosing, report.settled] = [false, false];
  await queryClient.invalidateQueries({ queryKey: ["reports"] });
  await user.click(await screen.findByRole("button", { name: "Resolve" }));
  expect(await screen.findByRole("button", { name: "Reopen" })).toBeVisible();
});

it("When a reported bid's message and answer are identical, then both are shown", async () => {
  const report = {
    _id: "r1",
    about: "bid",
    taskId: "t1",
    title: "A logo",
    person: { id: "p1", name: "Sam" },
    bid: { message: "Hire me.", answer: "Hire me." },
    reason: "spam",
    reporter: "Fay",
    settled: false,
    createdAt: NOW,
  };
  const api = createFakeApi(({ path }) => ({
    data: path === "/me" ? { ...ME, isOperator: true } : [report],
  }));
  renderApp("/dash/reports", { api, firebase: createFakeFirebase(aPerson()) });
  expect(await screen.findAllByText("Hire me.", undefined, SLOW)).toHaveLength(2);
});

it("When the author of a reported bid has deleted their account, then their name does not look like a link", async () => {
  const report = {
    _id: "r1",
    about: "bid",
    taskId: "t1",
    title: "A logo",
    person: { name: "Former member" },
    bid: { message: "Hire me." },
    reason: "spam",
    reporter: "Fay",
    settled: false,
    createdAt: NOW,
  };
  const api = createFakeApi(({ path }) => ({
    data: path === "/me" ? { ...ME, isOperator: true } : [report],
  }));
  renderApp("/dash/reports", { api, firebase: createFakeFirebase(aPerson()) });
  expect(await screen.findByText("Former member", undefined, SLOW)).not.toHaveClass("underline");
});

it.each([
  ["task", ["Hide task", "Suspend account of Cleo"]],
  ["bid", ["Suspend account of Fay"]],
  ["question", ["Hide question", "Suspend account of Fay", "Suspend account of Cleo"]],
  ["conversation", ["Suspend account of Fay"]],
])(
  "When a %s is reported, then only what fits it is offered, and whose account it is about",
  async (about, offered) => {
    const task = { title: "A logo", description: "Draw.", name: "Cleo", clientId: "c1", hidden: false };
    const question = {
      _id: "q1",
      text: "Why?",
      answer: "So.",
      hidden: false,
      asker: { id: "f1", name: "Fay" },
    };
    const person = about === "task" ? { id: "c1", name: "Cleo" } : { id: "f1", name: "Fay" };
    const report = {
      ...{ _id: "r1", about, taskId: "t1", title: "A logo", task, person, reason: "spam", reporter: "Ann" },
      ...(about === "question" && { question }),
      ...{ settled: false, createdAt: NOW },
    };
    const api = createFakeApi(({ path }) => ({
      data: path === "/me" ? { ...ME, isOperator: true } : [report],
    }));
    renderApp("/dash/reports", { api, firebase: createFakeFirebase(aPerson()) });
    const card = within(
      (await screen.findByRole("button", { name: "Resolve" }, SLOW)).closest("li") as HTMLElement,
    );
    expect(card.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "Resolve",
      ...offered,
    ]);
  },
);

it("When a report is about the operator, or about a question on their own task, then another operator has to decide", async () => {
  const me = aPerson();
  const task = { title: "A logo", description: "Draw.", name: "Me", clientId: me.uid, hidden: true };
  const asked = { _id: "q1", text: "Why?", hidden: false, asker: { id: "f1", name: "Fay" } };
  const shared = { taskId: "t1", title: "A logo", task, reason: "spam", reporter: "Ann", createdAt: NOW };
  const reports = [
    { ...shared, _id: "r1", about: "task", person: { id: me.uid, name: "Me" }, settled: false },
    { ...shared, _id: "r2", about: "question", person: asked.asker, question: asked, settled: true },
  ];
  const api = createFakeApi(({ path }) => ({
    data: path === "/me" ? { ...ME, isOperator: true, openReports: 1, openItems: 2 } : reports,
  }));
  renderApp("/dash/reports", { api, firebase: createFakeFirebase(me) });
  expect(
    await screen.findAllByText("This concerns you, so another operator decides.", {}, SLOW),
  ).toHaveLength(2);
  for (const name of [/Resolve|Reopen/, /task$/, /question$/, /Suspend/])
    expect(screen.queryByRole("button", { name })).toBeNull();
  // One rule for all counts: what is open, in the sidebar all of it, on each tab its own.
  const links = screen.getAllByRole("link", { name: /open$/ }).map(({ textContent }) => textContent);
  expect(links).toEqual(["Reports 3 open", "Reports 1 open", "Queue 2 open"]);
});

it("When somebody who is not an operator opens the reports, then the page says who may see them", async () => {
  const api = createFakeApi(({ path }) => ({ data: path === "/me" ? ME : [] }));
  renderApp("/dash/reports", { api, firebase: createFakeFirebase(aPerson()) });
  await screen.findByRole("heading", { name: "Only operators see reports" }, SLOW);
  // The client does not even request them.
  expect(api.calls.filter(({ path }) => path === "/reports")).toEqual([]);
});

it("When an operator suspends a client, then the reason is sent, the client is marked, and the log can lift it", async () => {
  const task = { title: "Easy money", description: "Call me.", name: "Sam", clientId: "p1", hidden: false };
  const author = { id: "p1", name: "Sam" };
  const about = { about: "task", taskId: "t1", task, person: author };
  const item = { _id: "q1", kind: "first-task", ...about, settled: false, createdAt: NOW };
  const log: object[] = [];
  const api = createFakeApi(({ method, path, query, body }) => {
    if (path === "/me") return { data: { ...ME, isOperator: true, openReports: 0 } };
    if (method === "GET" && path === "/operators/log") return { data: log };
    if (method === "GET") return { data: query["state"] === "open" && item.settled ? [] : [item] };
    if (path === "/operators/queue/q1") Object.assign(item, body);
    if (path === "/profiles/p1/suspension") {
      const { suspended } = body as { suspended: boolean };
      Object.assign(task, { clientSuspended: suspended, hidden: suspended });
      Object.assign(author, { suspended });
      const person = { id: "p1", name: "Sam", suspended };
      log.unshift({
        ...{ _id: `a${log.length}`, operator: "Oda", reason: "spam", createdAt: NOW, person },
        kind: suspended ? "account-suspended" : "suspension-lifted",
      });
    }
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const { user } = renderApp("/dash/reports/queue", { api, firebase: createFakeFirebase(aPerson()) });
  expect(await screen.findByText("Call me.", {}, SLOW)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Suspend account of Sam" }));
  const dialog = within(screen.getByRole("dialog", { name: "Suspend Sam?" }));
  expect(dialog.getByText(/can read only public pages and the reason/)).toBeVisible();
  await user.selectOptions(dialog.getByLabelText("Reason"), "Spam or advertising");
  await user.click(dialog.getByRole("button", { name: "Suspend account" }));
  expect(await screen.findByText("suspended")).toBeVisible();
  expect(api.calls.findLast(({ path }) => path === "/profiles/p1/suspension")?.body).toEqual({
    suspended: true,
    reason: "spam",
  });
  await user.click(screen.getByRole("button", { name: "Mark as checked" }));
  await screen.findByRole("heading", { name: "Nothing to check" });

  await user.click(screen.getByRole("link", { name: "Log" }));
  await screen.findByRole("heading", { name: "Account suspended" });
  await user.click(screen.getByRole("button", { name: "Lift suspension of Sam" }));
  const lifting = within(screen.getByRole("dialog", { name: "Lift the suspension of Sam?" }));
  await user.click(lifting.getByRole("button", { name: "Lift suspension" }));
  await waitFor(() =>
    expect(lifting.getByLabelText("Reason")).toHaveAccessibleDescription(/Reason is required/),
  );
  await user.type(lifting.getByLabelText("Reason"), "A mistake.");
  await user.click(lifting.getByRole("button", { name: "Lift suspension" }));
  await screen.findByRole("heading", { name: "Suspension lifted" });
  expect(api.calls.findLast(({ path }) => path === "/profiles/p1/suspension")?.body).toEqual({
    suspended: false,
    text: "A mistake.",
  });
});

it("When the task of reported messages is deleted, then their author can still be suspended, and is marked", async () => {
  const person = { id: "p1", name: "Sam", suspended: false };
  const about = { about: "conversation", taskId: "t1", title: "Easy money", conversation: { messages: [] } };
  const report = { _id: "r1", ...about, person, reason: "offensive", reporter: "Fay" };
  const api = createFakeApi(({ method, path, body }) => {
    if (path === "/me") return { data: { ...ME, isOperator: true, openReports: 1 } };
    if (method === "GET") return { data: [{ ...report, settled: false, createdAt: NOW }] };
    Object.assign(person, { suspended: (body as { suspended: boolean }).suspended });
    return { data: { acknowledged: true, matchedCount: 1, modifiedCount: 1 } };
  });
  const { user } = renderApp("/dash/reports", { api, firebase: createFakeFirebase(aPerson()) });
  await screen.findByRole("heading", { name: /messages about Easy money \(deleted\)/ }, SLOW);
  await user.click(screen.getByRole("button", { name: "Suspend account of Sam" }));
  const dialog = within(screen.getByRole("dialog", { name: "Suspend Sam?" }));
  await user.click(dialog.getByRole("button", { name: "Suspend account" }));
  expect(await screen.findByText("suspended")).toBeVisible();
  expect(api.calls.findLast(({ method }) => method !== "GET")).toMatchObject({
    path: "/profiles/p1/suspension",
    body: { suspended: true, reason: "offensive" },
  });
  expect(screen.getByRole("link", { name: "Sam" })).toHaveAttribute("href", "/people/p1");
  expect(screen.queryByRole("button", { name: "Hide task" })).toBeNull();
});

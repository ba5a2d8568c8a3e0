import type { Me } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import { aMe, aPerson, aTask, FREELANCER } from "../../testing/builders.ts";
import type { Call } from "../../testing/fake-api.ts";
import { closeDialog, findDialog } from "../../testing/find.ts";
import { type Handlers, openApp } from "../../testing/open-app.tsx";

const NOW = "2026-01-01T00:00:00.000Z";

/** Opens a task's page, for a freelancer unless the task says otherwise. */
async function openTask(task = aTask({ viewer: FREELANCER })) {
  const app = openApp(`/taskdetails/${task._id}`, { "GET /tasks/:id": task });
  await screen.findByRole("heading", { name: task.title });
  return { ...app, task };
}

it("When a task is reported, then a failure and closing the dialog keep the text, and success shows a thank-you", async () => {
  const { user, fill, press, server, writes, task } = await openTask();
  const send = () => press("Send report");
  await press("Report this task");
  await send();
  await waitFor(() =>
    expect(screen.getByLabelText("Reason")).toHaveAccessibleDescription("Choose a reason."),
  );
  await user.selectOptions(screen.getByLabelText("Reason"), "Fraud or a scam");
  await fill("Explanation (optional)", "Asks for money first.");
  server.fails.writes = offlineProblem();
  await send();
  await screen.findByText(/We can't reach Tasklane/);
  await closeDialog();
  await press("Report this task");
  expect(screen.getByLabelText("Reason")).toHaveValue("fraud");
  expect(screen.getByLabelText("Explanation (optional)")).toHaveValue("Asks for money first.");
  server.fails.writes = undefined;
  await send();
  await screen.findByText(/An operator will look at it/);
  const body = { taskId: task._id, reason: "fraud", text: "Asks for money first." };
  expect(writes().at(-1)?.body).toEqual(body);
});

it("When somebody views their own task, then they cannot report it", async () => {
  await openTask(aTask({ viewer: { ...FREELANCER, isOwner: true, role: "client" } }));
  expect(screen.queryByRole("button", { name: "Report this task" })).toBeNull();
});

const aSubject = () => ({
  title: "Easy money",
  description: "Call me.",
  name: "Sam",
  clientId: "p1",
  hidden: false,
});

/** A report of Sam's task. */
const aReport = (overrides = {}) => ({
  ...{ _id: "r1", about: "task", taskId: "t1", title: "Easy money", task: aSubject(), settled: false },
  ...{ person: { id: "p1", name: "Sam" }, reason: "fraud", reporter: "Fay", createdAt: NOW },
  ...overrides,
});

/** Opens a page of operators for one of them. */
const openAsOperator = (path: string, handlers: Handlers, me: Partial<Me> = {}) =>
  openApp(path, { "GET /me": () => aMe({ isOperator: true, ...me }), ...handlers });

/** Opens the list with this report, without its bid's or question's task. */
const openReport = (overrides: object) =>
  openAsOperator("/dash/reports", { "GET /reports": [aReport({ task: undefined, ...overrides })] });

it("When an operator hides a task, then the reason is sent, and a resolved report leaves the open list", async () => {
  const report = aReport();
  const isListed = ({ query: { state } }: Call) => !state || (state === "resolved") === report.settled;
  const { user, fill, press, server, asked } = openAsOperator("/dash/reports", {
    "GET /me": () => aMe({ isOperator: true, openReports: report.settled ? 0 : 1 }),
    "GET /operators/queue": () => new Promise(() => undefined),
    "GET /reports": (call: Call) => (isListed(call) ? [report] : []),
    "PATCH /tasks/:id/visibility": ({ body }: Call) =>
      void Object.assign(report.task, { hidden: (body as { hidden: boolean }).hidden }),
    "PATCH /reports/:id": ({ body }: Call) => void Object.assign(report, body),
  });
  await press("Hide task");
  const sidebar = screen.getByRole("navigation", { name: "Dashboard" });
  expect(await within(sidebar).findByRole("link", { name: /Reports 1 open/, hidden: true })).toBeVisible();
  const dialog = screen.getByRole("dialog", { name: "Hide this task?" });
  expect(within(dialog).getByLabelText("Reason")).toHaveValue("fraud");
  await fill("Message to Sam (optional)", "No money up front.");
  await closeDialog();
  await press("Hide task");
  expect(within(dialog).getByLabelText("Message to Sam (optional)")).toHaveValue("No money up front.");
  await press("Hide task", within(dialog));
  await screen.findByRole("button", { name: "Restore task" });
  expect(screen.getByText("Task hidden")).toBeVisible();
  expect(asked("PATCH /tasks/:id/visibility").at(-1)?.body).toEqual({
    hidden: true,
    reason: "fraud",
    text: "No money up front.",
  });
  await press("Resolve");
  await screen.findByRole("heading", { name: "No open reports" });
  await user.selectOptions(screen.getByLabelText("Show"), "Resolved");
  expect(await screen.findByRole("button", { name: "Reopen" })).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Reason"), "Spam or advertising");
  await waitFor(() =>
    expect(server.calls.at(-1)?.query).toEqual({ state: "resolved", reason: "spam", limit: "20" }),
  );
  // The filters keep their values while another page loads.
  await user.click(screen.getByRole("link", { name: "Queue" }));
  await waitFor(() => expect(server.calls.at(-1)?.path).toBe("/operators/queue"));
  expect(screen.getByLabelText("Show")).toHaveValue("resolved");
});

it("When the response to resolving is lost and the report is made again, then resolving it again takes effect", async () => {
  const report = aReport();
  const { press, server, queryClient } = openAsOperator("/dash/reports", {
    "GET /reports": () => [report],
    "PATCH /reports/:id": ({ body }: Call) => void Object.assign(report, body),
  });
  server.loses = offlineProblem();
  await press("Resolve");
  await screen.findByText(/We can't reach Tasklane/);
  server.loses = undefined;
  report.settled = false;
  await queryClient.invalidateQueries({ queryKey: ["reports"] });
  await press("Resolve");
  expect(await screen.findByRole("button", { name: "Reopen" })).toBeVisible();
});

it("When the author of a reported bid has deleted their account, then their name does not look like a link; both texts are shown, even if identical", async () => {
  openReport({
    ...{ about: "bid", bid: { message: "Hire me.", answer: "Hire me." } },
    person: { name: "Former member" },
  });
  expect(await screen.findByText("Former member")).not.toHaveClass("underline");
  expect(screen.getAllByText("Hire me.")).toHaveLength(2);
});

it.each([
  ["task", ["Hide task", "Suspend account of Cleo"]],
  ["bid", ["Suspend account of Fay"]],
  ["question", ["Hide question", "Suspend account of Fay", "Suspend account of Cleo"]],
  ["conversation", ["Suspend account of Fay"]],
])(
  "When a %s is reported, then only what fits it is offered, and whose account it is about",
  async (about, offered) => {
    const asker = { id: "f1", name: "Fay" };
    openReport({
      about,
      task: { ...aSubject(), name: "Cleo", clientId: "c1" },
      person: about === "task" ? { id: "c1", name: "Cleo" } : asker,
      ...(about === "question" && {
        question: { _id: "q1", text: "Why?", answer: "So.", hidden: false, asker },
      }),
    });
    const resolve = await screen.findByRole("button", { name: "Resolve" });
    const card = within(resolve.closest("li") as HTMLElement);
    expect(card.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "Resolve",
      ...offered,
    ]);
  },
);

it("When a report is about the operator, or about a question on their own task, then another operator has to decide", async () => {
  const me = aPerson();
  const task = { ...aSubject(), name: "Me", clientId: me.uid, hidden: true };
  const question = { _id: "q1", text: "Why?", hidden: false, asker: { id: "f1", name: "Fay" } };
  const reports = [
    aReport({ task, person: { id: me.uid, name: "Me" } }),
    aReport({ task, _id: "r2", about: "question", person: question.asker, question, settled: true }),
  ];
  openAsOperator("/dash/reports", { "GET /reports": reports }, { openReports: 1, openItems: 2 });
  expect(await screen.findAllByText("This concerns you, so another operator decides.")).toHaveLength(2);
  for (const name of [/Resolve|Reopen/, /task$/, /question$/, /Suspend/])
    expect(screen.queryByRole("button", { name })).toBeNull();
  // One rule for all counts: what is open, in the sidebar all of it, on each tab its own.
  const links = screen.getAllByRole("link", { name: /open$/ }).map(({ textContent }) => textContent);
  expect(links).toEqual(["Reports 3 open", "Reports 1 open", "Queue 2 open"]);
});

it("When somebody who is not an operator opens the reports, then the page says who may see them", async () => {
  const { asked } = openApp("/dash/reports");
  await screen.findByRole("heading", { name: "Only operators see reports" });
  // The client does not even request them.
  expect(asked("GET /reports")).toEqual([]);
});

it("When an operator suspends a client, then the reason is sent, the client is marked, and the log can lift it", async () => {
  const [task, author] = [aSubject(), { id: "p1", name: "Sam" }];
  const item = { _id: "q1", kind: "first-task", about: "task", taskId: "t1", task, person: author };
  const state = { settled: false, createdAt: NOW };
  const log: object[] = [];
  const { user, fill, press, asked } = openAsOperator("/dash/reports/queue", {
    "GET /operators/log": () => log,
    "GET /operators/queue": ({ query }: Call) =>
      query["state"] === "open" && state.settled ? [] : [{ ...item, ...state }],
    "PATCH /operators/queue/:id": ({ body }: Call) => void Object.assign(state, body),
    "PATCH /profiles/:id/suspension": ({ body }: Call) => {
      const { suspended } = body as { suspended: boolean };
      Object.assign(task, { clientSuspended: suspended, hidden: suspended });
      Object.assign(author, { suspended });
      log.unshift({
        ...{ _id: `a${log.length}`, operator: "Oda", reason: "spam", createdAt: NOW, person: { ...author } },
        kind: suspended ? "account-suspended" : "suspension-lifted",
      });
    },
  });
  const sent = () => asked("PATCH /profiles/:id/suspension").at(-1)?.body;
  expect(await screen.findByText("Call me.")).toBeVisible();
  await press("Suspend account of Sam");
  const dialog = await findDialog("Suspend Sam?");
  expect(dialog.getByText(/can read only public pages and the reason/)).toBeVisible();
  await user.selectOptions(dialog.getByLabelText("Reason"), "Spam or advertising");
  await press("Suspend account", dialog);
  expect(await screen.findByText("suspended")).toBeVisible();
  expect(sent()).toEqual({ suspended: true, reason: "spam" });
  await press("Mark as checked");
  await screen.findByRole("heading", { name: "Nothing to check" });

  await user.click(screen.getByRole("link", { name: "Log" }));
  await screen.findByRole("heading", { name: "Account suspended" });
  await press("Lift suspension of Sam");
  const lifting = await findDialog("Lift the suspension of Sam?");
  await press("Lift suspension", lifting);
  await waitFor(() =>
    expect(lifting.getByLabelText("Reason")).toHaveAccessibleDescription(/Reason is required/),
  );
  await fill("Reason", "A mistake.", lifting);
  await press("Lift suspension", lifting);
  await screen.findByRole("heading", { name: "Suspension lifted" });
  expect(sent()).toEqual({ suspended: false, text: "A mistake." });
});

it("When the task of reported messages is deleted, then they are shown with their files, and their author can still be suspended", async () => {
  const files = [{ _id: "f1", name: "deal.pdf", size: 2_000, type: "application/pdf" }];
  const messages = [{ name: "Sam", text: "", files, createdAt: NOW }];
  openReport({ about: "conversation", conversation: { messages } });
  await screen.findByRole("heading", { name: /messages about Easy money \(deleted\)/ });
  expect(screen.getByRole("button", { name: "Download deal.pdf" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Sam" })).toHaveAttribute("href", "/people/p1");
  expect(screen.getByRole("button", { name: "Suspend account of Sam" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Hide task" })).toBeNull();
});

it("When a virus was found in an upload, then its card names who uploaded it, and no task", async () => {
  const file = { _id: "q1", kind: "infected-file", about: "task", taskId: "f1", settled: false };
  const item = { ...file, person: { id: "p1", name: "Ann" }, createdAt: NOW };
  openAsOperator("/dash/reports/queue", { "GET /operators/queue": [item] });
  const card = within(await screen.findByRole("listitem", { name: "Infected file" }));
  expect(card.getByText("Uploaded by")).toHaveTextContent("Uploaded by Ann");
});

it.each([false, true])(
  "When a dispute is in the queue (settled: %s), then its card leads to it until it is decided, and no button settles or reopens it",
  async (settled) => {
    const dispute = { _id: "q1", kind: "dispute", about: "task", taskId: "t1", task: aSubject() };
    const item = { ...dispute, person: { id: "p1", name: "Sam" }, settled, createdAt: NOW };
    openAsOperator("/dash/reports/queue", { "GET /operators/queue": [item] });
    const card = within(await screen.findByRole("listitem", { name: "Dispute: Easy money" }));
    const links = card.queryAllByRole("link", { name: "See the dispute" });
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      settled ? [] : ["/dash/taskdetails/t1#ending"],
    );
    const buttons = card.getAllByRole("button").map(({ textContent }) => textContent);
    expect(buttons).toEqual(["Hide task", "Suspend account of Sam"]);
  },
);

import { type Bid, calendarDate, type Task, type TaskFile } from "@tasklane/server/contract";
import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aBid, aRefusal, aTask, FREELANCER, ID } from "../../testing/builders.ts";
import { deferred } from "../../testing/deferred.ts";
import { findRegion } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";
import { uploads } from "../files/upload.tsx";

const FILE = { _id: "f".repeat(24), name: "ships.pdf", size: 5, type: "application/pdf" };

type Start = { task?: Partial<Task>; bid?: Bid | undefined; files?: Promise<TaskFile[]> | TaskFile[] };

/** Opens a task with three other bids, and the panel of the reader's own, if any. The test can change both in `world`. */
async function openPanel({ task = {}, bid, files = [] }: Start = {}) {
  const world = { task: { viewer: FREELANCER, ...task } as Partial<Task>, bid };
  const app = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": () => {
      const { bid, task } = world;
      const viewer = { ...FREELANCER, ...task.viewer, hasBid: bid !== undefined, ...(bid && { bid }) };
      return aTask({ _id: ID, ...task, bidsCount: bid ? 4 : 3, viewer });
    },
    "GET /tasks/:id/files": () => files,
    "GET /files/:id": { state: "ready", name: FILE.name, file: FILE },
    "PATCH /tasks/:id/bid": ({ body }) => {
      const { days, message, ...rest } = (body ?? {}) as Partial<Bid>;
      world.bid = aBid({ ...rest, ...(days && { days }), ...(message && { message }) });
    },
  });
  // Beside the task, and its form above the task.
  const card = await findRegion("Your bid");
  const panel = within(screen.getByRole("main"));
  const press = (name: string | RegExp) => app.press(name, panel);
  const fill = (label: string, text: string) => app.fill(label, text, panel);
  return { ...app, world, card, panel, press, fill };
}

const bidCount = (count: number) => screen.findByText(String(count), { selector: "strong" });
const [AMOUNT, DAYS, MESSAGE] = ["Amount (USD)", "Days to deliver", "Message to the client"];
const drafts = () => Object.values(localStorage).join();

describe("bidding", () => {
  it("When somebody types before the page shows their bid, then the field keeps its focus and the text", async () => {
    const { user, server, panel, press, fill, writes } = await openPanel();
    const release = server.hold("reads");
    await press("Bid Now");
    await panel.findByLabelText(AMOUNT);
    await fill(AMOUNT, "455.");
    release();
    await bidCount(4);
    // A remounted field would have lost the focus.
    await user.keyboard("5");
    expect(panel.getByLabelText(AMOUNT)).toHaveFocus();
    await press("Save bid");
    await waitFor(() => expect(writes()[1]?.body).toMatchObject({ amount: 455.5 }));
  });

  it("When the page is slow to show a new bid, then its form stays, and cannot be sent twice", async () => {
    const { server, panel, press, fill, writes } = await openPanel();
    await press("Customize your bid");
    await fill(MESSAGE, "I have done this before.");
    const release = server.hold("reads");
    await press("Place bid");
    await screen.findByText("Your bid is in. The client can see it now.");
    const busy = panel.getByRole("button", { name: "Sending…" });
    expect(busy).toHaveAttribute("aria-disabled", "true");
    await press("Sending…");
    release();
    await panel.findByText("I have done this before.", { selector: "p" });
    await waitFor(() => expect(panel.queryByLabelText(MESSAGE)).toBeNull());
    expect(writes()).toHaveLength(1);
  });

  it("When a bid fails, then what was typed stays, even after a reload, and a second attempt is a new request", async () => {
    const { server, panel, press, fill, writes } = await openPanel();
    await press("Customize your bid");
    await fill(AMOUNT, "199.5");
    await fill(MESSAGE, "Half now.");
    server.fails.writes = offlineProblem();
    await press("Place bid");
    await panel.findByText(/We can't reach Tasklane/);
    expect(panel.getByLabelText(AMOUNT)).toHaveValue("199.5");
    expect(drafts()).toContain("Half now.");
    server.fails.writes = undefined;
    await press("Place bid");
    await bidCount(4);
    const [lost, again] = writes();
    expect(again?.body).toEqual({ amount: 199.5, days: null, message: "Half now.", files: [] });
    // Not a repeat: the bid may have been withdrawn on another device since.
    expect(again?.headers?.["Idempotency-Key"]).not.toBe(lost?.headers?.["Idempotency-Key"]);
    expect(drafts()).not.toContain("Half now.");
  });

  it("When a refused bid is abandoned with Back, then its error disappears, and Bid Now is offered again", async () => {
    const { server, panel, press } = await openPanel();
    await press("Customize your bid");
    server.fails.writes = new ApiProblem("too-many-requests", 429, "Too many requests.");
    await press("Place bid");
    const reason = await panel.findByText("Too many requests.");
    expect(reason.closest("[tabindex]")).toHaveFocus();
    await press("Back");
    await panel.findByRole("button", { name: "Bid Now" });
    expect(reason).not.toBeInTheDocument();
  });

  it("When the form is left with Back, then the draft waits until it is opened again; when a change is given up, then it is gone", async () => {
    const { panel, press, fill } = await openPanel();
    await press("Customize your bid");
    await fill(MESSAGE, "Half now.");
    await press("Back");
    await panel.findByRole("button", { name: "Bid Now" });
    expect(panel.queryByLabelText(MESSAGE)).toBeNull();
    expect(drafts()).toContain("Half now.");
    await press("Customize your bid");
    expect(panel.getByLabelText(MESSAGE)).toHaveValue("Half now.");
    await press("Place bid");
    await bidCount(4);
    await press("Edit bid");
    await fill(MESSAGE, "All now.");
    await press("Keep as is");
    expect(drafts()).not.toContain("All now.");
    await press("Edit bid");
    expect(panel.getByLabelText(MESSAGE)).toHaveValue("Half now.");
  });
});

describe("a bid that is refused", () => {
  it("When the client has changed the price since the task was loaded, then Bid Now shows the new price before bidding it", async () => {
    const { world, server, card, press, writes } = await openPanel({ task: { version: 3 } });
    await card.findByText("$250");
    world.task = { version: 4, budget: 90 };
    server.fails.writes = new ApiProblem("changed-meanwhile", 412, "The client has changed this task.");
    await press("Bid Now");
    await card.findByText("$90");
    expect(card.getByRole("alert")).toHaveTextContent("The client has changed this task.");
    server.fails.writes = undefined;
    await press("Bid Now");
    await bidCount(4);
    expect(writes().map(({ headers, body }) => [headers?.["If-Match"], body])).toEqual([
      ['"3"', undefined],
      ['"4"', undefined],
    ]);
  });

  it("When the task stopped taking bids meanwhile, then the server's message is shown and the page is reloaded", async () => {
    const { world, server, card, press } = await openPanel();
    server.fails.writes = new ApiProblem("task-not-open", 409, "This task no longer takes bids");
    world.task = { state: "cancelled" };
    await press("Bid Now");
    await card.findByText(/This task was cancelled/);
    expect(card.getByRole("alert")).toHaveTextContent("This task no longer takes bids");
    expect(card.queryByRole("button", { name: "Bid Now" })).toBeNull();
  });

  it("When the task no longer exists but the page still shows it, then no retry is offered", async () => {
    const { server, panel, press } = await openPanel();
    server.fails.writes = new ApiProblem("task-not-found", 404, "This task no longer exists.");
    await press("Bid Now");
    await panel.findByText("This task no longer exists.");
    expect(screen.queryByRole("button", { name: /Try again|Bid Now|Customize/ })).toBeNull();
    expect(panel.getByRole("link", { name: "Browse open tasks" })).toBeVisible();
  });

  it("When few bids are left, then it says how many; when none are, it says when the next is possible and hides Bid Now", async () => {
    const { world, server, card, press } = await openPanel({
      task: { viewer: { ...FREELANCER, bidsLeft: 3 } },
    });
    await card.findByText("You can place 3 more bids today.");
    world.task = { viewer: { ...FREELANCER, bidsLeft: 0 } };
    server.fails.writes = new ApiProblem("bid-limit-reached", 409, "You have placed 20 bids today.");
    await press("Bid Now");
    const limit = /as many bids as one day allows\. You can bid again in \d+ (minute|hour)s?\./;
    await waitFor(() => expect(card.getByRole("alert")).toHaveTextContent(limit));
    await waitFor(() =>
      expect(card.queryByRole("button", { name: /Bid Now|Try again|Customize/ })).toBeNull(),
    );
    expect(card.getAllByText(limit)).toHaveLength(1);
  });

  it("When a field is corrected, then only its own error disappears", async () => {
    const { user, panel, press, fill, writes } = await openPanel();
    await press("Customize your bid");
    const [amount, days] = [panel.getByLabelText(AMOUNT), panel.getByLabelText(DAYS)];
    await fill(AMOUNT, "0");
    await fill(DAYS, "400");
    await press("Place bid");
    await waitFor(() => expect(amount).toHaveAccessibleDescription(/more than \$0/));
    await user.type(amount, ".5");
    expect(amount).toBeValid();
    expect(amount).not.toHaveAccessibleDescription(/more than/);
    expect(days).toHaveAccessibleDescription(/1 to 365 whole days/);
    // The next attempt validates again.
    await press("Place bid");
    await waitFor(() => expect(days).toHaveFocus());
    await user.clear(amount);
    await press("Place bid");
    await waitFor(() => expect(amount).toHaveAccessibleDescription(/Enter the amount as a number/));
    expect(writes()).toEqual([]);
  });
});

it("When a phone is turned while the form is open, then the form stays as it is, with a file that is being uploaded", async () => {
  let [matches, turn] = [true, () => {}];
  vi.spyOn(window, "matchMedia").mockImplementation(
    () =>
      ({
        get matches() {
          return matches;
        },
        addEventListener: (_: string, listener: () => void) => {
          turn = listener;
        },
        removeEventListener() {},
      }) as unknown as MediaQueryList,
  );
  vi.spyOn(uploads, "start").mockReturnValue({ cancel() {}, retry() {} });
  const { user, panel, press } = await openPanel();
  await press("Bid Now");
  await user.upload(await panel.findByLabelText("Attach files"), new File(["A fox"], FILE.name));
  matches = false;
  act(() => turn());
  expect(panel.getByRole("dialog", { name: "Your offer" })).toBeVisible();
  expect(panel.getByText(FILE.name)).toBeVisible();
});

it("When a bid is edited before its files are known, then its draft does not remove them", async () => {
  const bid = aBid({ days: 3 });
  const stored: TaskFile = { ...FILE, place: "bid", on: bid._id, by: "freelancer" };
  const loading = deferred();
  const files = loading.promise.then(() => [stored]);
  const { press, fill } = await openPanel({ bid, files });
  await press("Edit bid");
  await fill(MESSAGE, "Half now.");
  expect(drafts()).toContain("Half now.");
  document.body.replaceChildren();
  loading.resolve();
  const again = await openPanel({ bid, files });
  await again.panel.findByRole("button", { name: "Remove ships.pdf" });
  await again.press("Save bid");
  await waitFor(() =>
    expect(again.writes()[0]?.body).toMatchObject({ message: "Half now.", files: [FILE._id] }),
  );
});

it.each([
  ["the task changes", aBid(), "Edit bid", "Save bid"],
  ["the bid is placed in another tab", undefined, "Customize your bid", "Save bid"],
])(
  "When a file is attached, and %s while the bid's files do not load, then the file stays in the form",
  async (_, bid, open, save) => {
    const start = vi.spyOn(uploads, "start").mockReturnValue({ cancel() {}, retry() {} });
    const before = bid && { bid: { ...bid, days: 3 } };
    const { user, world, server, reload, panel, press, writes } = await openPanel(before);
    await press(open);
    await user.upload(await panel.findByLabelText("Attach files"), new File(["A fox"], FILE.name));
    act(() => start.mock.calls[0]?.[1].onDone(FILE._id));
    await panel.findByRole("button", { name: "Remove ships.pdf" });
    server.fails["GET /tasks/:id/files"] = new ApiProblem("internal", 500, "Oops");
    Object.assign(world, { bid: world.bid ?? aBid(), task: { version: 7 } });
    await reload();
    await panel.findByText("The attached files could not be loaded.");
    expect(panel.getByRole("button", { name: "Remove ships.pdf" })).toBeVisible();
    server.fails["GET /tasks/:id/files"] = undefined;
    await press(save);
    await waitFor(() => expect(writes()[0]?.body).toMatchObject({ files: [FILE._id] }));
  },
);

it("When a file is attached to a bid on another device while it is edited here, then saving keeps it, and removes only what was removed here", async () => {
  const bid = aBid({ days: 3 });
  const stored: TaskFile = { ...FILE, place: "bid", on: bid._id, by: "freelancer" };
  const files = [stored];
  const { press, writes } = await openPanel({ bid, files });
  await press("Edit bid");
  await press("Remove ships.pdf");
  const added = { ...stored, _id: "e".repeat(24), name: "sails.pdf" };
  files.push(added);
  await press("Save bid");
  await waitFor(() => expect(writes()[0]?.body).toMatchObject({ files: [added._id] }));
});

describe("a screening question", () => {
  const QUESTION = "Which bakeries have you worked for?";
  const OTHER = "When can you start?";

  it("When the question has changed on the server, then the field shows the new one, says so, and keeps what was typed", async () => {
    const { user, world, server, panel, press, writes } = await openPanel({
      task: { screeningQuestion: QUESTION },
    });
    await press("Bid Now");
    const answer = await panel.findByRole("textbox", { name: QUESTION });
    await waitFor(() => expect(answer).toHaveFocus());
    await user.type(answer, "Two.");
    expect(drafts()).toContain("Two.");
    world.task = { screeningQuestion: OTHER };
    server.fails.writes = aRefusal("answer", "The client now asks a different question.");
    await press("Place bid");
    const next = await panel.findByRole("textbox", { name: OTHER });
    expect(next).toHaveValue("Two.");
    await waitFor(() =>
      expect(next).toHaveAccessibleDescription(/has changed this question since .* a different question/),
    );
    server.fails.writes = undefined;
    await press("Place bid");
    await panel.findByText("Two.", { selector: "dd div" });
    await waitFor(() => expect(panel.queryByRole("textbox", { name: OTHER })).toBeNull());
    expect(drafts()).toBe("");
    const sent = { amount: 250, days: null, message: "", files: [], question: OTHER, answer: "Two." };
    expect(writes().at(-1)?.body).toEqual(sent);
  });

  it("When a question was added after the page loaded, then the refusal of Bid Now shows it", async () => {
    const { world, server, panel, press } = await openPanel();
    const detail = `The client asks every bidder: “${QUESTION}”`;
    world.task = { screeningQuestion: QUESTION };
    server.fails.writes = aRefusal("answer", detail);
    await press("Bid Now");
    await panel.findByText(detail);
    await panel.findByText("The client asks everybody who bids one question.");
    await press("Bid Now");
    await panel.findByRole("textbox", { name: QUESTION });
  });

  it.each([
    ["the question", QUESTION, "Edit bid", "Two."],
    ["an earlier question", OTHER, "Answer the question", ""],
  ])(
    "When the viewer's bid answers %s, then editing starts with that answer to the task's question only",
    async (_, screeningQuestion, edit, value) => {
      const bid = aBid({ question: QUESTION, answer: "Two." });
      const { panel, press } = await openPanel({ task: { screeningQuestion }, bid });
      await panel.findByText("Two.", { selector: "dd div" });
      expect(panel.queryAllByText(/Your bid does not answer that yet/)).toHaveLength(value ? 0 : 1);
      await press(edit);
      expect(await panel.findByRole("textbox", { name: screeningQuestion })).toHaveValue(value);
    },
  );
});

describe("the offer", () => {
  it("When its message contains contact data, then the form advises against it but sends it", async () => {
    const { user, panel, press, writes } = await openPanel();
    await press("Customize your bid");
    const message = panel.getByLabelText(MESSAGE);
    const type = async (text: string) => {
      await user.click(message);
      await user.paste(text);
    };
    await type("I charge $1,200 until 2027-03-31.");
    expect(panel.queryByText(/seems to contain/)).toBeNull();
    await type(" Write to fay@mail.example");
    expect(panel.getByText(/seems to contain an email address\. It is better to wait/)).toBeVisible();
    await type(" or call +49 170 1234567");
    expect(panel.getByText(/seems to contain an email address and a phone number\./)).toBeVisible();
    await press("Place bid");
    await panel.findByText(/Write to fay@mail.example/, { selector: "p" });
    expect(writes()).toHaveLength(1);
  });

  it("When price or days do not fit the task, then the form says so while they are typed, and sends them anyway", async () => {
    const task = { budget: 1_600, deadline: calendarDate(new Date()) };
    const { panel, press, fill, writes } = await openPanel({ task });
    await press("Customize your bid");
    expect(panel.queryByText(/Your offer is/)).toBeNull();
    await fill(AMOUNT, "900000");
    expect(panel.getByText("Your offer is $898,400 over budget.")).toBeVisible();
    await fill(DAYS, "300");
    expect(
      panel.getByText("Your offer is $898,400 over budget, and 300 days after the deadline."),
    ).toBeVisible();
    await fill(AMOUNT, "1600");
    expect(panel.getByText("Your offer is 300 days after the deadline.")).toBeVisible();
    await press("Place bid");
    await waitFor(() => expect(writes()).toHaveLength(1));
  });

  it("When its message was sent before, then the freelancer sees the same badge as the client", async () => {
    const { panel } = await openPanel({ bid: aBid({ message: "Hello again", sentTo: 14 }) });
    await panel.findByText("Sent to 14 other tasks");
    expect(panel.getByText("The client sees this beside your message.")).toBeVisible();
  });
});

it.each([
  [{ state: "expired" }, undefined, /deadline of this task has passed/],
  // Loaded while it was open; the deadline has passed since.
  [{ state: "open", deadline: "2020-01-01" }, undefined, /deadline of this task has passed/],
  [{ state: "awarded" }, undefined, /has hired somebody for this task/],
  [{ state: "completed" }, undefined, /This task is completed/],
  [{ state: "cancelled" }, undefined, /This task was cancelled/],
  [{ state: "awarded" }, aBid({ state: "declined" }), /has chosen somebody else/],
  [{ state: "awarded" }, aBid({ state: "awarded" }), /You are hired/],
  [{ state: "delivered" }, aBid({ state: "awarded" }), /have delivered your work/],
  [{ state: "completed" }, aBid({ state: "awarded" }), /You did this task, and it is completed\./],
  [{ state: "cancelled" }, aBid({ state: "awarded" }), /hired for this task, but it was cancelled\./],
] as const)(
  "When the task is %o and the viewer's bid %o, then the panel says that it takes no bids",
  async (task, bid, words) => {
    const { panel } = await openPanel({ task, bid });
    await panel.findByText(words);
    expect(panel.queryByRole("button", { name: /Bid Now|Edit|Add amount|Withdraw/ })).toBeNull();
  },
);

it.each([
  [{ state: "expired" }, {}, /can still choose among the bids received/],
  [{ state: "cancelled" }, {}, /stays in case it is reopened/],
  [{ state: "cancelled", otherSideLeft: true }, {}, /^This task was cancelled\.$/],
  [{ state: "open" }, { state: "declined" }, /has declined your bid\. If you change it/],
  [{ state: "expired" }, { state: "declined" }, /^The client has declined your bid\.$/],
  [{ state: "open" }, { state: "shortlisted" }, /on the shortlist/],
] as const)(
  "When the task is %o and the viewer's bid %o, then it says what that means",
  async (task, bid, words) => {
    const { panel } = await openPanel({ task, bid: aBid(bid) });
    await panel.findByText(words);
  },
);

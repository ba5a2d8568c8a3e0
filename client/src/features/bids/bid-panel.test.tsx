import { calendarDate } from "@tasklane/server/contract";
import { waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiProblem } from "../../lib/problem.ts";
import { aBid, findBidPanel, renderBidPage } from "../../testing/bid-page.ts";

describe("a screening question", () => {
  const QUESTION = "Which bakeries have you worked for?";
  const OTHER = "When can you start?";

  it("When the task has a screening question, then Bid Now focuses its field, and nothing is sent without an answer", async () => {
    const { user, writes } = renderBidPage({ task: { screeningQuestion: QUESTION } });
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    const answer = await bid.findByRole("textbox", { name: QUESTION });
    await waitFor(() => expect(answer).toHaveFocus());
    expect(answer).toBeRequired();
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await waitFor(() => expect(answer).toHaveAccessibleDescription(/Answer is required/));
    expect(answer).toHaveFocus();
    expect(writes()).toEqual([]);
    await user.type(answer, "Two, in Bremen.");
    expect(Object.values(localStorage).join()).toContain("Two, in Bremen.");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText("Two, in Bremen.", { selector: "dd p" });
    expect(writes().map(({ body }) => body)).toEqual([
      { amount: 250, days: null, message: "", question: QUESTION, answer: "Two, in Bremen." },
    ]);
    expect(Object.values(localStorage).join()).not.toContain("Bremen");
  });

  it("When the question has changed on the server, then the field shows the new one, says so, and keeps what was typed", async () => {
    const { user, server, writes } = renderBidPage({ task: { screeningQuestion: QUESTION } });
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Bid Now" }));
    await user.type(await bid.findByLabelText(QUESTION), "Two.");
    const detail = "The client now asks a different question.";
    server.task = { screeningQuestion: OTHER };
    server.writeError = new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/answer", detail }] });
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    const answer = await bid.findByRole("textbox", { name: OTHER });
    expect(answer).toHaveValue("Two.");
    await waitFor(() =>
      expect(answer).toHaveAccessibleDescription(/has changed this question since .* a different question/),
    );
    server.writeError = undefined;
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText("Two.", { selector: "dd p" });
    expect(writes().at(-1)?.body).toMatchObject({ question: OTHER, answer: "Two." });
  });

  it("When a question was added after the page loaded, then the refusal of Bid Now shows it", async () => {
    const { user, server } = renderBidPage();
    const bid = await findBidPanel();
    const button = await bid.findByRole("button", { name: "Bid Now" });
    const detail = `The client asks every bidder: “${QUESTION}”`;
    server.task = { screeningQuestion: QUESTION };
    server.writeError = new ApiProblem("invalid", 422, detail, { errors: [{ pointer: "#/answer", detail }] });
    await user.click(button);
    await bid.findByText(detail);
    await bid.findByText("The client asks everybody who bids one question.");
    await user.click(bid.getByRole("button", { name: "Bid Now" }));
    await bid.findByRole("textbox", { name: QUESTION });
  });

  it("When the viewer's bid answers an earlier question, then it says so, and the new question's field is empty", async () => {
    const bid = aBid({ question: QUESTION, answer: "Two." });
    const { user } = renderBidPage({ task: { screeningQuestion: OTHER }, bid });
    const shown = await findBidPanel();
    await shown.findByText(/Your bid does not answer that yet/);
    expect(shown.getByText(OTHER, { selector: "q" })).toBeInTheDocument();
    expect(shown.getByText("Two.", { selector: "dd p" })).toBeInTheDocument();
    await user.click(shown.getByRole("button", { name: "Answer the question" }));
    expect(await shown.findByRole("textbox", { name: OTHER })).toHaveValue("");
  });

  it("When the viewer's bid answers the question, then editing starts with that answer", async () => {
    const bid = aBid({ question: QUESTION, answer: "Two." });
    const { user } = renderBidPage({ task: { screeningQuestion: QUESTION }, bid });
    const shown = await findBidPanel();
    await user.click(await shown.findByRole("button", { name: "Edit bid" }));
    expect(await shown.findByRole("textbox", { name: QUESTION })).toHaveValue("Two.");
    expect(shown.queryByText(/does not answer/)).toBeNull();
  });
});

describe("validation errors", () => {
  it("When a field is corrected, then only its own error disappears", async () => {
    const { user, writes } = renderBidPage();
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    const amount = await bid.findByLabelText("Amount (USD)");
    const days = bid.getByLabelText("Days to deliver");
    await user.clear(amount);
    await user.type(amount, "0");
    await user.type(days, "400");
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await waitFor(() => expect(amount).toHaveAccessibleDescription(/more than \$0/));
    await user.type(amount, "0");
    expect(amount).toBeInvalid();
    await user.type(amount, "5");
    expect(amount).toBeValid();
    expect(amount).not.toHaveAccessibleDescription(/more than/);
    expect(days).toHaveAccessibleDescription(/1 to 365 whole days/);
    // The next attempt validates again.
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await waitFor(() => expect(days).toHaveFocus());
    await user.clear(amount);
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await waitFor(() => expect(amount).toBeInvalid());
    expect(writes()).toEqual([]);
  });

  it("When the browser cannot read a number, then its field and the form say so until it is corrected, and nothing is sent", async () => {
    const { user, writes } = renderBidPage({ bid: aBid({ days: 5 }) });
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Edit bid" }));
    const days = await bid.findByLabelText("Days to deliver");
    await user.clear(days);
    // As after typing "3-5", which jsdom does not support.
    Object.defineProperty(days, "validity", { value: { badInput: true }, configurable: true });
    for (let attempt = 0; attempt < 2; attempt++) {
      await user.click(bid.getByRole("button", { name: "Save bid" }));
      await waitFor(() => expect(days).toHaveFocus());
      expect(days).toBeInvalid();
      expect(days).toHaveAccessibleDescription(/Enter a number/);
      expect(bid.getByText("One field needs another look.")).toBeVisible();
    }
    expect(writes()).toEqual([]);
    Reflect.deleteProperty(days, "validity");
    await user.type(days, "3");
    expect(days).toBeValid();
    expect(days).not.toHaveAccessibleDescription(/Enter a number/);
    expect(bid.queryByText("One field needs another look.")).toBeNull();
    await user.click(bid.getByRole("button", { name: "Save bid" }));
    await waitFor(() => expect(writes()).toHaveLength(1));
    expect(writes()[0]?.body).toMatchObject({ days: 3 });
  });

  it("When a number cannot be read after another field was refused, then only its own field shows an error until the form is sent", async () => {
    const { user, writes } = renderBidPage();
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    const amount = await bid.findByLabelText("Amount (USD)");
    const days = bid.getByLabelText("Days to deliver");
    await user.clear(amount);
    const button = bid.getByRole("button", { name: "Place this bid" });
    await user.click(button);
    await waitFor(() => expect(amount).toHaveFocus());
    Object.defineProperty(days, "validity", { value: { badInput: true }, configurable: true });
    await user.click(button);
    expect(days).toHaveFocus();
    expect(amount).not.toHaveAttribute("aria-invalid");
    Reflect.deleteProperty(days, "validity");
    await user.click(button);
    await waitFor(() => expect(amount).toHaveFocus());
    expect(amount).toHaveAttribute("aria-invalid", "true");
    expect(days).toBeValid();
    expect(writes()).toEqual([]);
  });
});

describe("the message", () => {
  it("When it contains contact data, then the form advises against it but sends it", async () => {
    const { user, writes } = renderBidPage();
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    const message = bid.getByLabelText("Message to the client");
    await user.type(message, "I charge $1,200 until 2027-03-31.");
    expect(bid.queryByText(/seems to contain/)).toBeNull();
    await user.type(message, " Write to fay@mail.example");
    expect(bid.getByText(/seems to contain an email address\. It is better to wait/)).toBeInTheDocument();
    await user.type(message, " or call +49 170 1234567");
    expect(bid.getByText(/seems to contain an email address and a phone number\./)).toBeInTheDocument();
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await bid.findByText(/Write to fay@mail.example/, { selector: "p" });
    expect(writes()).toHaveLength(1);
    await user.click(await bid.findByRole("button", { name: "Edit bid" }));
    await user.clear(bid.getByLabelText("Message to the client"));
    expect(bid.queryByText(/seems to contain/)).toBeNull();
  });

  it("When price or days do not fit the task, then the form says so while they are typed, and sends them anyway", async () => {
    const { user, writes } = renderBidPage({ task: { budget: 1_600, deadline: calendarDate(new Date()) } });
    const bid = await findBidPanel();
    await user.click(await bid.findByRole("button", { name: "Customize your bid" }));
    const amount = await bid.findByLabelText(/Amount/);
    expect(bid.queryByText(/Your offer is/)).toBeNull();
    await user.clear(amount);
    await user.type(amount, "900000");
    expect(bid.getByText("Your offer is $898,400 over budget.")).toBeInTheDocument();
    await user.type(bid.getByLabelText(/Days to deliver/), "300");
    bid.getByText("Your offer is $898,400 over budget, and 300 days after the deadline.");
    await user.clear(amount);
    await user.type(amount, "1600");
    expect(bid.getByText("Your offer is 300 days after the deadline.")).toBeInTheDocument();
    await user.click(bid.getByRole("button", { name: "Place this bid" }));
    await waitFor(() => expect(writes()).toHaveLength(1));
  });

  it("When it was sent before, then the freelancer sees the same badge as the client", async () => {
    renderBidPage({ bid: aBid({ message: "Hello again", sentTo: 14 }) });
    const bid = await findBidPanel();
    await bid.findByText("Sent to 14 other tasks");
    expect(bid.getByText("The client sees this beside your message.")).toBeInTheDocument();
  });
});

describe("a task that takes no bids", () => {
  it.each([
    [{ state: "expired" as const }, undefined, /deadline of this task has passed/],
    // Loaded while it was open; the deadline has passed since.
    [{ state: "open" as const, deadline: "2020-01-01" }, undefined, /deadline of this task has passed/],
    [{ state: "awarded" as const }, undefined, /has hired somebody for this task/],
    [{ state: "completed" as const }, undefined, /This task is completed/],
    [{ state: "cancelled" as const }, undefined, /This task was cancelled/],
    [{ state: "awarded" as const }, aBid({ state: "declined" }), /has chosen somebody else/],
    [{ state: "awarded" as const }, aBid({ state: "awarded" }), /You are hired/],
  ])("When the task is %o and the viewer's bid %o, then the panel says so", async (task, bid, words) => {
    renderBidPage({ task, ...(bid ? { bid } : {}) });
    const shown = await findBidPanel();
    await shown.findByText(words);
    expect(shown.queryByRole("button", { name: "Bid Now" })).toBeNull();
    expect(shown.queryByRole("button", { name: /Edit|Add amount/ })).toBeNull();
    const withdraw = shown.queryByRole("button", { name: "Withdraw" });
    expect(withdraw).toBeNull();
  });
});

import type { InvoiceList, Payment, PaymentDetails, Task } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import {
  aStoredTask,
  aTask,
  HIRED_BY as HIRED,
  HIRER,
  ID,
  noonOf,
  CLIENT as OWNER,
} from "../../testing/builders.ts";
import { findDialog, findRegion } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";

const IBAN = { way: "iban", value: "DE89370400440532013000" } as const;
const CLIENT = { ...HIRER, contact: { ...HIRER.contact, payment: IBAN } };
const paymentOf = (state: Payment["state"], more: Partial<Payment> = {}): Payment => ({
  state,
  at: noonOf("2026-03-01"),
  ...more,
});

/** Opens a completed task's page. Writes change the fake server's task as the real one would. */
function openTask(
  viewer: Task["viewer"],
  payment?: Payment,
  details: PaymentDetails = IBAN,
  written: InvoiceList["invoices"] = [],
  otherSideLeft = false,
) {
  const invoices: InvoiceList = { invoices: written };
  const agreed = { amount: 450, due: "2026-03-01", ...(payment && { payment }) };
  const world = aStoredTask({ state: "completed", viewer, agreed, otherSideLeft });
  const record = (next: Partial<Payment> & Pick<Payment, "state">) =>
    world.change({
      agreed: { ...agreed, payment: { ...world.task.agreed?.payment, at: noonOf("2026-03-02"), ...next } },
    });
  const app = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": () => world.task,
    "GET /me/payment-details": details,
    "GET /tasks/:id/invoices": () => ({ ...invoices }),
    "POST /tasks/:id/invoices": ({ body }) => {
      const { due } = body as { due: string };
      const _id = `${invoices.invoices.length}`.padStart(24, "e");
      const invoice = { _id, number: 7, total: 450, due, createdAt: noonOf("2026-03-01") };
      invoices.invoices = [...invoices.invoices, invoice];
    },
    "POST /tasks/:id/invoices/:invoiceId/credit": () => {
      const [invoice] = invoices.invoices as [InvoiceList["invoices"][number]];
      const note = { ...invoice, _id: "f".repeat(24), number: 8, credits: 7 };
      invoices.invoices = [{ ...invoice, credited: true }, note];
    },
    "PUT /tasks/:id/payment": ({ body }) => record({ state: "paid", ...(body as object) }),
    "PATCH /tasks/:id/payment": ({ body }) => {
      const { received, note } = body as { received: boolean; note?: string };
      record(received ? { state: "received" } : { state: "missing", ...(note && { note }) });
    },
  });
  return { ...app, invoices, record };
}

describe("the client", () => {
  it("When they mark a completed task as paid, then it shows where to pay, and waits for the freelancer", async () => {
    const { fill, press, writes } = openTask(CLIENT);
    const payment = await findRegion("Payment");
    expect(payment.getByText("DE89 3704 0044 0532 0130 00")).toBeVisible();
    expect(payment.getByText(/moves no money/)).toHaveTextContent("$450");
    await fill("Reference (optional)", "Transfer 27", payment);
    await press("Mark as paid", payment);
    const paid = await findRegion("Marked as paid");
    expect(paid.getByText("Transfer 27")).toBeVisible();
    expect(paid.queryByRole("button")).toBeNull();
    expect(writes().at(-1)?.body).toEqual({ reference: "Transfer 27" });
  });

  it("When the freelancer has not received it, then their note is shown, and it can be marked as paid again", async () => {
    const { press } = openTask(OWNER, paymentOf("missing", { reference: "T 27", note: "Nothing so far." }));
    const payment = await findRegion("Payment");
    expect(payment.getByText(/has not received your payment/)).toHaveTextContent(
      /^The freelancer has not .* Nothing so far/,
    );
    expect(payment.getByLabelText("Reference (optional)")).toHaveValue("T 27");
    await press("Mark as paid", payment);
    await findRegion("Marked as paid");
  });

  it("When the response was lost, and the freelancer has not received it, then marking it as paid again is another step", async () => {
    const { press, lose, reload, record } = openTask(CLIENT, paymentOf("missing"));
    await lose(async () => press("Mark as paid", await findRegion("Payment")));
    await findRegion("Marked as paid");
    record({ state: "missing" });
    await reload();
    await press("Mark as paid", await findRegion("Payment"));
    await findRegion("Marked as paid");
  });
});

describe("the freelancer", () => {
  it("When the client has paid, then they confirm it with one press; a failure is shown beside it", async () => {
    const { press, server, writes } = openTask(HIRED, paymentOf("paid", { reference: "T 27" }));
    const payment = await findRegion("Marked as paid");
    expect(payment.getByText("T 27")).toBeVisible();
    server.fails.writes = offlineProblem();
    await press("Yes, it has arrived", payment);
    await payment.findByText(/offline|connection|reach/i);
    server.fails.writes = undefined;
    await press("Yes, it has arrived", payment);
    expect((await findRegion("Paid")).getByText(/You have confirmed the payment/)).toBeVisible();
    expect(writes().at(-1)?.body).toEqual({ received: true });
  });

  it("When nothing has arrived, then a note goes to the client, and it can still be confirmed later", async () => {
    const { user, press, writes } = openTask(HIRED, paymentOf("paid"));
    const payment = await findRegion("Marked as paid");
    await press("No, nothing", payment);
    await waitFor(() => expect(payment.getByLabelText("Note (optional)")).toHaveFocus());
    await user.keyboard("Not on my account.");
    await press("Nothing has arrived", payment);
    const missing = await findRegion("Payment");
    expect(missing.getByText(/^You said that nothing has arrived/)).toBeVisible();
    expect(writes().at(-1)?.body).toEqual({ received: false, note: "Not on my account." });
    await press("The payment has arrived", missing);
    await findRegion("Paid");
  });

  it("When the response was lost, and the client pays again, then saying again that nothing has arrived is another step", async () => {
    const { press, lose, reload, record } = openTask(HIRED, paymentOf("paid"));
    const sayMissing = async () => {
      await press("No, nothing");
      await press("Nothing has arrived");
    };
    await lose(sayMissing);
    await screen.findByText(/You said that nothing has arrived/);
    record({ state: "paid", at: noonOf("2026-03-04") });
    await reload();
    await sayMissing();
    await screen.findByText(/You said that nothing has arrived/);
  });

  it("When they have not said how they are paid, then the panel leads to the settings", async () => {
    openTask(HIRED, undefined, { way: "iban", value: "" });
    const link = await (await findRegion("Payment")).findByRole("link", { name: "Say how you are paid" });
    expect(link).toHaveAttribute("href", "/dash/settings#how-you-are-paid");
  });
});

describe("after the other side has deleted their account", () => {
  it.each([
    ["client", CLIENT, undefined, "Mark as paid", "Marked as paid."],
    ["client, who has paid,", CLIENT, paymentOf("paid"), undefined, undefined],
    ["freelancer", HIRED, undefined, "The payment has arrived", "Thank you."],
    ["freelancer, whom nothing has reached,", HIRED, paymentOf("missing"), undefined, undefined],
  ])(
    "When the %s reads of the payment, then nothing is promised of them",
    async (_, viewer, payment, button, toast) => {
      const { press } = openTask(viewer, payment, IBAN, [], true);
      const panel = await findRegion(/^(Marked as paid|Payment)$/);
      expect(panel.queryByText(/notified|says so|confirms/)).toBeNull();
      if (!button) return;
      await press(button, panel);
      await screen.findByText(toast);
    },
  );
});

describe("invoices", () => {
  const INVOICE = {
    _id: "d".repeat(24),
    number: 7,
    total: 450,
    due: "2099-04-01",
    createdAt: noonOf("2026-03-01"),
  };

  it("When the freelancer writes one, then it begins with what they wrote before", async () => {
    const { fill, press, writes, invoices } = openTask(HIRED, paymentOf("received"));
    invoices.before = { from: "Fay Lance\nMill Lane 4", taxRate: 19, taxNote: "VAT" };
    await press("Write an invoice", await findRegion("Paid"));
    const dialog = await findDialog("Write an invoice");
    await fill("The client’s name and address", "Clara Ltd", dialog);
    await press("Send the invoice", dialog);
    const list = within(await screen.findByRole("list", { name: "Invoices" }));
    expect(list.getByRole("button", { name: "Invoice 7 (PDF)" })).toBeVisible();
    expect(writes().at(-1)?.body).toMatchObject({
      from: "Fay Lance\nMill Lane 4",
      to: "Clara Ltd",
      taxRate: 19,
    });
  });

  it("When it is cancelled, then a credit note is written after a confirmation, and another invoice can follow", async () => {
    const { press, writes } = openTask(HIRED, paymentOf("received"), IBAN, [INVOICE]);
    await press("Cancel invoice 7", await findRegion("Paid"));
    await press("Yes, write the credit note");
    const list = within(screen.getByRole("list", { name: "Invoices" }));
    expect(await list.findByText("-$450, cancels invoice 7")).toBeVisible();
    expect(list.getByText("Cancelled")).toBeVisible();
    expect(writes().at(-1)?.path).toBe(`/tasks/${ID}/invoices/${INVOICE._id}/credit`);
    await screen.findByRole("button", { name: "Write an invoice" });
  });

  it("When its response was lost, and a credit note has cancelled it, then the same one again is another invoice", async () => {
    const { press, lose, invoices } = openTask(HIRED, paymentOf("received"));
    invoices.before = { from: "Fay Lance", to: "Clara Ltd", taxRate: 19 };
    const write = async () => {
      await press("Write an invoice", await findRegion("Paid"));
      await press("Send the invoice", await findDialog("Write an invoice"));
    };
    await lose(write);
    await press("Cancel invoice 7");
    await press("Yes, write the credit note");
    await screen.findByText("Cancelled");
    await write();
    await waitFor(() => expect(invoices.invoices).toHaveLength(3));
  });

  it("When the client looks, then they can download it, and change nothing", async () => {
    openTask(CLIENT, paymentOf("received"), IBAN, [INVOICE]);
    const payment = await findRegion("Paid");
    expect((await payment.findByRole("listitem")).textContent).toMatch(
      /^Invoice 7 \(PDF\)\$450, due Apr 1, 2099/,
    );
    expect(payment.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Invoice 7 (PDF)"]);
  });
});

it("When somebody else or a visitor reads a completed task, then there is no payment", async () => {
  const { agreed: _, ...task } = aTask({ _id: ID, title: "A fox", state: "completed" });
  openApp(`/taskdetails/${ID}`, { "GET /tasks/:id": task });
  await screen.findByRole("heading", { name: "A fox" });
  expect(screen.queryByRole("region", { name: /pa(id|yment)/i })).toBeNull();
});

describe("how they are paid", () => {
  it("When it is saved in the settings, then it stays as it was chosen", async () => {
    const { user, fill, press, writes } = openApp("/dash/settings", {
      "PUT /me/payment-details": ({ body }) => body,
    });
    const heading = await screen.findByRole("heading", { name: "How you are paid" });
    const section = within(heading.closest("section") as HTMLElement);
    await user.selectOptions(section.getByLabelText("Paid by"), "PayPal");
    await fill("Where", "fay@pay.example", section);
    await press("Save", section);
    await screen.findByText("Saved.");
    expect(writes().at(-1)?.body).toEqual({ way: "paypal", value: "fay@pay.example" });
    expect(section.getByLabelText("Paid by")).toHaveValue("paypal");
  });
});

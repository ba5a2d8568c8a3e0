import type { Agreement, Task } from "@tasklane/server/contract";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ApiProblem } from "../../lib/problem.ts";
import { aStoredTask, HIRER as CLIENT, HIRED_BY as HIRED, ID, noonOf } from "../../testing/builders.ts";
import { findDialog, findRegion } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";
import { notify } from "../../ui/notify.tsx";

const DUE = "2099-04-01";
const SKETCH = { name: "Sketch", amount: 150, due: "2099-03-01" };
const DRAWING = { name: "Drawing", amount: 250, due: DUE };
const PROPOSED: NonNullable<Agreement["proposal"]> = {
  ...{ _id: "c".repeat(24), amount: 600, due: "2099-04-30", scope: "A second page." },
  by: "freelancer",
  ...{ note: "It is more work.", at: noonOf("2026-03-02") },
};

type Options = Partial<Task> & {
  milestones?: NonNullable<Task["agreed"]>["milestones"];
  /** How many of them were accepted. */
  accepted?: number;
  proposal?: Agreement["proposal"];
};

/** Opens an awarded task's page. Writes change the fake server's agreement as the real one would. */
function openTask(viewer: Task["viewer"], { milestones, accepted = 0, proposal, ...more }: Options = {}) {
  const split = milestones && { milestones, accepted };
  const agreed = { amount: 400, due: DUE, ...split, ...(proposal && { change: proposal.by }) };
  const first = { amount: 400, due: DUE, scope: "", milestones, at: noonOf("2026-03-01") };
  const names = { client: "Clara Client", freelancer: "Jonas Lind", title: "A fox", description: "Red." };
  const world = aStoredTask({ state: "awarded", wasAwarded: true, viewer, agreed, ...more });
  let agreement: Agreement = { ...names, versions: [first], proposal };
  return openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": () => world.task,
    "GET /tasks/:id/timeline": {
      entries: more.state === "delivered" ? [{ _id: "d1", kind: "delivered", at: noonOf("2026-03-02") }] : [],
      mayCompleteFrom: noonOf("2099-03-16"),
    },
    "GET /tasks/:id/agreement": () => agreement,
    "PUT /tasks/:id/agreement/proposal": ({ body }) => {
      agreement = { ...agreement, proposal: { ...PROPOSED, by: "client", ...(body as object) } };
      world.change();
    },
    "PATCH /tasks/:id/agreement/proposal": ({ body }) => {
      const { proposal: _, ...rest } = agreement;
      const { accepted } = body as { accepted: boolean };
      const versions = accepted ? [first, { ...PROPOSED, at: noonOf("2026-03-03") }] : [first];
      agreement = { ...rest, versions };
      world.change();
    },
    "PATCH /tasks/:id/state": () => world.change({ agreed: { ...agreed, accepted: accepted + 1 } }),
  });
}

const openDialog = async ({ press }: ReturnType<typeof openTask>) => {
  await press("Propose a change", await findRegion("Agreement"));
  return await findDialog("Propose a change");
};

it("When a change is proposed, then the form begins with the present terms, and the proposal waits for the other side", async () => {
  const success = vi.spyOn(notify, "success");
  const app = openTask(CLIENT);
  const { fill, press, writes } = app;
  const dialog = await openDialog(app);
  expect(dialog.getByLabelText("Price")).toHaveValue("400");
  expect(dialog.getByLabelText("Date")).toHaveValue(DUE);
  await fill("Price", "600", dialog);
  await fill("Changes to the scope (optional)", "A second page.", dialog);
  await press("Propose", dialog);
  const agreement = await findRegion("Agreement");
  expect(await agreement.findByText("You propose a change")).toBeVisible();
  expect(agreement.getByText("instead of $400")).toBeVisible();
  expect(agreement.queryByRole("button", { name: "Accept the change" })).toBeNull();
  const sent = { amount: 600, due: DUE, scope: "A second page.", milestones: [], note: "" };
  expect(writes().at(-1)?.body).toEqual(sent);
  await screen.findByText(/^Your proposal is sent/);
  await press("Withdraw the change", agreement);
  await screen.findByText("Your proposal is withdrawn.");
  // The second toast replaces the first.
  const topics = new Set(success.mock.calls.map(([, options]) => options?.topic));
  expect([success.mock.calls.length, topics.size]).toEqual([2, 1]);
  await agreement.findByRole("button", { name: "Propose a change" });
  expect(writes().at(-1)?.body).toEqual({ proposalId: PROPOSED._id, accepted: false });
});

it("When the response to a proposal was lost, and it is withdrawn, then the same one again is another proposal", async () => {
  const app = openTask(CLIENT);
  const { fill, press, lose } = app;
  const propose = async () => {
    const dialog = await openDialog(app);
    await fill("Price", "600", dialog);
    await press("Propose", dialog);
  };
  await lose(propose);
  await press("Withdraw the change", await findRegion("Agreement"));
  await propose();
  await screen.findByText("You propose a change");
});

it("When the other side's proposal is accepted, then its terms are the agreement, and the earlier version can be looked up", async () => {
  const { user, press } = openTask(CLIENT, { proposal: PROPOSED });
  const agreement = await findRegion("Agreement");
  expect(await agreement.findByText(/proposes a change/)).toHaveTextContent("Jonas Lind proposes a change");
  expect(agreement.getByText("“It is more work.”")).toBeVisible();
  expect(screen.getByRole("link", { name: "Look at the proposed change" })).toHaveAttribute(
    "href",
    `/taskdetails/${ID}#agreement`,
  );
  await press("Accept the change", agreement);
  await screen.findByText("You have agreed on it.");
  await user.click(await agreement.findByText("All versions"));
  expect(agreement.getByText("$600")).toBeVisible();
  expect(agreement.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^\$600, Apr 30, 2099, proposed by the freelancer/),
    expect.stringMatching(/^\$400, Apr 1, 2099, with the award/),
  ]);
});

it("When the task is completed, then the agreement is shown without a way to change it", async () => {
  openTask(HIRED, { state: "completed" });
  const agreement = await findRegion("Agreement");
  await agreement.findByRole("button", { name: "Download as PDF" });
  expect(agreement.queryByRole("button", { name: "Propose a change" })).toBeNull();
});

it("When the agreement cannot be loaded, then it says so and can be tried again; a task without one shows none", async () => {
  const app = openTask(HIRED);
  app.server.fails["GET /tasks/:id/agreement"] = new ApiProblem("internal", 500, "Oops");
  const agreement = await findRegion("Agreement");
  await agreement.findByText(/could not be loaded/);
  app.server.fails["GET /tasks/:id/agreement"] = new ApiProblem("no-agreement", 404, "None.");
  await app.press("Try again", agreement);
  await waitFor(() => expect(screen.queryByRole("region", { name: "Agreement" })).toBeNull());
});

it("When an agreement is split into milestones, then price and date follow from them, and they are proposed as typed", async () => {
  const app = openTask(HIRED);
  const { fill, press, writes } = app;
  const dialog = await openDialog(app);
  await press("Split into milestones", dialog);
  expect(dialog.queryByLabelText("Date", { selector: "[name=due]" })).toBeNull();
  const type = async (number: number, { name, amount, due }: typeof SKETCH) => {
    const row = within(dialog.getByRole("group", { name: `Milestone ${number}` }));
    await fill("Name", name, row);
    await fill("Price", String(amount), row);
    await fill("Date", due, row);
  };
  await type(1, SKETCH);
  await press("Propose", dialog);
  const second = within(dialog.getByRole("group", { name: "Milestone 2" }));
  await waitFor(() => expect(second.getByLabelText("Name")).toHaveFocus());
  for (const label of ["Name", "Price", "Date"])
    expect(second.getByLabelText(label)).toHaveAttribute("aria-invalid", "true");
  await type(2, { ...DRAWING, due: "2099-02-01" });
  expect(dialog.getByText("$400")).toBeVisible();
  await press("Propose", dialog);
  await dialog.findByText("Each milestone is due with the one before it, or later.");
  expect(writes()).toEqual([]);
  await type(2, DRAWING);
  await press("Propose", dialog);
  const sent = { amount: 400, due: DUE, scope: "", note: "", milestones: [SKETCH, DRAWING] };
  await waitFor(() => expect(writes().at(-1)?.body).toEqual(sent));
});

it("When a milestone that was refused is removed, then its messages go with it, and the focus stays in the form", async () => {
  const app = openTask(HIRED);
  const dialog = await openDialog(app);
  await app.press("Split into milestones", dialog);
  await app.press("Add a milestone", dialog);
  const messages = () => dialog.queryAllByText("Name is required.");
  await app.press("Propose", dialog);
  await waitFor(() => expect(messages()).toHaveLength(3));
  await app.press("Remove milestone 3", dialog);
  expect(messages()).toHaveLength(2);
  expect(dialog.getByRole("button", { name: "Add a milestone" })).toHaveFocus();
  await app.press("Remove milestone 2", dialog);
  expect(dialog.queryByText(/need another look/)).toBeNull();
  expect(dialog.getByRole("button", { name: "Split into milestones" })).toHaveFocus();
});

it("When the price or the date that follows from milestones is refused, then the form says why", async () => {
  const app = openTask(HIRED, { milestones: [SKETCH, DRAWING] });
  const dialog = await openDialog(app);
  const refusal = "Change the price, the date or the scope.";
  const errors = [{ pointer: "#/amount", detail: refusal }];
  app.server.fails.writes = new ApiProblem("invalid", 422, refusal, { errors });
  await app.press("Propose", dialog);
  expect(await dialog.findByText(refusal)).toBeVisible();
  const milestone = within(dialog.getByRole("group", { name: "Milestone 1" }));
  await app.fill("Price", "160", milestone);
  await waitFor(() => expect(dialog.queryByText(refusal)).toBeNull());
});

it("When the other side proposes to do without the milestones, then the proposal says so", async () => {
  openTask(HIRED, { milestones: [SKETCH, DRAWING], proposal: { ...PROPOSED, by: "client" } });
  const agreement = await findRegion("Agreement");
  await agreement.findByText("Clara Client");
  expect(agreement.getByText("None anymore")).toBeVisible();
});

it("When a milestone was accepted, then it cannot be changed in a proposal, which begins at the next one", async () => {
  const dialog = await openDialog(openTask(HIRED, { milestones: [SKETCH, DRAWING], accepted: 1 }));
  const nameIn = (group: string) => within(dialog.getByRole("group", { name: group })).getByLabelText("Name");
  expect(nameIn("Milestone 1")).toHaveAttribute("readonly");
  expect(dialog.queryByRole("button", { name: "Remove milestone 1" })).toBeNull();
  expect(nameIn("Milestone 2")).not.toHaveAttribute("readonly");
  expect(nameIn("Milestone 2")).toHaveFocus();
});

it("When a milestone was accepted since a proposal was begun, then the form begins anew, with that one as it is", async () => {
  const milestones = [SKETCH, DRAWING];
  const app = openTask(HIRED, { milestones });
  const dialog = await openDialog(app);
  await app.fill("Price", "160", within(dialog.getByRole("group", { name: "Milestone 1" })));
  cleanup();
  const later = await openDialog(openTask(HIRED, { milestones, accepted: 1 }));
  const first = within(later.getByRole("group", { name: "Milestone 1" }));
  expect(first.getByLabelText("Price")).toHaveValue("150");
});

it("When a task with milestones was ended early, then its agreement shows none of them as accepted or in work", async () => {
  const milestones = [SKETCH, DRAWING];
  const paid = [SKETCH, { ...DRAWING, amount: 50 }];
  const agreed = { amount: 200, due: DUE, ended: "agreement" as const, milestones: paid, accepted: 2 };
  openTask(CLIENT, { state: "completed", milestones, agreed });
  const agreement = await findRegion("Agreement");
  expect((await agreement.findByText("Drawing")).closest("li")).toHaveTextContent("$250");
  expect(agreement.getByText("ended early at $200")).toBeVisible();
  expect(agreement.queryByRole("img", { name: "Accepted" })).toBeNull();
  expect(agreement.getByRole("list", { name: "Milestones" }).querySelector("[aria-current]")).toBeNull();
});

it("When the client accepts a milestone, then they are asked for it by name, and told that the next one follows", async () => {
  vi.setSystemTime("2099-02-24T12:00:00Z");
  const { press, writes } = openTask(CLIENT, { milestones: [SKETCH, DRAWING] });
  const card = await findRegion("Your task");
  expect(card.getByText("Milestone 1 of 2:").closest("p")).toHaveTextContent(
    "Sketch, $150 by Mar 1, 2099 (5 days left)",
  );
  expect(card.getAllByText(/left/)).toHaveLength(1);
  await press("Accept this milestone", card);
  await screen.findByText("Is “Sketch” done?");
  await press("Yes, accept it");
  await screen.findByText(/You have accepted “Sketch”/);
  expect(writes()).toMatchObject([{ body: { state: "completed" }, headers: { "If-Match": '"3"' } }]);
  expect(await card.findByText("Milestone 2 of 2:")).toBeVisible();
  expect(card.getByRole("button", { name: "Mark as completed" })).toBeVisible();
});

it.each([
  [
    "client",
    CLIENT,
    "A milestone is delivered: accept it, or ask for changes.",
    /can mark the milestone as acc/,
  ],
  [
    "freelancer",
    HIRED,
    "Your work is delivered",
    /can now mark the milestone as accepted or ask for changes/,
  ],
] as const)(
  "When a milestone is delivered, then the %s reads that it can be accepted, not that all is completed",
  async (_, viewer, hint, note) => {
    openTask(viewer, { state: "delivered", milestones: [SKETCH, DRAWING] });
    await screen.findByText(note);
    expect(screen.getByText(hint, { exact: false })).toBeVisible();
  },
);

it("When the freelancer has deleted their account, then no change is offered, and accepting a milestone does not promise that they go on", async () => {
  const { press } = openTask(CLIENT, { milestones: [SKETCH, DRAWING], otherSideLeft: true });
  await screen.findByRole("button", { name: "Download as PDF" });
  expect(screen.queryByRole("button", { name: "Propose a change" })).toBeNull();
  await press("Accept this milestone", await findRegion("Your task"));
  await screen.findByText(/nobody goes on with the next one/);
  await press("Yes, accept it");
  await screen.findByText("You have accepted “Sketch”.");
});

it("When milestones are accepted, then each is paid by itself while the next is in work", async () => {
  const payment = { state: "received", at: noonOf("2026-03-02") } as const;
  const milestones = [{ ...SKETCH, payment }, DRAWING, { ...DRAWING, name: "Frame" }];
  const { fill, press, writes } = openTask(CLIENT, { milestones, accepted: 2 });
  const panel = await findRegion("Payment");
  expect(panel.getByText(/has confirmed your payment/)).toBeVisible();
  await fill("Reference (optional)", "T27", panel);
  await press("Mark as paid", panel);
  await waitFor(() => expect(writes()[0]?.body).toEqual({ reference: "T27", milestone: 1 }));
});

it("When two milestones are marked as paid, then the freelancer can say of each why nothing has arrived", async () => {
  const payment = { state: "paid", at: noonOf("2026-03-02") } as const;
  const milestones = [
    { ...SKETCH, payment },
    { ...DRAWING, payment },
    { ...DRAWING, name: "Frame" },
  ];
  const { user } = openTask(HIRED, { milestones, accepted: 2 });
  const panel = await findRegion("Marked as paid");
  for (const button of panel.getAllByRole("button", { name: "No, nothing" })) await user.click(button);
  const [first, second, ...others] = panel.getAllByLabelText("Note (optional)");
  expect(others).toEqual([]);
  expect(first?.id).not.toBe(second?.id);
});

it("When the freelancer writes an invoice, then it is for an accepted milestone", async () => {
  const { fill, press, writes } = openTask(HIRED, { milestones: [SKETCH, DRAWING], accepted: 1 });
  await press("Write an invoice for “Sketch”");
  const dialog = await findDialog(/./);
  expect(dialog.getByText(/^For \$150, the agreed price/)).toBeVisible();
  await fill("Your name and address", "Jonas", dialog);
  await fill("The client’s name and address", "Clara", dialog);
  await press("Send the invoice", dialog);
  await waitFor(() => expect(writes()[0]?.body).toMatchObject({ milestone: 0, from: "Jonas" }));
});

import type { Agreement, Task } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aTask, HIRER as CLIENT, HIRED_BY as HIRED, ID, noonOf } from "../../testing/builders.ts";
import { openApp } from "../../testing/open-app.tsx";

const SKETCH = { name: "Sketch", amount: 150, due: "2099-03-01" };
const DRAWING = { name: "Drawing", amount: 250, due: "2099-04-01" };
const MILESTONES = [SKETCH, DRAWING];

/** Opens the page of an awarded task with these milestones, of which so many were accepted. */
function openTask(
  viewer: Task["viewer"],
  accepted: number,
  {
    milestones = MILESTONES,
    proposal,
    ...more
  }: Partial<Task> & {
    milestones?: NonNullable<Task["agreed"]>["milestones"];
    proposal?: Agreement["proposal"];
  } = {},
) {
  const agreed = { amount: 400, due: "2099-04-01", milestones, accepted };
  const world = { task: aTask({ _id: ID, state: "awarded", wasAwarded: true, viewer, agreed, ...more }) };
  const versions = [{ amount: 400, due: "2099-04-01", scope: "", milestones, at: noonOf("2026-03-01") }];
  const app = openApp(`/dash/taskdetails/${ID}`, {
    "GET /tasks/:id": () => world.task,
    "GET /tasks/:id/timeline": { entries: [] },
    "GET /tasks/:id/agreement": {
      client: "Clara",
      freelancer: "Jonas Lind",
      title: "A",
      description: "B",
      versions,
      proposal,
    },
    "PATCH /tasks/:id/state": () => {
      world.task = {
        ...world.task,
        version: world.task.version + 1,
        agreed: { ...agreed, accepted: accepted + 1 },
      };
    },
  });
  return { ...app, world };
}
const region = async (name: string) => within(await screen.findByRole("region", { name }));

it("When an agreement is split into milestones, then price and date follow from them, and they are proposed as typed", async () => {
  const { user, writes } = openTask(HIRED, 0, { milestones: [] });
  await user.click(await (await region("Agreement")).findByRole("button", { name: "Propose a change" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.click(dialog.getByRole("button", { name: "Split into milestones" }));
  expect(dialog.queryByLabelText("Date", { selector: "[name=due]" })).toBeNull();
  const type = async (number: number, { name, amount, due }: typeof SKETCH) => {
    const row = within(dialog.getByRole("group", { name: `Milestone ${number}` }));
    await user.type(row.getByLabelText("Name"), name);
    await user.type(row.getByLabelText("Price"), String(amount));
    await user.type(row.getByLabelText("Date"), due);
  };
  await type(1, SKETCH);
  await type(2, { ...DRAWING, due: "2099-02-01" });
  expect(dialog.getByText("$400")).toBeVisible();
  await user.click(dialog.getByRole("button", { name: "Propose" }));
  await dialog.findByText("Each milestone is due with the one before it, or later.");
  expect(writes()).toEqual([]);
  await user.clear(dialog.getAllByLabelText("Date")[1] as HTMLElement);
  await user.type(dialog.getAllByLabelText("Date")[1] as HTMLElement, DRAWING.due);
  await user.click(dialog.getByRole("button", { name: "Propose" }));
  await waitFor(() =>
    expect(writes().at(-1)?.body).toEqual({
      ...{ amount: 400, due: "2099-04-01", scope: "", note: "" },
      milestones: MILESTONES,
    }),
  );
});

it("When the other side proposes to do without the milestones, then the proposal says so", async () => {
  const terms = { amount: 400, due: "2099-04-01", scope: "", note: "", at: noonOf("2026-03-02") };
  openTask(HIRED, 0, { proposal: { ...terms, _id: "p1", by: "client" } });
  const agreement = await region("Agreement");
  await agreement.findByText("Clara");
  expect(agreement.getByText("None any more")).toBeVisible();
});

it("When a milestone was accepted, then it cannot be changed in a proposal", async () => {
  const { user } = openTask(HIRED, 1);
  await user.click(await (await region("Agreement")).findByRole("button", { name: "Propose a change" }));
  const dialog = within(screen.getByRole("dialog"));
  const nameIn = (group: string) => within(dialog.getByRole("group", { name: group })).getByLabelText("Name");
  expect(nameIn("Milestone 1")).toHaveAttribute("readonly");
  expect(dialog.queryByRole("button", { name: "Remove milestone 1" })).toBeNull();
  expect(nameIn("Milestone 2")).not.toHaveAttribute("readonly");
});

it("When the client accepts a milestone, then they are asked for it by name, and told that the next one follows", async () => {
  const { user, writes } = openTask(CLIENT, 0, { version: 4 });
  const card = await region("Your task");
  expect(card.getByText("Milestone 1 of 2:")).toBeVisible();
  await user.click(card.getByRole("button", { name: "Accept this milestone" }));
  await screen.findByText("Is “Sketch” done?");
  await user.click(screen.getByRole("button", { name: "Yes, accept it" }));
  await screen.findByText(/You have accepted “Sketch”/);
  expect(writes()[0]).toMatchObject({ body: { state: "completed" }, headers: { "If-Match": '"4"' } });
  expect(writes()[0]?.body).not.toHaveProperty("milestone");
  expect(await card.findByText("Milestone 2 of 2:")).toBeVisible();
  expect(card.getByRole("button", { name: "Mark as completed" })).toBeVisible();
});

it("When milestones are accepted, then each is paid by itself while the next is in work", async () => {
  const payment = { state: "received", at: noonOf("2026-03-02") } as const;
  const milestones = [{ ...SKETCH, payment }, DRAWING, { ...DRAWING, name: "Frame" }];
  const { user, writes } = openTask(CLIENT, 2, { milestones });
  const panel = await region("Payment");
  expect(panel.getByText(/has confirmed your payment/)).toBeVisible();
  await user.type(panel.getByLabelText("Reference (optional)"), "T27");
  await user.click(panel.getByRole("button", { name: "Mark as paid" }));
  await waitFor(() => expect(writes()[0]?.body).toEqual({ reference: "T27", milestone: 1 }));
});

it("When the freelancer writes an invoice, then it is for an accepted milestone", async () => {
  const { user, writes } = openTask(HIRED, 1);
  const panel = await region("Payment");
  await user.click(await panel.findByRole("button", { name: "Write an invoice for “Sketch”" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByText(/^For \$150, the agreed price/)).toBeVisible();
  await user.type(dialog.getByLabelText("Your name and address"), "Jonas");
  await user.type(dialog.getByLabelText("The client’s name and address"), "Clara");
  await user.click(dialog.getByRole("button", { name: "Send the invoice" }));
  await waitFor(() => expect(writes()[0]?.body).toMatchObject({ milestone: 0, from: "Jonas" }));
});

import type { Agreement, Task } from "@tasklane/server/contract";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aRefusal, aTask, HIRER as CLIENT, HIRED_BY as HIRED, ID, noonOf } from "../../testing/builders.ts";
import { openApp } from "../../testing/open-app.tsx";

const FIRST = { amount: 450, due: "2099-03-01", scope: "", at: noonOf("2026-03-01") };
const PROPOSED: NonNullable<Agreement["proposal"]> = {
  ...{ _id: "c".repeat(24), amount: 600, due: "2099-04-30", scope: "A second page." },
  by: "freelancer",
  ...{ note: "It is more work.", at: noonOf("2026-03-02") },
};
const TERMS = { client: "Clara Client", freelancer: "Jonas Lind", title: "A fox", description: "Red." };

/** Opens an awarded task's page. Writes change the fake server's agreement as the real one would. */
function openTask(
  viewer: Task["viewer"],
  proposal?: Agreement["proposal"],
  state: Task["state"] = "awarded",
) {
  const agreed = { amount: 450, due: FIRST.due, ...(proposal && { change: proposal.by }) };
  const world = {
    task: aTask({ _id: ID, title: "A fox", state, viewer, version: 3, agreed }),
    agreement: { ...TERMS, versions: [FIRST], ...(proposal && { proposal }) } as Agreement,
  };
  const change = (agreement: Partial<Agreement>) => {
    const { proposal: _, ...rest } = world.agreement;
    world.agreement = { ...rest, ...agreement };
    world.task = { ...world.task, version: world.task.version + 1 };
  };
  const app = openApp(`/taskdetails/${ID}`, {
    "GET /tasks/:id": () => world.task,
    "GET /tasks/:id/agreement": () => world.agreement,
    "PUT /tasks/:id/agreement/proposal": ({ body }) =>
      change({ proposal: { ...PROPOSED, by: "client", ...(body as object) } }),
    "PATCH /tasks/:id/agreement/proposal": ({ body }) => {
      const { accepted } = body as { accepted: boolean };
      change(accepted ? { versions: [FIRST, { ...PROPOSED, at: noonOf("2026-03-03") }] } : {});
    },
  });
  return { ...app, world };
}

const panel = async () => within(await screen.findByRole("region", { name: "Agreement" }));

describe("proposing a change", () => {
  it("When the form is sent, then it begins with the present terms, keeps its text after a failure, and waits for the other side", async () => {
    const { user, writes, server } = openTask(CLIENT);
    const agreement = await panel();
    await user.click(await agreement.findByRole("button", { name: "Propose a change" }));
    const dialog = within(screen.getByRole("dialog", { name: "Propose a change" }));
    const price = dialog.getByLabelText("Price");
    expect([price, dialog.getByLabelText("Date")].map((field) => (field as HTMLInputElement).value)).toEqual([
      "450",
      FIRST.due,
    ]);
    await user.clear(price);
    await user.type(price, "600");
    await user.type(dialog.getByLabelText("Changes to the scope (optional)"), "A second page.");
    server.fails.writes = offlineProblem();
    await user.click(dialog.getByRole("button", { name: "Propose" }));
    await waitFor(() => expect(dialog.getAllByRole("alert")[0]).not.toBeEmptyDOMElement());
    expect(price).toHaveValue("600");
    const text = "Choose today or a later day.";
    server.fails.writes = aRefusal("due", text);
    await user.click(dialog.getByRole("button", { name: "Propose" }));
    await waitFor(() => expect(dialog.getByLabelText("Date")).toHaveAccessibleDescription(text));
    server.fails.writes = undefined;
    await user.click(dialog.getByRole("button", { name: "Propose" }));
    expect(await agreement.findByText("You propose a change")).toBeVisible();
    expect(agreement.getByText("instead of $450")).toBeVisible();
    expect(agreement.queryByRole("button", { name: "Accept" })).toBeNull();
    expect(writes().at(-1)?.body).toEqual({
      amount: 600,
      due: FIRST.due,
      scope: "A second page.",
      milestones: [],
      note: "",
    });
    await user.click(agreement.getByRole("button", { name: "Withdraw" }));
    await agreement.findByRole("button", { name: "Propose a change" });
    expect(writes().at(-1)?.body).toEqual({ proposalId: PROPOSED._id, accepted: false });
  });
});

describe("a proposal of the other side", () => {
  it("When it is accepted, then its terms are the agreement, and the earlier version can be looked up", async () => {
    const { user } = openTask(CLIENT, PROPOSED);
    const agreement = await panel();
    expect(await agreement.findByText(/proposes a change/)).toHaveTextContent("Jonas Lind proposes a change");
    expect(agreement.getByText("“It is more work.”")).toBeVisible();
    expect(screen.getByRole("link", { name: "Look at the proposed change" })).toHaveAttribute(
      "href",
      `/taskdetails/${ID}#agreement`,
    );
    await user.click(agreement.getByRole("button", { name: "Accept" }));
    await screen.findByText("You have agreed on it.");
    expect(agreement.getByText("$600")).toBeVisible();
    await user.click(agreement.getByText("Earlier versions"));
    expect(agreement.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^\$600, Apr 30, 2099, proposed by the freelancer/),
      expect.stringMatching(/^\$450, Mar 1, 2099, with the award/),
    ]);
  });

  it("When it was replaced meanwhile, then the refusal is shown beside it", async () => {
    const { user, server } = openTask(CLIENT, PROPOSED);
    const agreement = await panel();
    server.fails.writes = new ApiProblem(
      "changed-meanwhile",
      412,
      "This proposal was withdrawn or replaced.",
    );
    await user.click(await agreement.findByRole("button", { name: "Accept" }));
    expect(await agreement.findByText(/withdrawn or replaced/)).toBeVisible();
  });
});

it("When the task is completed, then the agreement is shown without a way to change it", async () => {
  openTask(HIRED, undefined, "completed");
  const agreement = await panel();
  await agreement.findByRole("button", { name: "Download as PDF" });
  expect(agreement.queryByRole("button", { name: "Propose a change" })).toBeNull();
});

it("When it cannot be loaded, then it says so and can be tried again; a task without one shows none", async () => {
  const app = openTask(HIRED);
  app.server.fails["GET /tasks/:id/agreement"] = offlineProblem();
  const agreement = await panel();
  await agreement.findByText(/could not be loaded/);
  app.server.fails["GET /tasks/:id/agreement"] = new ApiProblem("no-agreement", 404, "None.");
  await app.user.click(agreement.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Agreement" })).toBeNull());
});

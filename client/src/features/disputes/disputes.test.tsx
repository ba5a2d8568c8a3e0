import type { Dispute, Me, Task, TaskFile } from "@tasklane/server/contract";
import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { offlineProblem } from "../../lib/problem.ts";
import {
  aBid,
  aMe,
  aStoredTask,
  HIRER as CLIENT,
  FREELANCER,
  HIRED_BY as HIRED,
  ID,
  noonOf,
} from "../../testing/builders.ts";
import { findDialog, findRegion } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";

const aDispute = (state: Dispute["state"], more: Partial<Dispute> = {}): Dispute => ({
  ...{ _id: "d1", state, by: "client", at: noonOf("2026-03-01"), share: 200, reason: "Half of it is there." },
  ...{ client: "Clara Client", freelancer: "Jonas Lind", statements: {}, decisions: [] },
  ...more,
});

/** Opens an awarded task's page. Writes change the fake server's dispute as the real one would. */
function openTask(viewer: Task["viewer"], dispute?: Dispute, me: Partial<Me> = {}) {
  const agreed = viewer?.role === "freelancer" ? {} : { agreed: { amount: 450, due: "2099-03-01" } };
  const world = aStoredTask({ state: "awarded", viewer, wasAwarded: true, ...agreed });
  let ending = dispute ? { dispute } : {};
  const become = (next?: Dispute) => {
    ending = next ? { dispute: next } : {};
    world.change();
  };
  const isHired = viewer?.role === "hired";
  const files: TaskFile[] = [];
  const body = (call: { body?: unknown }) => call.body as Record<string, never>;
  const app = openApp(`/taskdetails/${ID}`, {
    "GET /me": aMe(me),
    "GET /tasks/:id": () => world.task,
    "GET /tasks/:id/ending": () => ending,
    "GET /tasks/:id/files": () => [...files],
    "PUT /tasks/:id/ending": (call) => become(aDispute("proposed", body(call))),
    "PATCH /tasks/:id/ending": () => become(),
    "PUT /tasks/:id/dispute": (call) =>
      become(
        aDispute("disputed", { statements: { [isHired ? "freelancer" : "client"]: body(call)["text"] } }),
      ),
    "POST /tasks/:id/decision": () => become(aDispute("decided")),
    "POST /tasks/:id/appeal": (call) =>
      become(aDispute("disputed", { appeal: { by: "client", reason: body(call)["reason"] ?? "" } })),
  });
  return { ...app, world, files };
}

describe("a side", () => {
  it("When they propose to end the task, then it can be withdrawn", async () => {
    const { fill, press, writes } = openTask(CLIENT);
    await press("End this task early");
    const dialog = await findDialog("End this task early");
    await fill("The freelancer gets", "200", dialog);
    await fill("Reason", "Half of it is there.", dialog);
    await press("Send", dialog);
    const proposal = await findRegion("Proposed to end early");
    expect(proposal.getByText(/that the freelancer gets \$200/)).toHaveTextContent(/^You proposed/);
    expect(proposal.queryByRole("button", { name: "Accept the early end" })).toBeNull();
    await press("Withdraw the early end", proposal);
    await screen.findByRole("region", { name: "End this task early" });
    expect(writes().at(-1)?.body).toEqual({ disputeId: "d1", accepted: false });
  });

  it("When the response to a proposal was lost, and it is withdrawn, then the same one again is another proposal", async () => {
    const { fill, press, lose } = openTask(CLIENT);
    const propose = async () => {
      await press("End this task early");
      const dialog = await findDialog("End this task early");
      await fill("The freelancer gets", "200", dialog);
      await fill("Reason", "Half of it is there.", dialog);
      await press("Send", dialog);
    };
    await lose(propose);
    await press("Withdraw the early end", await findRegion("Proposed to end early"));
    await propose();
    await findRegion("Proposed to end early");
  });

  it("When the other side has proposed it, then they accept, refuse, or open a dispute with their case", async () => {
    const { user, fill, press, writes, server } = openTask(
      HIRED,
      aDispute("proposed", { due: noonOf("2026-03-08") }),
    );
    const proposal = await findRegion("Proposed to end early");
    expect(proposal.getByText(/that the freelancer gets \$200/)).toHaveTextContent(/^Clara Client proposed/);
    expect(proposal.getByText("Half of it is there.")).toBeVisible();
    expect(proposal.getByText("Without an answer it becomes a dispute on Mar 8, 2026.")).toBeVisible();
    server.fails.writes = offlineProblem();
    await press("Accept the early end", proposal);
    await screen.findByText(/gets \$200, and the task is completed. This is final/);
    await press("Not yet");
    await waitFor(() => expect(document.querySelector(".swal2-popup")).toBeNull());
    expect(writes()).toEqual([]);
    await press("Accept the early end", proposal);
    await press("Yes, end it");
    await waitFor(() => expect(proposal.getByRole("alert")).not.toBeEmptyDOMElement());
    server.fails.writes = undefined;
    await press("Open a dispute", proposal);
    const dialog = await findDialog("State your case");
    await fill("What happened?", "All of it is there.", dialog);
    await user.click(dialog.getByLabelText("Submit our messages"));
    await press("Send", dialog);
    const dispute = await findRegion("In dispute");
    expect(dispute.getByRole("button", { name: "Change your case" })).toBeVisible();
    expect(writes().at(-1)?.body).toEqual({ text: "All of it is there.", messages: true, files: [] });
  });

  it("When a file is attached to their case on another device while it is changed here, then it stays", async () => {
    const statements = { freelancer: "All of it is there." };
    const { fill, press, writes, files } = openTask(HIRED, aDispute("disputed", { statements }));
    await press("Change your case");
    const dialog = await findDialog("State your case");
    await dialog.findByLabelText("Attach files");
    const file = { _id: "f".repeat(24), name: "sketch.pdf", size: 5, type: "application/pdf" };
    files.push({ ...file, place: "dispute", on: "d1", by: "freelancer" });
    files.push({ ...file, _id: "e".repeat(24), place: "dispute", on: "d1", by: "client" });
    await fill("What happened?", "All of it is there, see the sketch.", dialog);
    await press("Send", dialog);
    await waitFor(() => expect(writes().at(-1)?.body).toMatchObject({ files: [file._id] }));
  });

  it("When an operator has decided, then the decision and its day are shown, and they can appeal once", async () => {
    const decisions = [{ share: 200, reason: "Half of it is there.", at: noonOf("2026-03-05") }];
    const { fill, press } = openTask(CLIENT, aDispute("decided", { decisions, due: noonOf("2026-03-12") }));
    const decided = await findRegion("An operator has decided");
    expect(decided.getByText("It takes effect on Mar 12, 2026, unless one of you appeals.")).toBeVisible();
    await press("Appeal", decided);
    const dialog = await findDialog("Appeal");
    await fill("Reason", "It is not.", dialog);
    await press("Send", dialog);
    expect(await (await findRegion("In dispute")).findByText("It is not.")).toBeVisible();
  });

  it("When a decision has ended the task, then what was proposed stays as it was, and what the freelancer gets is the decision’s", async () => {
    const { world } = openTask(CLIENT, aDispute("ended", { share: 120 }));
    world.change({
      state: "completed",
      agreed: { amount: 200, due: "2099-03-01", ended: "decision" },
    });
    const ended = await findRegion("Ended early");
    expect(ended.getByText(/^You proposed/)).toHaveTextContent(/\$120$/);
    expect(await ended.findByText("The freelancer gets $200.")).toBeVisible();
  });

  it("When the client has left, then a freelancer has nobody to propose an end to", async () => {
    const { world, reload } = openTask(HIRED);
    await screen.findByRole("region", { name: "End this task early" });
    world.change({ otherSideLeft: true });
    await reload();
    await waitFor(() => expect(screen.queryByRole("region", { name: "End this task early" })).toBeNull());
  });

  it("When it ended without a price, then the freelancer who was hired still reads why", async () => {
    const decisions = [{ share: 0, reason: "None of it is there.", at: noonOf("2026-03-05") }];
    const bid = aBid({ state: "awarded" });
    const { world } = openTask({ ...FREELANCER, hasBid: true, bid }, aDispute("ended", { decisions }));
    world.change({ state: "cancelled" });
    const ended = await findRegion("Ended early");
    expect(ended.getByText("None of it is there.")).toBeVisible();
    expect(ended.getByText("The freelancer gets $0.")).toBeVisible();
  });
});

describe("an operator", () => {
  const statements = { client: "Only half is there.", freelancer: "All of it is there." };
  const files = [{ _id: "f1", name: "sketch.pdf", size: 2_000, type: "application/pdf" }];
  const messages = [{ by: "client", text: "Where is it?", at: noonOf("2026-03-01"), files } as const];

  it("When they decided before an appeal, then they are not asked again", async () => {
    const appealed = { appeal: { by: "client", reason: "You have not seen it." }, mayDecide: false } as const;
    openTask(FREELANCER, aDispute("disputed", appealed), { isOperator: true });
    const dispute = await findRegion("In dispute");
    expect(dispute.getByText("You have not seen it.")).toBeVisible();
    expect(dispute.queryByRole("button", { name: "Decide this dispute" })).not.toBeInTheDocument();
  });

  it("When there is a dispute, then they read both cases and the submitted messages with their files, and decide", async () => {
    const { user, fill, press, writes } = openTask(
      FREELANCER,
      aDispute("disputed", { statements, messages, owed: 150.1, mayDecide: true }),
      {
        isOperator: true,
      },
    );
    const dispute = await findRegion("In dispute");
    for (const text of Object.values(statements)) expect(dispute.getByText(text)).toBeVisible();
    await user.click(dispute.getByText("Submitted messages (1)"));
    expect(dispute.getByText("Where is it?")).toBeVisible();
    expect(dispute.getByRole("button", { name: "Download sketch.pdf" })).toBeVisible();
    await press("Decide this dispute", dispute);
    const dialog = await findDialog("Decide this dispute");
    expect(dialog.getByLabelText("The freelancer gets")).toHaveAccessibleDescription(
      /\$150\.10 of it for accepted milestones/,
    );
    await fill("The freelancer gets", "225.50", dialog);
    await fill("Reason", "Half of it is there.", dialog);
    await press("Decide", dialog);
    await findRegion("An operator has decided");
    expect(writes().at(-1)?.body).toEqual({ share: 225.5, reason: "Half of it is there." });
  });

  it("When there is none, or somebody is no operator, then nothing is shown or asked for", async () => {
    const { asked } = openTask(FREELANCER);
    await screen.findByRole("heading", { name: "A fox" });
    expect(screen.queryByRole("region", { name: /dispute|early/i })).toBeNull();
    expect(asked("GET /tasks/:id/ending")).toEqual([]);
  });
});

import type { Me } from "@tasklane/server/contract";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { AuthFailure } from "../../auth/person.ts";
import { draftKey, readDraft, writeDraft } from "../../lib/drafts.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aMe } from "../../testing/builders.ts";
import type { Call } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { closeDialog } from "../../testing/find.ts";
import { openApp } from "../../testing/open-app.tsx";

/** Opens the settings of a user with a password. */
async function openSettings(me: Partial<Me> = {}, hash = "", firebase = createFakeFirebase()) {
  await firebase.createUser("fay@example.com", "Secret1");
  const saved = aMe(me);
  const handlers = {
    "GET /me": () => ({ ...saved }),
    "PATCH /me": ({ body }: Call) => {
      const { mailChoices, ...others } = body as Partial<Me>;
      return { ...Object.assign(saved, others, { mailChoices: { ...saved.mailChoices, ...mailChoices } }) };
    },
  };
  const app = openApp(`/dash/settings${hash}`, handlers, { firebase });
  await screen.findByRole("heading", { name: "Settings", level: 1 });
  const deletions = () => app.asked("DELETE /me");
  return { ...app, deletions };
}

describe("notifications by email", () => {
  const emailSwitch = () => screen.getByRole("checkbox", { name: /by email too/ });

  it("When a kind is wanted once a day, then that is saved without the other choices, which may be newer; when saving fails, then it goes back", async () => {
    const { user, server, asked } = await openSettings({ emailNotices: true });
    const payments = () => screen.getByLabelText("Payments and invoices");
    await user.selectOptions(payments(), "Once a day");
    const mailChoices = { payments: "daily" };
    await waitFor(() => expect(asked("PATCH /me")).toMatchObject([{ body: { mailChoices } }]));
    await waitFor(() => expect(payments()).toHaveValue("daily"));
    server.fails.writes = offlineProblem();
    await user.selectOptions(payments(), "Never");
    await screen.findByText(/Not saved/);
    expect(payments()).toHaveValue("daily");
  });

  it("When switched on, then it is saved, and says so", async () => {
    const { user, asked } = await openSettings();
    await user.click(emailSwitch());
    await waitFor(() => expect(asked("PATCH /me")).toMatchObject([{ body: { emailNotices: true } }]));
    await waitFor(() => expect(emailSwitch()).toBeChecked());
    await screen.findByText("Saved.");
  });

  it("When the installation cannot send email, then it says so and cannot be switched", async () => {
    await openSettings({ emailAvailable: false, emailNotices: true });
    expect(emailSwitch()).toBeDisabled();
    expect(emailSwitch()).toHaveAccessibleDescription(/cannot send email/);
  });
});

describe("the email address", () => {
  const region = () =>
    screen.getByText("fay@example.com", { selector: "strong" }).closest("section") as HTMLElement;
  const returnToTab = () => document.dispatchEvent(new Event("visibilitychange"));

  it("When it is not verified, then it is marked, and a new link can be sent", async () => {
    const { press, firebase } = await openSettings();
    expect(region()).toHaveTextContent("not verified");
    await press("Send a new link");
    await screen.findByText(/A link is on its way/);
    expect(firebase.sentLinks).toEqual(["fay@example.com"]);
    await press("I have opened it");
    await screen.findByText(/has not been opened yet/);
    firebase.sendEmailVerification = async () => {
      throw new AuthFailure("too-many-requests");
    };
    await press("Send a new link");
    await screen.findByText(/Too many attempts/);
  });

  it("When the link is opened elsewhere and the user returns, then the page shows it and the API is asked again", async () => {
    const { firebase, asked } = await openSettings();
    // The check is part of the account menu, which loads after the page.
    await screen.findByRole("button", { name: /account menu/ });
    returnToTab();
    await waitFor(() => expect(region()).toHaveTextContent("not verified"));
    const before = asked("GET /me").length;
    firebase.verified.add("fay@example.com");
    returnToTab();
    await screen.findByText("This address is verified.");
    expect(region()).not.toHaveTextContent("not verified");
    await waitFor(() => expect(asked("GET /me")).toHaveLength(before + 1));
  });

  it("When the dashboard's “not verified” is followed, then the page says at once whether the link was opened", async () => {
    await openSettings({}, "#verification");
    await screen.findByText(/has not been opened yet.*send a new link/);
    cleanup();
    const firebase = createFakeFirebase();
    firebase.verified.add("fay@example.com");
    await openSettings({}, "#verification", firebase);
    await screen.findByText("Your email address is verified.");
    expect(region()).toHaveTextContent("This address is verified.");
  });
});

describe("the data export", () => {
  it("When the export is refused or gets no response, then the page says why", async () => {
    const { user } = await openSettings();
    const detail = "Your copy is not ready yet.";
    const problem = { type: "t", title: "T", status: 409, detail, code: "wrong-state" };
    const send = vi
      .spyOn(window, "fetch")
      .mockImplementation(async () => Response.json(problem, { status: 409 }));
    const download = screen.getByRole("button", { name: "Export my data" });
    await user.click(download);
    await screen.findByText("Your copy is not ready yet.");
    send.mockImplementation(async (_, init) => {
      init?.signal?.throwIfAborted();
      return Response.json({});
    });
    vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    await user.click(download);
    await screen.findByText(/We can't reach Tasklane/);
  });
});

describe("deleting the account", () => {
  async function openForm() {
    const app = await openSettings();
    const open = async () => {
      await app.press("Delete my account");
      await screen.findByLabelText("Password");
    };
    const finish = () => app.press("Permanently delete my account");
    await open();
    return { ...app, open, finish };
  }

  /** Opens the form and fills it in. */
  async function fillForm() {
    const app = await openForm();
    await app.fill("Password", "Secret1");
    await app.fill("Type DELETE to confirm", "DELETE");
    return app;
  }

  it("When the form is opened, then its first field has the focus, and the page said that this cannot be undone", async () => {
    const { press } = await openSettings();
    expect(screen.getByText(/This cannot be undone/)).toBeVisible();
    await press("Delete my account");
    expect(await screen.findByLabelText("Delete my tasks that nobody was hired for")).toHaveFocus();
  });

  it("When the word is not typed or the password is wrong, then nothing is deleted", async () => {
    const { fill, press, firebase, deletions, open, finish } = await openForm();
    await fill("Password", "Wrong1");
    await finish();
    await screen.findByText("Type the word DELETE.");
    await fill("Type DELETE to confirm", "delete");
    await finish();
    await screen.findByText("This is not your current password.");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(
      "This is not your current password.",
    );
    expect(deletions()).toEqual([]);
    expect(firebase.accounts).toHaveLength(1);
    await closeDialog();
    await open();
    expect(screen.queryByText("This is not your current password.")).toBeNull();
    await press("Cancel");
    await waitFor(() => expect(screen.queryByLabelText("Password")).toBeNull());
  });

  it("When deletion succeeds, then data and login are deleted and the user is signed out on Home", async () => {
    const { finish, firebase, deletions, isAt, session } = await fillForm();
    const own = draftKey(session.getState().user?.uid ?? "", "new");
    const others = draftKey("somebody-else", "new");
    for (const key of [own, others]) writeDraft(key, { title: "Unsent" });
    await finish();
    await isAt("/");
    expect(deletions()).toHaveLength(1);
    expect(firebase.accounts).toEqual([]);
    expect(readDraft(own)).toBeNull();
    expect(readDraft(others)?.values).toEqual({ title: "Unsent" });
    expect(session.getState().user).toBeNull();
    await screen.findByText(/Your account is deleted/);
  });

  it("When the server refuses, or it stays unknown whether it has deleted anything, then the form says so, and can be sent again", async () => {
    const { user, finish, server, firebase, deletions, isAt } = await fillForm();
    expect(screen.getByLabelText("Delete my tasks that nobody was hired for")).toBeChecked();
    await user.click(screen.getByLabelText(/^Keep them without my name/));
    server.fails.writes = new ApiProblem("log-in-again", 403, "Log in again.");
    await finish();
    await screen.findByText(/Nothing was lost, but your account could not be deleted. Log in again/);
    server.fails.writes = offlineProblem();
    await finish();
    await screen.findByText(/Your data may be deleted already/);
    expect(screen.queryByText(/Nothing was lost/)).toBeNull();
    expect(firebase.accounts).toHaveLength(1);
    server.fails.writes = undefined;
    await finish();
    await isAt("/");
    expect(firebase.accounts).toEqual([]);
    const [, unknown, last] = deletions();
    expect(last?.query).toEqual({ tasks: "keep" });
    // With the same key, the server would only repeat its response.
    expect(last?.headers?.["Idempotency-Key"]).not.toBe(unknown?.headers?.["Idempotency-Key"]);
  });

  it("When the login cannot be deleted, then the user is signed out and told what to do if it is still there later", async () => {
    const { finish, firebase, session, address } = await fillForm();
    firebase.deleteUser = async () => {
      throw new AuthFailure("network");
    };
    await finish();
    await screen.findByText(/Your data is deleted\. If you can still log in a minute from now/);
    expect(session.getState().user).toBeNull();
    expect(address()).toBe("/");
  });
});

import { EMPTY_PROFILE } from "@tasklane/server/contract";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { AuthFailure } from "../../auth/person.ts";
import { draftKey, readDraft, writeDraft } from "../../lib/drafts.ts";
import { ApiProblem, offlineProblem } from "../../lib/problem.ts";
import { aMe } from "../../testing/builders.ts";
import { createFakeApi, deferred } from "../../testing/fake-api.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { renderApp } from "../../testing/render-app.tsx";

// The first test has to load the pages' modules too.
const SLOW = { timeout: 15_000 };
const ME = aMe();

/** Opens the settings of a user with a password. */
async function openSettings(me: Partial<typeof ME> = {}, hash = "", firebase = createFakeFirebase()) {
  await firebase.createUser("fay@example.com", "Secret1");
  const state = {
    me: { ...ME, ...me },
    failing: false,
    refused: false,
    slow: undefined as Promise<void> | undefined,
  };
  const api = createFakeApi(async ({ method, path, body }) => {
    if (path === "/me/profile") return { data: EMPTY_PROFILE };
    if (path === "/me/payment-details") return { data: { way: "iban", value: "" } };
    if (path !== "/me") return { data: [] };
    if (method !== "GET") await state.slow;
    if (method !== "GET" && state.failing) throw offlineProblem();
    if (method !== "GET" && state.refused) throw new ApiProblem("log-in-again", 403, "Log in again.");
    if (method === "DELETE") return { data: { acknowledged: true, deletedCount: 1 } };
    if (method === "PATCH") Object.assign(state.me, body);
    return { data: { ...state.me } };
  });
  const app = renderApp(`/dash/settings${hash}`, { api, firebase });
  await screen.findByRole("heading", { name: "Settings", level: 1 }, SLOW);
  const deletions = () => api.calls.filter(({ method }) => method === "DELETE").length;
  return { ...app, api, firebase, state, deletions };
}

describe("notifications by email", () => {
  const emailSwitch = () => screen.getByRole("checkbox", { name: /by email too/ });

  it("When a kind is wanted once a day, then that is saved with the other choices; when saving fails, then it goes back", async () => {
    const { user, api, state } = await openSettings({ emailNotices: true });
    const payments = () => screen.getByLabelText("Payments and invoices");
    await user.selectOptions(payments(), "Once a day");
    const mailChoices = { ...ME.mailChoices, payments: "daily" };
    await waitFor(() =>
      expect(api.calls).toContainEqual(expect.objectContaining({ path: "/me", body: { mailChoices } })),
    );
    await waitFor(() => expect(payments()).toHaveValue("daily"));
    state.failing = true;
    await user.selectOptions(payments(), "Never");
    await screen.findByText(/Not saved/);
    expect(payments()).toHaveValue("daily");
  });

  it("When switched on, then it is saved; when saving fails, then it goes back and says so", async () => {
    const { user, api, state } = await openSettings();
    await user.click(emailSwitch());
    await waitFor(() =>
      expect(api.calls).toContainEqual(
        expect.objectContaining({ method: "PATCH", path: "/me", body: { emailNotices: true } }),
      ),
    );
    await waitFor(() => expect(emailSwitch()).toBeChecked());
    await screen.findByText("Saved.");
    state.failing = true;
    await user.click(emailSwitch());
    await screen.findByText(/Not saved/);
    expect(emailSwitch()).toBeChecked();
  });

  it("When switched back before the server responds, then the last choice is saved last, and stays", async () => {
    const { user, api, state } = await openSettings();
    const writes = () => api.calls.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    const { promise, resolve: respond } = deferred();
    state.slow = promise;
    await user.click(emailSwitch());
    await waitFor(() => expect(writes()).toHaveLength(1));
    await user.click(emailSwitch());
    expect(emailSwitch()).not.toBeChecked();
    expect(writes()).toHaveLength(1);
    respond();
    await waitFor(() => expect(writes()).toEqual([{ emailNotices: true }, { emailNotices: false }]));
    await screen.findByText("Saved.");
    expect(emailSwitch()).not.toBeChecked();
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
  const callsOfMe = (api: ReturnType<typeof createFakeApi>) =>
    api.calls.filter(({ path }) => path === "/me").length;

  it("When it is not verified, then it is marked, and a new link can be sent", async () => {
    const { user, firebase } = await openSettings();
    expect(region()).toHaveTextContent("not verified");
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    await screen.findByText(/A link is on its way/);
    expect(firebase.sentLinks).toEqual(["fay@example.com"]);
    await user.click(screen.getByRole("button", { name: "I have opened it" }));
    await screen.findByText(/has not been opened yet/);
    firebase.sendEmailVerification = async () => {
      throw new AuthFailure("too-many-requests");
    };
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    await screen.findByText(/Too many attempts/);
  });

  it("When the installation sends no email, then the page shows a busy state and then the link itself", async () => {
    const { user, firebase } = await openSettings();
    let respond = (_link: string) => {};
    firebase.sendEmailVerification = () => new Promise((resolve) => (respond = resolve));
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    expect(await screen.findByRole("button", { name: "Sending…" })).toHaveAttribute("aria-disabled", "true");
    respond("http://localhost/emulator/action?oobCode=x");
    const link = await screen.findByRole("link", { name: "Verify your email address" });
    expect(link).toHaveAttribute("href", "http://localhost/emulator/action?oobCode=x");
  });

  it("When the link is opened elsewhere and the user returns, then the page shows it and the API is asked again", async () => {
    const { firebase, api } = await openSettings();
    // The check is part of the account menu, which loads after the page.
    await screen.findByRole("button", { name: /account menu/ }, SLOW);
    returnToTab();
    await waitFor(() => expect(region()).toHaveTextContent("not verified"));
    const before = callsOfMe(api);
    firebase.verified.add("fay@example.com");
    returnToTab();
    await screen.findByText("This address is verified.");
    expect(region()).not.toHaveTextContent("not verified");
    await waitFor(() => expect(callsOfMe(api)).toBe(before + 1));
  });

  it("When the user says that they opened the link, then the page shows it and the API is asked again", async () => {
    const { user, firebase, api } = await openSettings();
    const before = callsOfMe(api);
    firebase.verified.add("fay@example.com");
    await user.click(screen.getByRole("button", { name: "I have opened it" }));
    await screen.findByText("This address is verified.");
    await waitFor(() => expect(callsOfMe(api)).toBe(before + 1));
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
  const open = async (user: Awaited<ReturnType<typeof openSettings>>["user"]) => {
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    await screen.findByLabelText("Password", { exact: true });
  };
  const finish = { name: "Permanently delete my account" };

  it("When the account can be deleted, then the page and the form, whose first field has the focus, say what happens to tasks, bids, work and texts", async () => {
    const { user } = await openSettings();
    const list = screen.getByText(/This cannot be undone/).nextElementSibling as HTMLElement;
    for (const text of [
      /open and awarded tasks are cancelled/,
      /completed by its freelancer/,
      /bids are withdrawn/,
    ])
      expect(list).toHaveTextContent(text);
    expect(list).toHaveTextContent(/What you delivered is deleted/);
    expect(list).toHaveTextContent(
      /tasks that you hired somebody for, answered questions and reviews can still be read, without your name/,
    );
    await open(user);
    expect(screen.getByLabelText("Delete my tasks that nobody was hired for")).toHaveFocus();
    const form = screen.getByLabelText("Password", { exact: true }).closest("form") as HTMLElement;
    expect(form).toHaveTextContent(
      /open and awarded tasks are cancelled.*what you delivered.*without your name/,
    );
  });

  it("When the word is not typed or the password is wrong, then nothing is deleted", async () => {
    const { user, firebase, deletions } = await openSettings();
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Wrong1");
    await user.click(screen.getByRole("button", finish));
    await screen.findByText("Type the word DELETE.");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "delete");
    await user.click(screen.getByRole("button", finish));
    await screen.findByText("This is not your current password.");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(
      "This is not your current password.",
    );
    expect(deletions()).toBe(0);
    expect(firebase.accounts).toHaveLength(1);
    // In a browser, Escape and a click outside do this.
    fireEvent(screen.getByRole("dialog"), new Event("close"));
    await waitFor(() => expect(screen.queryByLabelText("Password")).toBeNull());
    await open(user);
    expect(screen.queryByText("This is not your current password.")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByLabelText("Password")).toBeNull());
  });

  it("When deletion succeeds, then data and login are deleted and the user is signed out on Home", async () => {
    const { user, firebase, deletions, router, session } = await openSettings();
    const own = draftKey(session.getState().user?.uid ?? "", "new");
    const others = draftKey("somebody-else", "new");
    for (const key of [own, others]) writeDraft(key, { title: "Unsent" });
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(screen.getByRole("button", finish));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"), SLOW);
    expect(deletions()).toBe(1);
    expect(firebase.accounts).toEqual([]);
    expect(readDraft(own)).toBeNull();
    expect(readDraft(others)?.values).toEqual({ title: "Unsent" });
    expect(session.getState().user).toBeNull();
    await screen.findByText(/Your account is deleted/, undefined, SLOW);
  });

  it("When tasks that nobody was hired for should stay, then the server is told so", async () => {
    const { user, api, firebase } = await openSettings();
    await open(user);
    expect(screen.getByLabelText("Delete my tasks that nobody was hired for")).toBeChecked();
    await user.click(screen.getByLabelText(/^Keep them without my name/));
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(screen.getByRole("button", finish));
    await waitFor(() => expect(firebase.accounts).toEqual([]), SLOW);
    const deletions = api.calls.filter(({ method }) => method === "DELETE");
    expect(deletions.map(({ query }) => query)).toEqual([{ tasks: "keep" }]);
  });

  it("When it stays unknown whether the data was deleted, then the form does not deny it, and a second attempt deletes all", async () => {
    const { user, api, firebase, state, router } = await openSettings();
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    state.failing = true;
    await user.click(screen.getByRole("button", finish));
    await screen.findByText(/Your data may be deleted already/, undefined, SLOW);
    expect(screen.queryByText(/Nothing was lost/)).toBeNull();
    expect(firebase.accounts).toHaveLength(1);
    state.failing = false;
    await user.click(screen.getByRole("button", finish));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"), SLOW);
    expect(firebase.accounts).toEqual([]);
    const deletions = api.calls.filter(({ method }) => method === "DELETE");
    const keys = deletions.map(({ headers }) => headers?.["Idempotency-Key"]);
    // With the same key, the server would only repeat its response.
    expect(keys.at(-1)).not.toBe(keys[0]);
  });

  it("When the server refuses, then the form says that nothing was lost", async () => {
    const { user, state } = await openSettings();
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    state.refused = true;
    await user.click(screen.getByRole("button", finish));
    await screen.findByText(/Nothing was lost, but your account could not be deleted. Log in again/);
  });

  it("When the login cannot be deleted, then the user is signed out and told what to do if it is still there later", async () => {
    const { user, firebase, session, router } = await openSettings();
    firebase.deleteUser = async () => {
      throw new AuthFailure("network");
    };
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(screen.getByRole("button", finish));
    await screen.findByText(
      /Your data is deleted\. If you can still log in a minute from now/,
      undefined,
      SLOW,
    );
    expect(session.getState().user).toBeNull();
    expect(router.state.location.pathname).toBe("/");
  });
});

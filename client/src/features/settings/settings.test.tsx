import { EMPTY_PROFILE } from "@tasklane/server/contract";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { AuthFailure } from "../../auth/auth-gateway.ts";
import { openDraft, readDraft, writeDraft } from "../../lib/drafts.ts";
import { offlineProblem } from "../../lib/problem.ts";
import { aMe } from "../../testing/builders.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

// The first test also loads the pages' modules.
const PATIENT = { timeout: 15_000 };
const ME = aMe();

/** Somebody with an account and a password, on their settings. */
async function atTheSettings(me: Partial<typeof ME> = {}) {
  const gateway = createFakeAuthGateway();
  await gateway.createUser("fay@example.com", "Secret1");
  const state = { me: { ...ME, ...me }, failing: false, slow: undefined as Promise<void> | undefined };
  const api = createFakeApi(async ({ method, path, body }) => {
    if (path === "/me/profile") return { data: EMPTY_PROFILE };
    if (path !== "/me") return { data: [] };
    if (method !== "GET") await state.slow;
    if (method !== "GET" && state.failing) throw offlineProblem();
    if (method === "DELETE") return { data: { acknowledged: true, deletedCount: 1 } };
    if (method === "PATCH") Object.assign(state.me, body);
    return { data: { ...state.me } };
  });
  const app = renderApp("/dash/settings", { api, gateway });
  await screen.findByRole("heading", { name: "Settings", level: 1 }, PATIENT);
  const deletions = () => api.calls.filter(({ method }) => method === "DELETE").length;
  return { ...app, api, gateway, state, deletions };
}

describe("notifications by email", () => {
  const theSwitch = () => screen.getByRole("checkbox", { name: /by email too/ });

  it("When switched on, then it is saved; when that fails, then it goes back and says so", async () => {
    const { user, api, state } = await atTheSettings();
    await user.click(theSwitch());
    await waitFor(() =>
      expect(api.calls).toContainEqual(
        expect.objectContaining({ method: "PATCH", path: "/me", body: { emailNotices: true } }),
      ),
    );
    await waitFor(() => expect(theSwitch()).toBeChecked());
    await screen.findByText("Saved.");
    state.failing = true;
    await user.click(theSwitch());
    await screen.findByText(/Not saved/);
    expect(theSwitch()).toBeChecked();
  });

  it("When switched back before the server responds, then that is written last, and stays", async () => {
    const { user, api, state } = await atTheSettings();
    const writes = () => api.calls.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    let respond = () => {};
    state.slow = new Promise((resolve) => {
      respond = resolve;
    });
    await user.click(theSwitch());
    await waitFor(() => expect(writes()).toHaveLength(1));
    await user.click(theSwitch());
    expect(theSwitch()).not.toBeChecked();
    expect(writes()).toHaveLength(1);
    respond();
    await waitFor(() => expect(writes()).toEqual([{ emailNotices: true }, { emailNotices: false }]));
    await screen.findByText("Saved.");
    expect(theSwitch()).not.toBeChecked();
  });

  it("When the installation cannot send email, then it says so and cannot be switched", async () => {
    await atTheSettings({ emailAvailable: false, emailNotices: true });
    expect(theSwitch()).toBeDisabled();
    expect(theSwitch()).toHaveAccessibleDescription(/cannot send email/);
  });
});

describe("the email address", () => {
  const region = () =>
    screen.getByText("fay@example.com", { selector: "strong" }).closest("section") as HTMLElement;
  const comeBack = () => document.dispatchEvent(new Event("visibilitychange"));
  const callsOfMe = (api: ReturnType<typeof createFakeApi>) =>
    api.calls.filter(({ path }) => path === "/me").length;

  it("When it is not verified, then it is marked, and a new link can be sent", async () => {
    const { user, gateway } = await atTheSettings();
    expect(region()).toHaveTextContent("not verified");
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    await screen.findByText(/A link is on its way/);
    expect(gateway.sentLinks).toEqual(["fay@example.com"]);
    await user.click(screen.getByRole("button", { name: "I have opened it" }));
    await screen.findByText(/has not been opened yet/);
    gateway.sendEmailVerification = async () => {
      throw new AuthFailure("too-many-requests");
    };
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    await screen.findByText(/Too many attempts/);
  });

  it("When no mail is sent, then the page has the link itself, and says meanwhile that it is busy", async () => {
    const { user, gateway } = await atTheSettings();
    let respond = (_link: string) => {};
    gateway.sendEmailVerification = () => new Promise((resolve) => (respond = resolve));
    await user.click(screen.getByRole("button", { name: "Send a new link" }));
    expect(await screen.findByRole("button", { name: "Sending…" })).toHaveAttribute("aria-disabled", "true");
    respond("http://localhost/emulator/action?oobCode=x");
    const link = await screen.findByRole("link", { name: "Verify your email address" });
    expect(link).toHaveAttribute("href", "http://localhost/emulator/action?oobCode=x");
  });

  it("When the link is opened elsewhere and the person comes back, then the page and the API know", async () => {
    const { gateway, api } = await atTheSettings();
    // It looks from the account menu, which comes after the page.
    await screen.findByRole("button", { name: /account menu/ }, PATIENT);
    comeBack();
    await waitFor(() => expect(region()).toHaveTextContent("not verified"));
    const before = callsOfMe(api);
    gateway.verified.add("fay@example.com");
    comeBack();
    await screen.findByText("This address is verified.");
    expect(region()).not.toHaveTextContent("not verified");
    await waitFor(() => expect(callsOfMe(api)).toBe(before + 1));
  });

  it("When the person says that they opened it, then the page and the API know", async () => {
    const { user, gateway, api } = await atTheSettings();
    const before = callsOfMe(api);
    gateway.verified.add("fay@example.com");
    await user.click(screen.getByRole("button", { name: "I have opened it" }));
    await screen.findByText("This address is verified.");
    await waitFor(() => expect(callsOfMe(api)).toBe(before + 1));
  });
});

describe("the copy of one's data", () => {
  it("When it is refused, then it says why; when no response comes, then that", async () => {
    const { user } = await atTheSettings();
    const problem = {
      type: "t",
      title: "T",
      status: 409,
      detail: "Your copy is not ready yet.",
      code: "wrong-state",
    };
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
  const open = async (user: Awaited<ReturnType<typeof atTheSettings>>["user"]) => {
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    await screen.findByLabelText("Password", { exact: true });
  };
  const finish = { name: "Permanently delete my account" };

  it("When it is offered, then the page and the form say what becomes of tasks, bids, work and texts", async () => {
    const { user } = await atTheSettings();
    const list = screen.getByText(/This cannot be undone/).nextElementSibling as HTMLElement;
    for (const word of [
      /open and awarded tasks are cancelled/,
      /completed by its freelancer/,
      /bids are withdrawn/,
    ])
      expect(list).toHaveTextContent(word);
    expect(list).toHaveTextContent(/What you delivered is deleted/);
    expect(list).toHaveTextContent(
      /tasks, answered questions and reviews can still be read, without your name/,
    );
    await open(user);
    const form = screen.getByLabelText("Password", { exact: true }).closest("form") as HTMLElement;
    expect(form).toHaveTextContent(
      /open and awarded tasks are cancelled.*what you delivered.*without your name/,
    );
  });

  it("When the word is not typed or the password is wrong, then nothing is deleted", async () => {
    const { user, gateway, deletions } = await atTheSettings();
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
    expect(gateway.accounts).toHaveLength(1);
    // What Escape and a click beside it do in a browser.
    fireEvent(screen.getByRole("dialog"), new Event("close"));
    await waitFor(() => expect(screen.queryByLabelText("Password")).toBeNull());
    await open(user);
    expect(screen.queryByText("This is not your current password.")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByLabelText("Password")).toBeNull());
  });

  it("When all goes well, then data and login are deleted and the person stands at Home, signed out", async () => {
    const { user, gateway, deletions, router, session } = await atTheSettings();
    const own = openDraft(session.getState().user?.uid ?? "", "new");
    const others = openDraft("somebody-else", "new");
    for (const key of [own, others]) writeDraft(key, { title: "Unsent" });
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(screen.getByRole("button", finish));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"), PATIENT);
    expect(deletions()).toBe(1);
    expect(gateway.accounts).toEqual([]);
    expect(readDraft(own)).toBeNull();
    expect(readDraft(others)?.values).toEqual({ title: "Unsent" });
    expect(session.getState().user).toBeNull();
    await screen.findByText(/Your account is deleted/, undefined, PATIENT);
  });

  it("When the login cannot be deleted, then it says what is left, and a second try deletes only that", async () => {
    const { user, gateway, deletions, router } = await atTheSettings();
    const { deleteUser } = gateway;
    gateway.deleteUser = async () => {
      throw new AuthFailure("network");
    };
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(screen.getByRole("button", finish));
    await screen.findByText(/Your data is deleted, but your login is not yet/);
    gateway.deleteUser = deleteUser;
    await user.click(screen.getByRole("button", { name: "Delete my login too" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"), PATIENT);
    expect(deletions()).toBe(1);
    expect(gateway.accounts).toEqual([]);
  });
});

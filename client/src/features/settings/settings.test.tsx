import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { AuthFailure } from "../../auth/auth-gateway.ts";
import { offlineProblem } from "../../lib/problem.ts";
import { createFakeApi } from "../../testing/fake-api.ts";
import { createFakeAuthGateway } from "../../testing/fake-auth-gateway.ts";
import { renderApp } from "../../testing/render-app.tsx";

// The first test also loads the pages' modules.
const PATIENT = { timeout: 15_000 };
const ME = { id: "u1", isOperator: false, unread: 0, emailNotices: false, emailAvailable: true };

/** Somebody with an account and a password, on their settings. */
async function atTheSettings(me: Partial<typeof ME> = {}) {
  const gateway = createFakeAuthGateway();
  await gateway.createUser("fay@example.com", "Secret1");
  const state = { me: { ...ME, ...me }, failing: false };
  const api = createFakeApi(({ method, path, body }) => {
    if (path !== "/me") return { data: [] };
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

describe("notices by e-mail", () => {
  const theSwitch = () => screen.getByRole("checkbox", { name: /by e-mail too/ });

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

  it("When the installation cannot send e-mail, then it says so and cannot be switched", async () => {
    await atTheSettings({ emailAvailable: false, emailNotices: true });
    expect(theSwitch()).toBeDisabled();
    expect(theSwitch()).toHaveAccessibleDescription(/cannot send e-mail/);
  });
});

describe("deleting the account", () => {
  const open = async (user: Awaited<ReturnType<typeof atTheSettings>>["user"]) => {
    await user.click(screen.getByRole("button", { name: "Delete my account" }));
    await screen.findByLabelText("Password");
  };
  const finish = { name: "Delete my account for ever" };

  it("When the word is not typed or the password is wrong, then nothing is deleted", async () => {
    const { user, gateway, deletions } = await atTheSettings();
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Wrong1");
    await user.click(screen.getByRole("button", finish));
    await screen.findByText("Type the word DELETE.");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "delete");
    await user.click(screen.getByRole("button", finish));
    await screen.findByText("Incorrect Email and Password!");
    expect(deletions()).toBe(0);
    expect(gateway.accounts).toHaveLength(1);
  });

  it("When all goes well, then data and login are deleted and the person stands at Home, signed out", async () => {
    const { user, gateway, deletions, router, session } = await atTheSettings();
    await open(user);
    await user.type(screen.getByLabelText("Password"), "Secret1");
    await user.type(screen.getByLabelText("Type DELETE to confirm"), "DELETE");
    await user.click(screen.getByRole("button", finish));
    await waitFor(() => expect(router.state.location.pathname).toBe("/"), PATIENT);
    expect(deletions()).toBe(1);
    expect(gateway.accounts).toEqual([]);
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

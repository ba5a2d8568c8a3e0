import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { WEAK_PASSWORD } from "../../auth/failure-text.ts";
import { aPerson } from "../../testing/builders.ts";
import { createFakeFirebase } from "../../testing/fake-firebase.ts";
import { openApp } from "../../testing/open-app.tsx";

async function openSettings() {
  const firebase = createFakeFirebase();
  await firebase.createUser("fay@example.com", "Secret1");
  const app = openApp("/dash/settings", {}, { firebase });
  const heading = await screen.findByRole("heading", { name: "Password" });
  const section = within(heading.closest("section") as HTMLElement);
  await section.findByLabelText("Current password");
  const change = async (current: string, next: string) => {
    await app.fill("Current password", current, section);
    await app.fill("New password", next, section);
    await app.press("Change password", section);
  };
  return { ...app, section, change, password: () => firebase.accounts[0]?.password };
}

describe("changing the password", () => {
  it.each([
    ["Wrong1", "Better2", "Current password", /not your current password/],
    ["Secret1", "better", "New password", new RegExp(WEAK_PASSWORD)],
  ])(
    "When current and new password are %j and %j, then the field %s shows the error",
    async (current, next, label, message) => {
      const { section, change, password } = await openSettings();
      await change(current, next);
      await waitFor(() => expect(section.getByLabelText(label)).toHaveAccessibleDescription(message));
      expect(section.getByLabelText(label)).toHaveFocus();
      expect(password()).toBe("Secret1");
    },
  );

  it("When somebody logs in with Google, then there is no password to change", async () => {
    const firebase = createFakeFirebase(aPerson({ signInMethod: "google" }));
    openApp("/dash/settings", {}, { firebase });
    await screen.findByRole("heading", { name: "Password" });
    await screen.findByText(/there is no password here/);
    expect(screen.queryByText("Change my email address")).toBeNull();
  });
});

describe("changing the email address", () => {
  async function requestChange(email: string, password = "Secret1") {
    const app = await openSettings();
    const { user, fill, press } = app;
    await user.click(await screen.findByText("Change my email address"));
    const form = within(screen.getByLabelText("New email address").closest("form") as HTMLElement);
    await fill("New email address", email, form);
    await fill("Current password", password, form);
    await press("Send me a link", form);
    return { ...app, form };
  }

  it.each([
    ["fay@example.com", "Secret1", "New email address", /already an account with this email/],
    ["fay@new.example", "Wrong1", "Current password", /not your current password/],
  ])(
    "When the address is %s and the password %s, then the field %s shows the error",
    async (email, password, label, message) => {
      const { form } = await requestChange(email, password);
      await waitFor(() => expect(form.getByLabelText(label)).toHaveAccessibleDescription(message));
    },
  );
});

import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { Toasts } from "../../../ui/toast-container.tsx";
import { ShareButton } from "./task-page.tsx";

const set = (name: "share" | "clipboard", value: unknown) =>
  Object.defineProperty(navigator, name, { value, configurable: true });
afterEach(() => {
  for (const name of ["share", "clipboard"]) Reflect.deleteProperty(navigator, name);
});

const TASK_URL = `${window.location.origin}/taskdetails/1`;

async function press() {
  render(
    <>
      <ShareButton title="Logo" path="/taskdetails/1" />
      <Toasts />
    </>,
  );
  await userEvent.click(screen.getByRole("button", { name: "Share" }));
}

it("When the device can share, then it receives title and URL, and cancelling shows no message", async () => {
  const share = vi.fn(() => Promise.reject(new DOMException("closed", "AbortError")));
  const writeText = vi.fn();
  set("share", share);
  set("clipboard", { writeText });
  await press();
  expect(share).toHaveBeenCalledWith({ title: "Logo", url: TASK_URL });
  expect(writeText).not.toHaveBeenCalled();
});

it("When the device cannot share, then the URL is copied, with a message", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  set("clipboard", { writeText });
  await press();
  expect(await screen.findByText("The link is copied.")).toBeVisible();
  expect(writeText).toHaveBeenCalledWith(TASK_URL);
});

it("When the clipboard is unavailable, then the URL is shown for copying by hand", async () => {
  set("clipboard", undefined);
  await press();
  await waitFor(() => expect(screen.getByText(TASK_URL)).toBeVisible());
});

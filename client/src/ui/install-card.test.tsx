import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { captureInstallPrompt, installPrompt } from "../lib/install.ts";
import { InstallCard } from "./install-card.tsx";

captureInstallPrompt();
beforeEach(() => installPrompt.set(undefined));

/** Dispatches the browser's install event. @returns its `prompt` method. */
function offerInstall() {
  const event = new Event("beforeinstallprompt", { cancelable: true });
  const prompt = vi.fn(() => Promise.resolve({ outcome: "accepted" }));
  act(() => void window.dispatchEvent(Object.assign(event, { prompt })));
  expect(event.defaultPrevented).toBe(true);
  return prompt;
}

it("When the app can be installed, then the card offers it, and opens the browser's prompt once", async () => {
  const { container } = render(<InstallCard />);
  expect(container).toBeEmptyDOMElement();
  const prompt = offerInstall();
  await userEvent.click(screen.getByRole("button", { name: "Install" }));
  expect(prompt).toHaveBeenCalledOnce();
  expect(container).toBeEmptyDOMElement();
});

it("When somebody dismisses the card, then it does not come back, even if the browser offers it again", async () => {
  const { container } = render(<InstallCard />);
  offerInstall();
  await userEvent.click(screen.getByRole("button", { name: "Not now" }));
  expect(container).toBeEmptyDOMElement();
  offerInstall();
  expect(container).toBeEmptyDOMElement();
});

import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { captureInstallPrompt, installPrompt } from "../lib/install.ts";
import { InstallCard } from "./install-card.tsx";

captureInstallPrompt();
beforeEach(() => {
  installPrompt.event = undefined;
});

/** The browser offers to install the app. @returns what its question is. */
function offer() {
  const event = new Event("beforeinstallprompt", { cancelable: true });
  const prompt = vi.fn(() => Promise.resolve({ outcome: "accepted" }));
  act(() => void window.dispatchEvent(Object.assign(event, { prompt })));
  expect(event.defaultPrevented).toBe(true);
  return prompt;
}

it("When the browser offers to install the app, then the card asks, and lets the browser ask once", async () => {
  const { container } = render(<InstallCard />);
  expect(container).toBeEmptyDOMElement();
  const prompt = offer();
  await userEvent.click(screen.getByRole("button", { name: "Install" }));
  expect(prompt).toHaveBeenCalledOnce();
  expect(container).toBeEmptyDOMElement();
});

it("When somebody says no, then they are not asked again, also when the browser offers it again", async () => {
  const { container } = render(<InstallCard />);
  offer();
  await userEvent.click(screen.getByRole("button", { name: "Not now" }));
  expect(container).toBeEmptyDOMElement();
  offer();
  expect(container).toBeEmptyDOMElement();
});

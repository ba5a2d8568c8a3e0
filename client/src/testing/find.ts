import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";

/** The queries within the region of this name, once it is there. */
export const findRegion = async (name: string | RegExp) =>
  within(await screen.findByRole("region", { name }));

/** The queries within the dialog of this name, once it is there. */
export const findDialog = async (name: string | RegExp) =>
  within(await screen.findByRole("dialog", { name }));

/** The button of this name, once it is not busy: until then it ignores clicks. */
export async function findEnabled(name: string): Promise<HTMLElement> {
  return await waitFor(() => {
    const button = screen.getByRole("button", { name });
    if (button.ariaDisabled) throw new Error(`"${name}" is still busy.`);
    return button;
  });
}

/** Closes the open dialog, as Escape, its close button and a click outside do in a browser. */
export async function closeDialog(): Promise<void> {
  const dialog = screen.getByRole("dialog");
  fireEvent(dialog, new Event("close"));
  await waitFor(() => expect(dialog).not.toBeVisible());
}

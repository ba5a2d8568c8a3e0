import { screen, waitFor, within } from "@testing-library/react";

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

import { screen, waitFor } from "@testing-library/react";

/** The button of this name, once it is not busy: until then it ignores clicks. */
export async function findEnabled(name: string): Promise<HTMLElement> {
  return await waitFor(() => {
    const button = screen.getByRole("button", { name });
    if (button.ariaDisabled) throw new Error(`"${name}" is still busy.`);
    return button;
  });
}

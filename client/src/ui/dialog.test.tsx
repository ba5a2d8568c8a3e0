import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Dialog } from "./dialog.tsx";

it("When a dialog within another one is closed, then the other one is not told that it was closed", () => {
  const [outer, inner] = [vi.fn(), vi.fn()];
  render(
    <Dialog title="Bids" open onClose={outer}>
      <Dialog title="Messages" open onClose={inner}>
        Hello
      </Dialog>
    </Dialog>,
  );
  screen.getByRole<HTMLDialogElement>("dialog", { name: "Messages" }).close();
  expect(inner).toHaveBeenCalledOnce();
  expect(outer).not.toHaveBeenCalled();
  screen.getByRole<HTMLDialogElement>("dialog", { name: "Bids" }).close();
  expect(outer).toHaveBeenCalledOnce();
});

import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Dialog } from "./dialog.tsx";

it("When a nested dialog is closed, then `onClose` of the outer dialog is not called", () => {
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

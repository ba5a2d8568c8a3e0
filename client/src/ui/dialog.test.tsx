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

it("When what had focus before a dialog is gone, then focus is on the page once it closes", () => {
  render(
    <main id="main" tabIndex={-1}>
      <Dialog title="Bids" open onClose={vi.fn()}>
        Two bids
      </Dialog>
    </main>,
  );
  screen.getByRole<HTMLDialogElement>("dialog", { name: "Bids" }).close();
  expect(screen.getByRole("main")).toHaveFocus();
});

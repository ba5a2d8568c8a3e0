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

it("When a dialog closes and the previously focused element is gone, then focus goes to the page", () => {
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

it("When a dialog with fields opens, then the first of them has the focus, not Close", () => {
  render(
    <Dialog title="Report" open onClose={vi.fn()}>
      <form>
        <input type="hidden" name="task" />
        <label>
          Reason <select />
        </label>
      </form>
    </Dialog>,
  );
  expect(screen.getByLabelText("Reason")).toHaveFocus();
});

import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { showSuccess } from "./popup.ts";

it("When a success popup opens, then the form in use keeps focus and clicks, and the popup goes by itself", async () => {
  const user = userEvent.setup();
  render(<input aria-label="Title" />);
  await user.type(screen.getByLabelText("Title"), "Next");
  const gone = showSuccess("Your Add Task Successfully");
  const popup = (await screen.findByText("Your Add Task Successfully")).closest(".swal2-popup");
  expect(popup).toHaveClass("swal2-toast", "swal2-icon-success");
  expect(screen.queryByRole("button")).toBeNull();
  await user.keyboard(" one");
  expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Next one");
  await gone;
  await waitFor(() => expect(document.querySelector(".swal2-popup")).toBeNull());
});

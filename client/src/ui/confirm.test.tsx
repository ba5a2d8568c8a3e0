import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import Swal from "sweetalert2/dist/sweetalert2.esm.js";
import { expect, it, vi } from "vitest";
import { confirm, dismissPrompt, showSuccess } from "./confirm.ts";
import { Dialog } from "./dialog.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";

it("When a success popup opens, then the form in use keeps focus and clicks, and the popup closes by itself", async () => {
  const user = userEvent.setup();
  render(<input aria-label="Title" />);
  await user.type(screen.getByLabelText("Title"), "Next");
  vi.setSystemTime(Date.now());
  const closed = showSuccess("Your Add Task Successfully");
  const popup = (await screen.findByText("Your Add Task Successfully")).closest(".swal2-popup");
  expect(popup).toHaveClass("swal2-toast", "swal2-icon-success");
  expect(screen.queryByRole("button")).toBeNull();
  expect(Swal.getTimerLeft()).toBe(1500);
  await user.keyboard(" one");
  expect(screen.getByRole("textbox", { name: "Title" })).toHaveValue("Next one");
  await closed;
  await waitFor(() => expect(document.querySelector(".swal2-popup")).toBeNull());
});

const bids = (open: boolean) => (
  <Dialog title="Bids" open={open} onClose={() => undefined}>
    Award
  </Dialog>
);
it.each<[string, (shown: ReturnType<typeof render>) => void]>([
  ["closes", ({ rerender }) => rerender(bids(false))],
  ["is removed", ({ unmount }) => unmount()],
])(
  "When a dialog %s while its prompt is open, then the answer is no, and the next popup opens",
  async (_, end) => {
    const shown = render(bids(true));
    const answer = confirm({ title: "Award this task?", text: "", yes: "Award" });
    await screen.findByText("Award this task?");
    end(shown);
    expect(await answer).toBe(false);
    expect(document.body).not.toHaveClass("swal2-shown");
    void showSuccess("Task awarded");
    await screen.findByText("Task awarded");
  },
);

it("When the dialog in which somebody has succeeded is removed, then the success popup stays for its time, and the next prompt blocks the page", async () => {
  const shown = render(bids(true));
  const closed = showSuccess("Task awarded");
  const message = await screen.findByText("Task awarded");
  shown.unmount();
  expect(message).toBeInTheDocument();
  await closed;
  await waitFor(() => expect(message).not.toBeInTheDocument());
  expect(document.body).not.toHaveClass("swal2-toast-shown");
});

it("When a prompt or message contains a name with markup, then it is shown as text and not rendered as HTML", async () => {
  const name = '<a href="https://evil.example">Fay</a> & <b>Co</b>';
  const answer = confirm({ title: `Award this task to ${name}?`, text: `${name} does it.`, yes: "Award" });
  const heading = await screen.findByRole("heading", { name: `Award this task to ${name}?` });
  expect(heading.children).toHaveLength(0);
  expect(screen.getByText(`${name} does it.`).children).toHaveLength(0);
  dismissPrompt();
  expect(await answer).toBe(false);
  void showSuccess(name, name);
  const [title, text] = await screen.findAllByText(name);
  expect([title?.children.length, text?.children.length]).toEqual([0, 0]);
});

it("When a page is left before its prompt has loaded, then the answer is no, and no prompt opens", async () => {
  const answer = confirm({ title: "Delete this task?", text: "", yes: "Delete" });
  dismissPrompt();
  expect(await answer).toBe(false);
  expect(screen.queryByText("Delete this task?")).toBeNull();
});

it("When Back is pressed again while the leave prompt is open, then Leave goes back; another query asks, too", async () => {
  const user = userEvent.setup();
  function Form() {
    useLeaveGuard(true, { title: "Leave this form?", text: "", yes: "Leave" });
    return "The form";
  }
  const router = createMemoryRouter(
    [
      { path: "/form", Component: Form },
      { path: "*", element: "Elsewhere" },
    ],
    { initialEntries: ["/before", "/form"] },
  );
  render(<RouterProvider router={router} />);
  await act(() => router.navigate(-1));
  await screen.findByText("Leave this form?");
  await act(() => router.navigate(-1));
  const leave = await screen.findByRole("button", { name: "Leave" });
  // Not red, because a draft is kept and nothing is lost.
  expect(leave).not.toHaveClass("btn-error");
  await user.click(leave);
  await waitFor(() => expect(router.state.location.pathname).toBe("/before"));
  await act(() => router.navigate("/form"));
  // A form of its own, such as a copy of a task.
  await act(() => router.navigate("/form?copy=1"));
  await screen.findByText("Leave this form?");
});

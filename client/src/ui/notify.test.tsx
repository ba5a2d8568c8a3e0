import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { toast } from "react-toastify/unstyled";
import { expect, it } from "vitest";
import { notify, ToastArea } from "./notify.tsx";
import { Toasts } from "./toast-container.tsx";

/** Renders the toast container. @returns a function that lists the texts of the visible toasts. */
function renderToasts() {
  const texts = new Map<unknown, string>();
  toast.onChange(({ id, status, content }) => {
    if (status === "removed") texts.delete(id);
    else texts.set(id, String(content));
  });
  render(<Toasts />);
  return () => [...texts.values()];
}

it("When there is a new toast on a topic, then it replaces the old one, and other topics' toasts stay", async () => {
  const texts = renderToasts();
  notify.error("You are still logged in.", { topic: "session" });
  notify.info("A bid has come in.");
  notify.success("Welcome back, Fay", { topic: "session" });
  await screen.findByText("Welcome back, Fay");
  await waitFor(() => expect(texts()).toEqual(["A bid has come in.", "Welcome back, Fay"]));
  notify.dismiss("session");
  await waitFor(() => expect(texts()).toEqual(["A bid has come in."]));
});

it("When another page is opened or the connection is back, then errors are removed, except about the session", async () => {
  const texts = renderToasts();
  const router = createMemoryRouter([{ path: "*", element: <ToastArea /> }]);
  render(<RouterProvider router={router} />);
  const fail = async () => {
    notify.error("Your bid was not saved.");
    await waitFor(() => expect(texts()).toContain("Your bid was not saved."));
  };
  notify.error("You are still logged in.", { topic: "session" });
  await fail();
  await router.navigate("/elsewhere");
  await waitFor(() => expect(texts()).toEqual(["You are still logged in."]));
  await fail();
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(texts()).toEqual(["You are still logged in."]));
});

it("When no position is given, then a toast is at the bottom left", async () => {
  renderToasts();
  notify.success("Your bid is in.");
  const toast = (await screen.findByText("Your bid is in.")).closest("[class*=container--]");
  expect(toast).toHaveClass("Toastify__toast-container--bottom-left");
});

it("When a message has several elements, then they flow as one text, not in columns", async () => {
  renderToasts();
  notify.info(
    <>
      Copy this link: <b>https://tasklane.example</b>
    </>,
  );
  const { parentElement } = await screen.findByText("https://tasklane.example");
  expect(parentElement).not.toHaveClass("Toastify__toast");
  expect(parentElement).toHaveTextContent("Copy this link: https://tasklane.example");
});

it("When a toast is closed by keyboard, then focus goes back to where it was", async () => {
  const user = userEvent.setup();
  render(<button type="button">Save</button>);
  renderToasts();
  await user.click(screen.getByRole("button", { name: "Save" }));
  notify.success("Your bid is in.");
  const toast = (await screen.findByText("Your bid is in.")).closest(".Toastify__toast") as HTMLElement;
  const close = within(toast).getByRole("button", { name: "close" });
  while (document.activeElement !== close) await user.tab();
  await user.keyboard("{Enter}");
  // jsdom does not play the exit animation, so end it here.
  await waitFor(() => expect(toast.dataset["in"]).toBe("false"));
  fireEvent.animationEnd(toast);
  await waitFor(() => expect(toast).not.toBeInTheDocument());
  expect(screen.getByRole("button", { name: "Save" })).toHaveFocus();
});

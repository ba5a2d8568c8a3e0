import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Field } from "./field.tsx";

it("When the wheel is turned over a focused number field, then the field is not focused until the browser has handled that", async () => {
  render(<Field name="days" label="Days" type="number" />);
  const days = screen.getByLabelText("Days");
  days.focus();
  fireEvent.wheel(days);
  expect(days).not.toHaveFocus();
  await waitFor(() => expect(days).toHaveFocus());
});

it("When the wheel is turned over a field that is not focused or has a text, then the focus stays where it is", () => {
  render(
    <>
      <Field name="days" label="Days" type="number" />
      <Field name="title" label="Title" />
    </>,
  );
  const title = screen.getByLabelText("Title");
  title.focus();
  fireEvent.wheel(screen.getByLabelText("Days"));
  fireEvent.wheel(title);
  expect(title).toHaveFocus();
});

it("When a password is shown, then the browser neither checks its spelling nor corrects it", async () => {
  const user = userEvent.setup();
  render(<Field name="password" label="Password" type="password" />);
  await user.click(screen.getByRole("button", { name: "Show password" }));
  const password = screen.getByLabelText("Password");
  expect(password).toHaveAttribute("type", "text");
  expect(password).toHaveAttribute("spellcheck", "false");
  expect(password).toHaveAttribute("autocapitalize", "none");
  expect(password).toHaveAttribute("autocorrect", "off");
});

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Field } from "./field.tsx";

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

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

it("When a choice is optional, then it can be taken back; a required one cannot", () => {
  const field = (required: boolean) => (
    <Field
      name="level"
      label="Level"
      placeholder="Any level"
      options={[["expert", "Expert"]]}
      required={required}
    />
  );
  const { rerender } = render(field(false));
  expect(screen.getByRole("option", { name: "Any level" })).toBeEnabled();
  rerender(field(true));
  expect(screen.getByRole("option", { name: "Any level" })).toBeDisabled();
});

import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { ListField } from "./list-field.tsx";

it("When Enter confirms the text of an input method in Safari, then it is not added yet", async () => {
  const user = userEvent.setup();
  render(<ListField name="skills" label="Skills" item="skill" hint="Up to ten." max={10} />);
  const skill = screen.getByLabelText("Skills");
  await user.type(skill, "日本");
  fireEvent.keyDown(skill, { key: "Enter", keyCode: 229 });
  expect(skill).toHaveValue("日本");
  await user.type(skill, "語{Enter}");
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(["日本語"]);
});

import { fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { expect, it } from "vitest";
import { usePopover } from "./use-popover.ts";

function Page() {
  const menu = usePopover<HTMLDivElement>();
  return (
    <>
      <button type="button" popoverTarget="menu">
        Menu
      </button>
      <div ref={menu} id="menu" popover="auto">
        <button type="button">Inside</button>
      </div>
      <button type="button">After</button>
    </>
  );
}

it("When a menu is opened right after Tab, then it stays open until focus moves out of it", async () => {
  render(<Page />, { wrapper: MemoryRouter });
  const button = screen.getByRole("button", { name: "Menu" });
  fireEvent.keyDown(document.body, { key: "Tab" });
  button.focus();
  fireEvent.click(button);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const inside = screen.getByText("Inside");
  expect(inside).toBeVisible();
  inside.focus();
  expect(inside).toBeVisible();
  screen.getByText("After").focus();
  expect(inside).not.toBeVisible();
});

import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Email, RichText } from "./user-text.tsx";

it("When somebody writes paragraphs, lists and links, then they are shown as such, and HTML as text", () => {
  const { container } = render(
    <RichText
      text={
        "A fox\nin two lines.\n\n\nYou get:\n- a cover, see https://example.com/fox.\n* <b>rights</b>\n\n2) Draft\n4. Final\n2026. was a year"
      }
    />,
  );
  expect([...container.children].map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
    ["P", "A fox\nin two lines."],
    ["P", "You get:"],
    ["UL", "a cover, see https://example.com/fox.<b>rights</b>"],
    ["OL", "DraftFinal"],
    ["P", "2026. was a year"],
  ]);
  expect(screen.getByRole("link")).toHaveAttribute("href", "https://example.com/fox");
  expect(screen.getAllByRole("listitem").map((item) => item.getAttribute("value"))).toEqual([
    null,
    null,
    "2",
    "4",
  ]);
});

it("When an email address is too long for its line, then it breaks before the at sign or a dot", () => {
  const { container } = render(<Email address="ada.lovelace@mail.example" />);
  expect(container.innerHTML).toBe("ada<wbr>.lovelace<wbr>@mail<wbr>.example");
});

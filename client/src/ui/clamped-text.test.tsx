import { render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { ClampedText } from "./user-text.tsx";

it("When a text is replaced by a longer or shorter one, then there is a button for the rest only if it is clamped", () => {
  // Both have the same height when clamped.
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(72);
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockImplementation(function (this: Element) {
    return (this.textContent?.length ?? 0) > 100 ? 240 : 72;
  });
  const { rerender } = render(<ClampedText text="Three lines." />);
  expect(screen.queryByRole("button")).toBeNull();
  rerender(<ClampedText text={"Many lines. ".repeat(20)} />);
  expect(screen.getByRole("button", { name: "Read more" })).toBeVisible();
  rerender(<ClampedText text="Three lines again." />);
  expect(screen.queryByRole("button")).toBeNull();
});

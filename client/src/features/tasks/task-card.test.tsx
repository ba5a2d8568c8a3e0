import { act, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { expect, it, vi } from "vitest";
import { aTask } from "../../testing/builders.ts";
import { TaskCard } from "./task-card.tsx";

function showCard(overrides: Parameters<typeof aTask>[0]) {
  const card = <TaskCard task={aTask(overrides)} action="See more" heading="h2" />;
  render(<MemoryRouter>{card}</MemoryRouter>);
}

it("When a day passes while a card is shown, then its time left is updated", () => {
  vi.useFakeTimers({ now: new Date("2026-11-20T23:58:00Z") });
  showCard({ deadline: "2026-11-25" });
  expect(screen.getByText("5 days left")).toBeVisible();
  act(() => void vi.advanceTimersByTime(3 * 60_000));
  expect(screen.getByText("4 days left")).toBeVisible();
});

it("When a description is long, then its card has only the beginning", () => {
  showCard({ description: "word ".repeat(1_000) });
  const { textContent } = screen.getByText(/^word word/);
  expect(textContent).toMatch(/^(word )+$/);
  expect(textContent?.length).toBeLessThan(310);
});

it("When a description is one endless word, then its card has no half of an emoji", () => {
  showCard({ description: `x${"🦊".repeat(1_000)}` });
  expect(screen.getByText(/^x🦊/)).toHaveTextContent(/^x(🦊)+$/u);
});

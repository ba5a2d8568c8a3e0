import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Spinner } from "./state-panel.tsx";

it("When loading takes longer than eight seconds, then the spinner's announcement also says so", async () => {
  vi.useFakeTimers();
  render(<Spinner label="Loading tasks" />);
  const status = screen.getByRole("status");
  await act(() => vi.advanceTimersByTimeAsync(7_999));
  expect(status.textContent).toBe("Loading tasks…");
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(status.textContent).toBe("Loading tasks…This is taking longer than usual. Check your connection.");
});

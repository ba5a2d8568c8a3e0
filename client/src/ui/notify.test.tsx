import { render, screen, waitFor } from "@testing-library/react";
import { toast } from "react-toastify/unstyled";
import { expect, it } from "vitest";
import { notify } from "./notify.tsx";
import { Toasts } from "./toast-container.tsx";

/** What the toasts that stand say. */
function standing() {
  const texts = new Map<unknown, string>();
  toast.onChange(({ id, status, content }) => {
    if (status === "removed") texts.delete(id);
    else texts.set(id, String(content));
  });
  render(<Toasts />);
  return () => [...texts.values()];
}

it("When something new is said on a topic, then the old toast goes, and those of other topics stay", async () => {
  const texts = standing();
  notify.error("You are still logged in.", { topic: "session" });
  notify.info("A bid has come in.");
  notify.success("Welcome back, Fay", { topic: "session" });
  await screen.findByText("Welcome back, Fay");
  await waitFor(() => expect(texts()).toEqual(["A bid has come in.", "Welcome back, Fay"]));
  notify.dismiss("session");
  await waitFor(() => expect(texts()).toEqual(["A bid has come in."]));
});

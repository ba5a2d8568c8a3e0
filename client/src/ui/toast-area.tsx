import { latePart } from "./late-part.ts";

const useToasts = latePart(() => import("./toast-container.tsx"));

/** Where toasts appear. Loaded after the page is shown: a toast never comes first. */
export function ToastArea() {
  const toasts = useToasts();
  return toasts ? <toasts.Toasts /> : null;
}

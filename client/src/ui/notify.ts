import type { ToastOptions } from "react-toastify";

type Options = Pick<ToastOptions, "autoClose" | "position" | "toastId">;

/**
 * The one door to toasts (SPEC section 9: top-right, 5000 ms unless told otherwise). The library is loaded on first use;
 * the toast area in the layout shows what was said before it was there.
 */
export const notify = {
  success: (text: string, options?: Options) => say("success", text, options),
  error: (text: string, options?: Options) => say("error", text, options),
  info: (text: string, options?: Options) => say("info", text, options),
};

function say(kind: "success" | "error" | "info", text: string, options?: Options): void {
  void import("react-toastify/unstyled").then(({ toast }) => toast[kind](text, options));
}

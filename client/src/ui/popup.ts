import { notify } from "./notify.tsx";

export const CLASSES = {
  popup: "tl-popup",
  confirmButton: "btn btn-primary",
  cancelButton: "btn btn-ghost",
};

let navigations = 0;
/** The number of page changes so far. */
export const navigationCount = (): number => navigations;

let sweetAlert: typeof import("sweetalert2/dist/sweetalert2.esm.js").default | undefined;

/**
 * Loads SweetAlert2 and its styles (a file, since a strict CSP forbids injected ones) on first use. Null if that fails:
 * then callers fall back to the browser's own dialogs.
 */
export async function loadPopup() {
  try {
    const [{ default: Swal }] = await Promise.all([
      import("sweetalert2/dist/sweetalert2.esm.js"),
      import("./popup.css"),
    ]);
    sweetAlert = Swal;
    return Swal.mixin({
      // Inside the open modal dialog, if any, which makes everything outside of it inert.
      target: [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1) ?? document.body,
      buttonsStyling: false,
      customClass: CLASSES,
    });
  } catch {
    return null;
  }
}

// SweetAlert2 replaces an open popup with the next one. A prompt may replace a success message, but not vice versa.
let prompt: Promise<unknown> = Promise.resolve();

/** Makes success messages wait for the answer to this prompt. */
export function trackPrompt(answer: Promise<unknown>): void {
  prompt = answer.catch(() => undefined);
}

/**
 * Shows a success popup over the top bar for 1500 ms, without a button, and without taking focus or clicks from the
 * page. Resolves when it has closed.
 */
export async function showSuccess(title: string, text = ""): Promise<void> {
  await prompt;
  const Popup = await loadPopup();
  if (!Popup) return notify.success(`${title} ${text}`.trim());
  await Popup.fire({
    toast: true,
    position: "top",
    icon: "success",
    iconColor: "var(--color-success)",
    titleText: title,
    text,
    showConfirmButton: false,
    timer: 1500,
  });
}

/**
 * Closes an open prompt, which counts as "no", when its page or dialog goes away. Without the closing animation, which
 * would never end in a closed dialog and leave the page locked.
 * @param within the dialog; prompts outside of it stay open.
 */
export function dismissPrompt(within: Element = document.body): void {
  if (within === document.body) navigations += 1;
  const popup = sweetAlert?.getPopup();
  if (!popup || popup.classList.contains("swal2-toast") || !within.contains(popup)) return;
  sweetAlert?.close();
  popup.dispatchEvent(new Event("animationend"));
}

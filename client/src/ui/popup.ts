import { notify } from "./notify.tsx";

export const CLASSES = {
  popup: "tl-popup",
  confirmButton: "btn btn-primary",
  cancelButton: "btn btn-ghost",
};

/** How many pages there were. */
let pages = 0;
export const pageCount = (): number => pages;

let sweetAlert: typeof import("sweetalert2/dist/sweetalert2.esm.js").default | undefined;

/**
 * The one door to popups. SweetAlert2 and its styles (a file, not injected, for the sake of a strict CSP) load on first
 * use; null if they do not arrive: then the browser's own dialogs must do.
 */
export async function loadPopup() {
  try {
    const [{ default: Swal }] = await Promise.all([
      import("sweetalert2/dist/sweetalert2.esm.js"),
      import("./popup.css"),
    ]);
    sweetAlert = Swal;
    return Swal.mixin({
      // Within an open modal dialog, which makes everything outside of it inert.
      target: [...document.querySelectorAll<HTMLElement>("dialog[open]")].at(-1) ?? document.body,
      buttonsStyling: false,
      customClass: CLASSES,
    });
  } catch {
    return null;
  }
}

// SweetAlert2 shows one popup and replaces what is open. A question may replace a success message, never the reverse.
let prompt: Promise<unknown> = Promise.resolve();

/** Success messages wait for the answer to this question. */
export function trackPrompt(answer: Promise<unknown>): void {
  prompt = answer.catch(() => undefined);
}

/**
 * A success popup without a button that closes by itself after 1500 ms. Resolves when it is gone. It lies over the top
 * bar, and takes neither focus nor clicks from the page.
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
 * Closes the question that stands open, which is a "no", when the page or dialog that it is about goes away. At once: in a
 * closed dialog no animation ends, and the page would stay locked.
 * @param within the dialog; another one's question stays.
 */
export function dismissPrompt(within: Element = document.body): void {
  if (within === document.body) pages += 1;
  const popup = sweetAlert?.getPopup();
  if (!popup || popup.classList.contains("swal2-toast") || !within.contains(popup)) return;
  sweetAlert?.close();
  popup.dispatchEvent(new Event("animationend"));
}
